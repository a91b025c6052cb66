import AppLink
import BatonWire
import Foundation
import SwiftProtobuf
import Synchronization

/// The system's requests to an app's content. Made and used on the main thread; the app's handler may be called on any.
struct PlayableContent {
    /// As the documentation of the context says.
    private static let maximumItems = 100

    let manager: MPPlayableContentManager

    func perform(
        _ request: Baton_App_V1_PlayableContentRequest,
        reply: @escaping @Sendable (Baton_App_V1_PlayableContentResult) -> Void
    ) {
        switch request.kind {
        case .initializeQueue(let queue): initialize(queue, reply)
        case .initiate(let path):
            guard let delegate = manager.delegate else { return reply(.init()) }
            let answer = Self.once(reply)
            delegate.playableContentManager(
                manager, initiatePlaybackOfContentItemAt: Self.indexPath(path), completionHandler: answer)
        case .list(let path): list(Self.indexPath(path), reply)
        case nil: reply(.init())
        }
    }

    private func initialize(
        _ queue: Baton_App_V1_PlaybackQueue, _ reply: @escaping @Sendable (Baton_App_V1_PlayableContentResult) -> Void
    ) {
        guard let delegate = manager.delegate else { return reply(.init()) }
        let items = queue.identifiers.isEmpty ? nil : queue.identifiers.map { MPContentItem(identifier: $0) }
        delegate.playableContentManager(
            manager, initializePlaybackQueueWithContentItems: items, completionHandler: Self.once(reply))
    }

    private func list(
        _ path: IndexPath, _ reply: @escaping @Sendable (Baton_App_V1_PlayableContentResult) -> Void
    ) {
        guard let source = manager.dataSource else { return reply(.init()) }
        let count = max(0, min(source.numberOfChildItems(at: path), Self.maximumItems))
        let items = (0..<count).compactMap { source.contentItem(at: path.appending($0)) }
        reply(
            .with {
                $0.handled = true
                $0.items = items.map { .init($0) }
            })
    }

    private static func indexPath(_ path: Baton_App_V1_ContentPath) -> IndexPath {
        IndexPath(indexes: path.indexes.prefix(16).map { Int($0) })
    }

    /// An app may call its handler twice; the first counts.
    private static func once(
        _ reply: @escaping @Sendable (Baton_App_V1_PlayableContentResult) -> Void
    ) -> @Sendable ((any Error)?) -> Void {
        let isAnswered = FirstCall()
        return { error in
            guard isAnswered.take() else { return }
            reply(
                .with {
                    $0.handled = true
                    guard let error else { return }
                    // Foundation on Linux does not ask an error with a number of its own for its sentence.
                    let text = (error as? any LocalizedError)?.errorDescription ?? error.localizedDescription
                    $0.error = text.isEmpty ? "It could not be played." : String(text.prefix(512))
                })
        }
    }
}

/// Distinguishes the first call from later ones.
private final class FirstCall: Sendable {
    private let isTaken = Mutex(false)

    func take() -> Bool {
        isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }
}

extension Baton_App_V1_ContentItem {
    fileprivate init(_ item: MPContentItem) {
        self.init()
        identifier = String(item.identifier.prefix(512))
        title = String((item.title ?? "").prefix(512))
        subtitle = String((item.subtitle ?? "").prefix(512))
        container = item.isContainer
        playable = item.isPlayable
        streaming = item.isStreamingContent
        explicit = item.isExplicitContent
        progress = Double(item.playbackProgress)
    }
}
