import AppLink
public import Foundation

extension NSUserActivity {
    /// Asks the app that offered this activity for a pair of streams, when the activity itself cannot hold everything
    /// (H-76, H-78).
    ///
    /// - Parameter completionHandler: called once with either both streams or an error, as
    ///   ``continuationStreams()`` throws it, on the serial queue on which delegates are called. Do not read or write in
    ///   it: other calls would wait.
    @preconcurrency
    public func getContinuationStreams(
        completionHandler: @escaping @Sendable (InputStream?, OutputStream?, (any Error)?) -> Void
    ) {
        let runtime = runtime
        let receipt = receipt
        // Over within the time that opening may take; not awaited, since the handler is called in any case.
        Task {
            do {
                let endpoint = try await runtime.openStreams(receipt)
                runtime.onCallbackQueue {
                    completionHandler(ContinuationInputStream(endpoint), ContinuationOutputStream(endpoint), nil)
                }
            } catch {
                runtime.onCallbackQueue { completionHandler(nil, nil, error) }
            }
        }
    }

    /// Asks the app that offered this activity for a pair of streams (H-76, H-78).
    ///
    /// Only on the object that the app delegate was given in `application(_:continue:restorationHandler:)`, inside of
    /// that call or within 15 minutes after; more than one pair may be open at a time, at most 8 for one activity (H-82).
    /// The other app's delegate gets its ends by `userActivity(_:didReceive:outputStream:)` (H-79). Weigh the round trips
    /// (H-83): a pair costs a connection, and each question to the other app waits for its answer (H-81).
    ///
    /// Both streams come unopened; open them at once. A pair of which neither stream is opened within 60 seconds breaks.
    /// The bytes that one app writes to its output are those that the other one reads from its input, encrypted on their way
    /// (H-80). They behave as Foundation's:
    ///
    /// - `read` waits until there are bytes and returns 0 at the end; `write` waits while the other app does not read
    ///   (about 1.5 MB are on the way at most), and may take less than it was given. Both are for a thread of the app's
    ///   own, or for a delegate of the stream that received `hasBytesAvailable` or `hasSpaceAvailable`.
    /// - Delegates are called on the run loops in which the stream is scheduled. For `RunLoop.main` it is enough that
    ///   something runs the main queue, as `UIApplicationMain`, `RunLoop.main.run()` and `dispatchMain()` do. Another
    ///   run loop must be run by its thread; that a stream was handled does not make `RunLoop.run(mode:before:)` return,
    ///   so give it dates that are near. Each event comes once, and those of bytes and space once after each read and
    ///   write. A stream that is scheduled nowhere sends no events.
    /// - `close` on the output sends what was written, and then the end, while the input goes on. An input that is
    ///   closed before its end makes the other app's output fail (`EPIPE`). Streams without an owner close themselves.
    /// - If the connection, a daemon or the other app breaks before a stream has ended, its status becomes `error`, also
    ///   of a stream that the other app had not closed: bytes that came before can still be read, then `read` returns -1.
    ///   There is never an end that the other app did not make. `streamError` is 4608, with `ECONNRESET` beneath, or
    ///   `ETIMEDOUT` where this app opened neither stream in time.
    /// - Nothing of a pair survives the end of a process or daemon; ask for a new one.
    ///
    /// Safe to call from any thread; the streams are for one reader and one writer each, on any threads.
    ///
    /// - Throws: `CocoaError`: `userActivityConnectionUnavailable` (4609) when this activity was not given to this app by
    ///   another device or too long ago, when the other app did not set ``supportsContinuationStreams``, without a
    ///   connection to the other device or a daemon, or when too many pairs are open;
    ///   `userActivityRemoteApplicationTimedOut` (4610) when the other app did not take its ends in time;
    ///   `userActivityHandoffFailed` (4608) when that app or its activity has ended.
    public func continuationStreams() async throws -> (InputStream, OutputStream) {
        let endpoint = try await runtime.openStreams(receipt)
        return (ContinuationInputStream(endpoint), ContinuationOutputStream(endpoint))
    }
}
