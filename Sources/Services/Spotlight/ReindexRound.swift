package import BatonCore

/// Which apps are to be launched so that they index again, one at a time. A pure value.
package struct ReindexRound: Sendable, Hashable {
    /// An app that did not acknowledge is launched again after so long, in milliseconds. An hour.
    package static let interval: UInt64 = 3_600_000
    /// How many apps are remembered; the ones beyond are launched again sooner.
    private static let maximumTried = 1000

    private var tried: [AppIdentity: UInt64] = [:]

    package init() {}

    /// - Parameter waiting: apps that are to index again and can be launched for it, in their order.
    /// - Returns: the next one; nil when there is none now.
    package mutating func next(_ waiting: [AppIdentity], now: UInt64) -> AppIdentity? {
        tried = tried.filter { waiting.contains($0.key) && now < $0.value &+ Self.interval && $0.value <= now }
        guard tried.count < Self.maximumTried, let app = waiting.first(where: { tried[$0] == nil }) else { return nil }
        tried[app] = now
        return app
    }

    /// The person asked: it is launched at once.
    package mutating func forget(_ app: AppIdentity) { tried[app] = nil }
}
