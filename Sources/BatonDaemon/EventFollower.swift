import ServiceLifecycle

/// Carries what one service notices to another, until the daemon shuts down.
struct EventFollower<Element: Sendable>: Service {
    private let events: AsyncStream<Element>
    private let atStart: @Sendable () async -> Void
    private let follow: @Sendable (Element) async -> Void

    /// - Parameters:
    ///   - events: taken before anything runs, so that nothing is missed.
    ///   - atStart: awaited before the first event is followed.
    init(
        _ events: AsyncStream<Element>, atStart: @escaping @Sendable () async -> Void = {},
        follow: @escaping @Sendable (Element) async -> Void
    ) {
        self.events = events
        self.atStart = atStart
        self.follow = follow
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await atStart()
            for await event in events { await follow(event) }
        }
    }
}
