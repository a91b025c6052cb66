package import BatonCore

/// One app's end of a pair of continuation streams: it decides what may be sent or received, and when the pair is over.
///
/// A value without I/O. Frames to send are returned in their order and must be sent in it; the bytes of the streams are
/// the caller's. Invariants (simulated): at most ``StreamFrame/window`` bytes are on their way to an app that does not
/// read; each stream ends by `end` or by a failure and never otherwise; and both ends finish, whatever each of the apps
/// closes and in whatever order.
package struct StreamEnd: Sendable {
    /// The outgoing stream.
    private var credit = StreamFrame.window
    private var hasEnded = false
    /// The other app wants nothing more.
    package private(set) var isRefused = false

    /// The incoming stream.
    private var expected = StreamFrame.window
    package private(set) var hasReceivedEnd = false
    /// This app wants nothing more.
    package private(set) var isInputClosed = false
    /// Read by the app; not yet granted to the other side.
    private var owed = 0

    private var hasSentDone = false
    private var hasReceivedDone = false
    /// The connection broke, or what came broke a rule.
    package private(set) var isBroken = false

    package init() {}

    /// Granted in pieces of a quarter of the window, so that one frame pays for many reads.
    private static let creditStep = StreamFrame.window / 4

    // MARK: Sending

    /// How many bytes could be sent now.
    package var room: Int { isOutputOpen ? min(credit, StreamFrame.maximumData) : 0 }

    package var isOutputOpen: Bool { !hasEnded && !isBroken }

    /// - Returns: how many bytes to send in one `data` frame; 0 when there is no room.
    package mutating func send(upTo count: Int) -> Int {
        let count = min(room, count)
        credit -= count
        return count
    }

    package mutating func closeOutput() -> [StreamFrame] {
        guard isOutputOpen else { return [] }
        hasEnded = true
        return [.end] + finish()
    }

    // MARK: Receiving

    /// The app has read this many bytes.
    package mutating func consumed(_ count: Int) -> [StreamFrame] {
        owed += count
        guard owed >= Self.creditStep, !hasReceivedEnd, !isInputClosed, !isBroken else { return [] }
        defer { owed = 0 }
        expected += owed
        return [.credit(owed)]
    }

    package mutating func closeInput() -> [StreamFrame] {
        guard !isInputClosed else { return [] }
        isInputClosed = true
        return hasReceivedEnd || isBroken ? [] : [.stop]
    }

    /// This many bytes of the stream have arrived.
    /// - Returns: whether the app is to get them.
    package mutating func receivedData(_ count: Int) throws(BatonError) -> Bool {
        guard !hasReceivedEnd else { throw broken("data after the end") }
        guard count <= expected else { throw broken("more data than there is room for") }
        expected -= count
        return !isInputClosed
    }

    package mutating func receivedCredit(_ count: Int) throws(BatonError) {
        guard !hasReceivedDone, count > 0, credit + count <= StreamFrame.window else { throw broken("a wrong credit") }
        credit += count
    }

    package mutating func receivedEnd() throws(BatonError) -> [StreamFrame] {
        guard !hasReceivedEnd else { throw broken("a second end") }
        hasReceivedEnd = true
        return finish()
    }

    package mutating func receivedStop() throws(BatonError) -> [StreamFrame] {
        guard !isRefused, !hasReceivedDone else { throw broken("a second stop") }
        isRefused = true
        return closeOutput()
    }

    package mutating func receivedDone() throws(BatonError) {
        guard hasReceivedEnd, hasEnded, !hasReceivedDone else { throw broken("a done too early") }
        hasReceivedDone = true
    }

    // MARK: The end

    /// The connection is over. Not a failure when everything was said.
    package mutating func connectionClosed() {
        if !isFinished { isBroken = true }
    }

    /// Both streams have ended and both sides know: the connection can be closed.
    package var isFinished: Bool { hasSentDone && hasReceivedDone }

    private mutating func finish() -> [StreamFrame] {
        guard hasEnded, hasReceivedEnd, !hasSentDone else { return [] }
        hasSentDone = true
        return [.done]
    }

    private mutating func broken(_ what: String) -> BatonError {
        isBroken = true
        return BatonError(
            .invalidArgument, reason: "stream_protocol", "The other side of the stream sent \(what).")
    }
}
