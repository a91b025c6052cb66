import BatonClient
import BatonConcurrency
import BatonCore
import BatonTransport
import BatonTrust
import BatonWire
import CloudClient
import Devices
import Foundation
import SwiftProtobuf

/// One connection to the cloud, from its beginning to its end: proves who this device is, exchanges membership, listens, and runs
/// the operations that the engine asks for. When ``run()`` returns nothing of it is under way any more.
final class CloudConnection: Sendable {
    /// The server says every 30 seconds that it is alive.
    private static let silence = Duration.seconds(75)

    enum Operation: Sendable {
        case pull(ZoneName, SyncStateMachine.Resync?)
        case push(ZoneName)
    }

    /// The engine's callbacks.
    struct Ports: Sendable {
        /// Before any operation.
        var welcomed: @Sendable (CloudSession.Welcome, [Baton_Cloud_V1_ZoneHead]) async -> Void
        var moved: @Sendable (Baton_Cloud_V1_ZoneHead) async -> Void
        var gone: @Sendable (Data) async -> Void
        var perform: @Sendable (Operation) async -> Void
    }

    private let session: CloudSession
    private let account: AccountService
    private let ports: Ports
    /// Bound: the engine's operations in progress.
    private let operations: (stream: AsyncStream<Operation>, source: AsyncStream<Operation>.Continuation)
    private let ending = Signal()
    /// Membership is to be exchanged. One that waits is enough.
    private let membership = Signal()

    init(session: CloudSession, account: AccountService, ports: Ports) {
        self.session = session
        self.account = account
        self.ports = ports
        let operations = AsyncStream.makeStream(of: Operation.self, bufferingPolicy: .unbounded)
        self.operations = (operations.stream, operations.continuation)
    }

    func perform(_ operation: Operation) { operations.source.yield(operation) }

    func exchangeMembership() { membership.send() }

    /// ``run()`` returns soon.
    func end() { ending.send() }

    /// - Returns: why it ended.
    func run() async -> SyncFailure {
        let failure = await withTaskGroup(of: SyncFailure?.self) { group in
            group.addTask { await self.attempt { try await self.follow() } }
            group.addTask {
                await withDiscardingTaskGroup { running in
                    for await operation in self.operations.stream {
                        running.addTask { await self.ports.perform(operation) }
                    }
                }
                return nil
            }
            group.addTask {
                for await _ in self.ending.stream { break }
                return Self.ended
            }
            var failure: SyncFailure?
            while failure == nil, let end = await group.next() { failure = end }
            group.cancelAll()
            return failure ?? Self.ended
        }
        session.close()
        return failure
    }

    private static let ended = SyncFailure(
        kind: .connection, reason: "ended", message: "This device ended the connection.")

    private func attempt(_ body: () async throws -> Void) async -> SyncFailure? {
        do {
            // Streams bring errors, too.
            try await CloudAnswer.marking(body)
            return Self.ended
        } catch {
            return SyncFailure(error)
        }
    }

    // MARK: Listening

    private func follow() async throws {
        let welcome = try await session.authenticate()
        try await merge()
        let heads = try await session.call(ZoneMethods.listZones, .init()).zones
        await ports.welcomed(welcome, heads)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.listen() }
            group.addTask {
                for await _ in self.membership.stream { try await self.merge() }
            }
            group.addTask { try await self.renew(welcome.lifetime) }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Runs until the stream ends. Earlier changes are reported at its beginning.
    private func listen() async throws {
        let events = try await session.stream(ZoneMethods.subscribe, .init())
        var timer = DeadlineTimer.shared.schedule(after: Self.silence, end)
        defer { DeadlineTimer.shared.cancel(timer) }
        var isFirst = true
        for try await event in events {
            // Changes between the request and the start of the stream would be missed.
            if isFirst { exchangeMembership() }
            isFirst = false
            DeadlineTimer.shared.cancel(timer)
            timer = DeadlineTimer.shared.schedule(after: Self.silence, end)
            switch event.kind {
            case .head(let head): await ports.moved(head)
            case .gone(let gone): await ports.gone(gone.zoneID)
            case .membership: exchangeMembership()
            case .keepAlive, nil: break
            }
        }
        throw BatonError(.unavailable, reason: "connection_closed", "The cloud ended the connection.")
    }

    private func renew(_ lifetime: Duration) async throws {
        var lifetime = lifetime
        while true {
            try await Task.sleep(for: Self.pause(until: lifetime), tolerance: .seconds(1))
            lifetime = try await session.authenticate().lifetime
        }
    }

    /// How long a token is used. A cloud whose tokens are over at once has this device sign no more often than twice a minute.
    static func pause(until lifetime: Duration) -> Duration {
        min(max(.seconds(30), lifetime * 0.8), .seconds(24 * 60 * 60))
    }

    /// Each side learns what the other knows of who belongs to the account.
    private func merge() async throws {
        let known = account.membershipMessage()
        let answer = try await session.call(
            AccountMethods.mergeMembership, .with { $0.statements = known.statements })
        try await account.merge(.with { $0.statements = answer.statements })
    }
}
