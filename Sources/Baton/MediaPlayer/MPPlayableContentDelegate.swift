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

    /// As the form with a handler: implement one of the two.
    func playableContentManager(
        _ contentManager: MPPlayableContentManager, initiatePlaybackOfContentItemAt indexPath: IndexPath) async throws

    /// Prepare to play, and do not play before the play command.
    /// - Parameter contentItems: what is to be played; nil where the app chooses.
    func playableContentManager(
        _ contentManager: MPPlayableContentManager, initializePlaybackQueueWithContentItems contentItems: [Any]?,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void)

    /// As the form with a handler: implement one of the two.
    func playableContentManager(
        _ contentManager: MPPlayableContentManager, initializePlaybackQueueWithContentItems contentItems: [Any]?
    ) async throws

    /// How much the system shows of the content has changed.
    func playableContentManager(
        _ contentManager: MPPlayableContentManager, didUpdate context: MPPlayableContentManagerContext)
}

extension MPPlayableContentDelegate {
    /// Calls the `async` form.
    public func playableContentManager(
        _ contentManager: MPPlayableContentManager, initiatePlaybackOfContentItemAt indexPath: IndexPath,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        AsyncWitness.answer(completionHandler) { [delegate = self as any MPPlayableContentDelegate] in
            try await delegate.playableContentManager(contentManager, initiatePlaybackOfContentItemAt: indexPath)
        }
    }

    /// Throws ``MPError/Code/notSupported``.
    public func playableContentManager(
        _ contentManager: MPPlayableContentManager, initiatePlaybackOfContentItemAt indexPath: IndexPath
    ) async throws { throw MPError(.notSupported) }

    /// Calls the `async` form.
    public func playableContentManager(
        _ contentManager: MPPlayableContentManager, initializePlaybackQueueWithContentItems contentItems: [Any]?,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        AsyncWitness.answer(completionHandler) { [delegate = self as any MPPlayableContentDelegate] in
            try await delegate.playableContentManager(
                contentManager, initializePlaybackQueueWithContentItems: contentItems)
        }
    }

    /// Nothing is prepared, and the app begins when it is asked to play.
    public func playableContentManager(
        _ contentManager: MPPlayableContentManager, initializePlaybackQueueWithContentItems contentItems: [Any]?
    ) async throws {}

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
    /// As the form with a handler: implement one of the two.
    func beginLoadingChildItems(at indexPath: IndexPath) async throws
    /// Whether the items below this one show how much of them was played. Optional; false.
    func childItemsDisplayPlaybackProgress(at indexPath: IndexPath) -> Bool
    /// The item of this identifier. Optional.
    func contentItem(
        forIdentifier identifier: String, completionHandler: @escaping @Sendable (MPContentItem?, (any Error)?) -> Void)
    /// As the form with a handler: implement one of the two.
    func contentItem(forIdentifier identifier: String) async throws -> MPContentItem?
}

extension MPPlayableContentDataSource {
    /// Calls the `async` form.
    public func beginLoadingChildItems(
        at indexPath: IndexPath, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        AsyncWitness.answer(completionHandler) { [source = self as any MPPlayableContentDataSource] in
            try await source.beginLoadingChildItems(at: indexPath)
        }
    }

    /// Everything is there.
    public func beginLoadingChildItems(at indexPath: IndexPath) async throws {}

    /// False.
    public func childItemsDisplayPlaybackProgress(at indexPath: IndexPath) -> Bool { false }

    /// Calls the `async` form.
    public func contentItem(
        forIdentifier identifier: String, completionHandler: @escaping @Sendable (MPContentItem?, (any Error)?) -> Void
    ) {
        let failed: @Sendable ((any Error)?) -> Void = { error in if let error { completionHandler(nil, error) } }
        AsyncWitness.answer(failed) { [source = self as any MPPlayableContentDataSource] in
            completionHandler(try await source.contentItem(forIdentifier: identifier), nil)
        }
    }

    /// Throws ``MPError/Code/notSupported``.
    public func contentItem(forIdentifier identifier: String) async throws -> MPContentItem? {
        throw MPError(.notSupported)
    }
}
