/// Which names of apps are asked for on the session bus, and when the bus is tried again. A pure value.
struct ApplicationBusStateMachine: Sendable {
    enum Action: Sendable, Hashable {
        case connect
        case request(BusName)
        case release(BusName)
        /// Nothing is wanted any more.
        case disconnect
    }

    /// Between two attempts to reach the bus, each twice the one before.
    static let shortestPause = Duration.seconds(1)
    static let longestPause = Duration.seconds(60)

    private enum Connection: Sendable, Hashable {
        case none
        case connecting
        case connected
        case waiting(until: Duration)
    }

    private(set) var wanted: Set<BusName> = []
    /// Asked for on this connection.
    private var requested: Set<BusName> = []
    private var connection = Connection.none
    private var pause = Self.shortestPause

    /// Apps have come or gone.
    mutating func want(_ names: Set<BusName>) -> [Action] {
        wanted = names
        switch connection {
        case .none:
            guard !names.isEmpty else { return [] }
            connection = .connecting
            return [.connect]
        case .connected: return adjust()
        case .connecting, .waiting: return []
        }
    }

    mutating func connected() -> [Action] {
        connection = .connected
        pause = Self.shortestPause
        requested = []
        return adjust()
    }

    /// The bus could not be reached, or is gone.
    mutating func disconnected(now: Duration) -> [Action] {
        requested = []
        guard !wanted.isEmpty else {
            connection = .none
            return []
        }
        connection = .waiting(until: now + pause)
        pause = min(pause * 2, Self.longestPause)
        return []
    }

    mutating func advance(now: Duration) -> [Action] {
        guard case .waiting(let moment) = connection, moment <= now else { return [] }
        guard !wanted.isEmpty else {
            connection = .none
            return []
        }
        connection = .connecting
        return [.connect]
    }

    /// The bus is there again, as far as anybody can see.
    mutating func retry(now: Duration) {
        if case .waiting = connection { connection = .waiting(until: now) }
    }

    var nextDeadline: Duration? {
        if case .waiting(let moment) = connection { moment } else { nil }
    }

    private mutating func adjust() -> [Action] {
        guard !wanted.isEmpty else {
            connection = .none
            requested = []
            return [.disconnect]
        }
        let actions =
            requested.subtracting(wanted).sorted().map(Action.release)
            + wanted.subtracting(requested).sorted().map(Action.request)
        requested = wanted
        return actions
    }
}
