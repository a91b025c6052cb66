import AppLink
import BatonClient
import BatonWire
import Logging
import SwiftProtobuf

extension AppRuntime {
    /// - Throws: `CocoaError`, as ``NSUserActivity/continuationStreams()`` says.
    func openStreams(_ receipt: ContinuationReceipt?) async throws -> StreamEndpoint {
        guard let receipt, let socketPath = profile.socketPath else { throw ContinuationStreamError.notContinued }
        do {
            let request = StreamRequest.open(
                .with {
                    $0.sessionID = receipt.sessionID
                    $0.acceptanceID = receipt.acceptanceID
                })
            return try await StreamEndpoint.start(environment.openPipe(socketPath, link.claim, request))
        } catch {
            throw ContinuationStreamError.opening(error)
        }
    }

    /// Takes the end of a pair that the other device asked for to the activity's delegate.
    func receiveStreams(_ activity: NSUserActivity, sessionID: String, streamID: String) {
        guard let socketPath = profile.socketPath else { return }
        // Over within the time that opening may take; not awaited, since what is to follow follows in it.
        Task { [self] in
            do {
                let request = StreamRequest.accept(
                    .with {
                        $0.sessionID = sessionID
                        $0.streamID = streamID
                    })
                let endpoint = try await StreamEndpoint.start(environment.openPipe(socketPath, link.claim, request))
                onCallbackQueue {
                    activity.delegate?.userActivity(
                        activity, didReceive: ContinuationInputStream(endpoint),
                        outputStream: ContinuationOutputStream(endpoint))
                }
            } catch {
                logger.debug("A pair of streams was not opened", metadata: ["error": "\(error)"])
            }
        }
    }
}
