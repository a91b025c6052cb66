import BatonConcurrency
import BatonCore

/// Connects to the first of several addresses that answers: each has a head start before the next one is tried too.
struct HappyEyeballsConnector: Sendable {
    /// Bound of the addresses that are tried.
    static let maximumAddresses = 8
    var headStart = Duration.milliseconds(250)
    var timeout = Duration.seconds(5)
    let dialer: any LinkDialer
    let clock: PresenceClock

    private enum Outcome: Sendable {
        case connected(any LinkConnection)
        case failed(BatonError)
        case headStartOver
    }

    /// - Parameters:
    ///   - serverName: called for each attempt.
    ///   - stop: ends all attempts when it fires.
    /// - Throws: of all failures the one that says most: a refusal by TLS rather than silence.
    func connect(
        to addresses: [DiscoveredAddress], serverName: @escaping @Sendable () -> String, stop: OneShot
    ) async throws -> any LinkConnection {
        guard !addresses.isEmpty else {
            throw BatonError(.unavailable, reason: "no_address", "The device announces no address.")
        }
        var waiting = addresses.prefix(Self.maximumAddresses)
        return try await withThrowingTaskGroup(of: Outcome.self) { group in
            var underWay = 0
            var failure: BatonError?
            func startNext() {
                guard let address = waiting.popFirst() else { return }
                underWay += 1
                group.addTask { await attempt(address, serverName: serverName()) }
                guard !waiting.isEmpty else { return }
                group.addTask {
                    try? await clock.sleep(clock.now() + headStart)
                    return .headStartOver
                }
            }
            group.addTask {
                await stop.wait()
                return .failed(BatonError(.canceled, reason: "stopped", "Presence was stopped."))
            }
            startNext()
            while let outcome = try await group.next() {
                switch outcome {
                case .connected(let connection):
                    group.cancelAll()
                    for try await case .connected(let late) in group { late.close() }
                    return connection
                case .headStartOver: startNext()
                case .failed(let error):
                    guard error.code != .canceled else { throw error }
                    underWay -= 1
                    failure = Self.moreTelling(failure, error)
                    startNext()
                    if underWay == 0 {
                        group.cancelAll()
                        throw failure ?? error
                    }
                }
            }
            throw failure ?? BatonError(.canceled, reason: "stopped", "Presence was stopped.")
        }
    }

    private func closeRest(_ group: inout TaskGroup<Outcome>) async {
        for await outcome in group {
            if case .connected(let connection) = outcome { connection.close() }
        }
    }

    private func attempt(_ address: DiscoveredAddress, serverName: String) async -> Outcome {
        await withTaskGroup(of: Outcome.self) { group in
            group.addTask {
                do {
                    return .connected(try await dialer.connect(to: address, serverName: serverName))
                } catch let error as BatonError {
                    return .failed(error)
                } catch {
                    return .failed(
                        BatonError(.unavailable, reason: "no_connection", "No connection could be made.", cause: error))
                }
            }
            group.addTask {
                try? await clock.sleep(clock.now() + timeout)
                return .failed(BatonError(.deadlineExceeded, reason: "connect_timeout", "There was no answer in time."))
            }
            let first = await group.next() ?? .headStartOver
            group.cancelAll()
            await closeRest(&group)
            // A cancelled attempt reports that in its own way; it is no failure.
            if case .failed = first, Task.isCancelled { return .headStartOver }
            return first
        }
    }

    private static func moreTelling(_ first: BatonError?, _ second: BatonError) -> BatonError {
        guard let first else { return second }
        func rank(_ error: BatonError) -> Int {
            switch error.code {
            case .unauthenticated, .permissionDenied: 2
            case .deadlineExceeded, .unavailable: 0
            default: 1
            }
        }
        return rank(second) > rank(first) ? second : first
    }
}
