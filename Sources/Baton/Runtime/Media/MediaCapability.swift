import AppLink
import BatonClient
import BatonCore
import BatonWire
import Logging
import SwiftProtobuf
import Synchronization

/// Reports to the daemon what the app plays, and has the app do what it is asked.
struct MediaCapability: AppCapability {
    let runtime: AppRuntime

    func attached(_ session: AttachedSession) { setAttached(true) }

    func detached(_ error: (any Error)?) { setAttached(false) }

    private func setAttached(_ isAttached: Bool) {
        guard let client = runtime.madeMediaClient, client.contentManager.setAttached(isAttached) else { return }
        runtime.onMain {
            let manager = client.contentManager
            manager.delegate?.playableContentManager(manager, didUpdate: manager.context)
        }
    }

    /// Each message has everything; a change while one is on its way goes with the next.
    func run(_ session: AttachedSession) async throws -> AttachmentOutcome? {
        for await _ in runtime.media.changes() {
            guard let request = runtime.media.request(sessionID: session.id) else { continue }
            do {
                _ = try await session.call(MediaMethods.updateNowPlaying, request)
            } catch let error as BatonError where !AttachedSession.isConnectionLost(error) {
                // It would be refused again.
                runtime.logger.warning("The daemon does not take what plays: \(error.message)")
            }
        }
        try Task.checkCancellation()
        return .ended
    }

    func perform(_ command: AttachedCommand) -> Bool {
        switch command.kind {
        case .mediaCommand(let message):
            runtime.onMain { [runtime] in command.reply(.media(runtime.media.perform(message.command))) }
        case .mediaArtwork(let message):
            runtime.onMain { [runtime] in command.reply(.artwork(runtime.media.artwork(message))) }
        case .playableContent(let message):
            runtime.onMain { [runtime] in
                PlayableContent(manager: runtime.media.contentManager).perform(message) { command.reply(.content($0)) }
            }
        default: return false
        }
        return true
    }
}

extension AppRuntime {
    /// Made at the first use.
    var media: MediaClient {
        madeMedia.withLock { made in
            let client = made ?? MediaClient(runtime: self)
            made = client
            return client
        }
    }

    /// Nil for an app that has nothing to do with media so far.
    var madeMediaClient: MediaClient? { madeMedia.withLock { $0 } }
}
