public import Foundation

/// Plays what the system asks for. MediaPlayer's. Called on the main thread; every method is optional.
///
/// Call each handler once, with nil or with the reason: the system waits for it, 60 seconds at most.
public protocol MPPlayableContentDelegate: NSObjectProtocol {
    /// The item at this place of the content is to be played: load it, set `nowPlayingInfo`, begin, and call the handler. An item that
    /// plays already is not to begin anew.
    func playableContentManager(
        _ contentManager: MPPlayableContentManager, initiatePlaybackOfContentItemAt indexPath: IndexPath,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void)

    /// Prepare to play, and do not play before the play command.
    /// - Parameter contentItems: what is to be played; nil where the app chooses.
    func playableContentManager(
        _ contentManager: MPPlayableContentManager, initializePlaybackQueueWithContentItems contentItems: [Any]?,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void)

    /// How much the system shows of the content has changed.
    func playableContentManager(
        _ contentManager: MPPlayableContentManager, didUpdate context: MPPlayableContentManagerContext)
}

extension MPPlayableContentDelegate {
    /// Calls the handler with ``MPError/Code/notSupported``.
    public func playableContentManager(
        _ contentManager: MPPlayableContentManager, initiatePlaybackOfContentItemAt indexPath: IndexPath,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        completionHandler(MPError(.notSupported))
    }

    /// Calls the handler with nil: nothing is prepared, and the app begins when it is asked to play.
    public func playableContentManager(
        _ contentManager: MPPlayableContentManager, initializePlaybackQueueWithContentItems contentItems: [Any]?,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        completionHandler(nil)
    }

    /// Does nothing.
    public func playableContentManager(
        _ contentManager: MPPlayableContentManager, didUpdate context: MPPlayableContentManagerContext
    ) {}
}

/// Says what an app has to play. MediaPlayer's. Called on the main thread.
public protocol MPPlayableContentDataSource: NSObjectProtocol {
    /// How many items are below this one; the empty path is the root.
    func numberOfChildItems(at indexPath: IndexPath) -> Int
    /// The item at this place; nil when there is none.
    func contentItem(at indexPath: IndexPath) -> MPContentItem?
    /// The items below this one are wanted soon. Call the handler once they are there. Optional.
    func beginLoadingChildItems(
        at indexPath: IndexPath, completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// Whether the items below this one show how much of them was played. Optional; false.
    func childItemsDisplayPlaybackProgress(at indexPath: IndexPath) -> Bool
    /// The item of this identifier. Optional.
    func contentItem(
        forIdentifier identifier: String, completionHandler: @escaping @Sendable (MPContentItem?, (any Error)?) -> Void)
}

extension MPPlayableContentDataSource {
    /// Calls the handler: everything is there.
    public func beginLoadingChildItems(
        at indexPath: IndexPath, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        completionHandler(nil)
    }

    /// False.
    public func childItemsDisplayPlaybackProgress(at indexPath: IndexPath) -> Bool { false }

    /// Calls the handler with ``MPError/Code/notSupported``.
    public func contentItem(
        forIdentifier identifier: String, completionHandler: @escaping @Sendable (MPContentItem?, (any Error)?) -> Void
    ) {
        completionHandler(nil, MPError(.notSupported))
    }
}
