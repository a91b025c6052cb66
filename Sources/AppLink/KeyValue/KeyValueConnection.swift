import BatonClient
import BatonCore
import BatonWire
import Foundation
import Logging
import SwiftProtobuf
import Synchronization

/// Has the app's key-value store open at the daemon, and opens it again after the daemon was restarted.
final class KeyValueConnection: DaemonSubscriber {
    /// One change, or everything.
    struct News: Sendable {
        /// The handle of a connection's first answer.
        var handle: String?
        var entries: [(key: String, entry: KeyValueCopy.Entry, reason: KeyValueCopy.Reason?)] = []
        var isSnapshot = false
        var era: UInt64 = 0
        var revision: UInt64 = 0
        var limits = KeyValueLimits.classic
    }

    /// The limit of one call.
    private static let timeout = Duration.seconds(10)

    private let store: KeyValueClient
    /// The reason that was logged last, so that one is logged once.
    private let lastReason = Mutex<String?>(nil)

    init(store: KeyValueClient) { self.store = store }

    // MARK: DaemonSubscriber

    func request() async throws -> Baton_App_V1_OpenKeyValueStoreRequest {
        .with {
            $0.profile = .init(store.profile)
        }
    }

    func follow(_ news: ConnectResponses<Baton_App_V1_KeyValueNews>, on connection: DaemonConnection) async throws {
        var iterator = news.makeAsyncIterator()
        guard let first = try await Self.next(&iterator) else {
            throw BatonError(
                .unavailable, reason: "not_opened", "The daemon did not open the key-value store. Try again.")
        }
        store.told(first)
        connection.answered()
        let rest = iterator
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { [self] in try await read(rest) }
            group.addTask { [self] in try await send(connection) }
            // The first to end ends both.
            try await group.next()
        }
    }

    func ended(_ error: (any Error)?) async -> SubscriptionPause {
        store.ended(refused: error.map(report) ?? false)
        return .backoff
    }

    /// Quiet when the daemon is not there, which does not concern the app; a refusal is logged once.
    /// - Returns: whether the app has no store.
    private func report(_ error: any Error) -> Bool {
        let logger = store.logger
        guard let error = error as? BatonError, !error.code.isRetriable, error.code != .canceled else {
            logger.debug("The key-value store cannot be reached; trying again", metadata: ["error": "\(error)"])
            return false
        }
        let isNew = lastReason.withLock { last in
            defer { last = error.reason }
            return last != error.reason
        }
        if isNew { logger.warning("The daemon does not open the app's key-value store: \(error.message)") }
        return error.code == .permissionDenied
    }

    // MARK: Updates

    private func read(_ news: ConnectResponses<Baton_App_V1_KeyValueNews>.AsyncIterator) async throws {
        var iterator = news
        while let news = try await Self.next(&iterator) { store.told(news) }
    }

    /// All parts of the next update; nil at the end.
    private static func next(
        _ iterator: inout ConnectResponses<Baton_App_V1_KeyValueNews>.AsyncIterator
    ) async throws -> News? {
        var news = News()
        while let part = try await iterator.next() {
            if !part.handle.isEmpty { news.handle = part.handle }
            news.isSnapshot = part.snapshot
            news.era = part.era
            news.revision = part.revision
            news.limits = KeyValueLimits(KeyValueLimits.Profile(part.profile))
            for entry in part.entries {
                let value = entry.hasValue ? try PropertyValue(entry.value) : nil
                news.entries.append((entry.key, .init(value: value, version: entry.version), reason(entry.reason)))
            }
            if !part.more { return news }
        }
        return nil
    }

    private static func reason(_ reason: Baton_App_V1_KeyValueReason) -> KeyValueCopy.Reason? {
        switch reason {
        case .server: .server
        case .initialSync: .initialSync
        case .account: .account
        case .unspecified, .UNRECOGNIZED: nil
        }
    }

    // MARK: Writes

    /// The one loop that writes, so that the daemon hears of writes in their order. Writes of the app meanwhile go out
    /// together.
    private func send(_ connection: DaemonConnection) async throws {
        for await _ in store.wakes() {
            while let (handle, era, batch, round) = store.takeBatch() {
                let request = Baton_App_V1_WriteKeyValuesRequest.with {
                    $0.handle = handle
                    $0.era = era
                    $0.writes = batch.map { key, write in
                        .with {
                            $0.key = key
                            if let value = write.value { $0.value = .init(value) }
                            $0.time = write.time
                            $0.replaces = write.replaces
                        }
                    }
                }
                guard let answer = try await write(request, batch, round, connection) else { continue }
                guard answer.outcomes.count == batch.count else {
                    throw BatonError(
                        .internal, reason: "bad_answer", "The daemon answered another number of writes than were sent.")
                }
                let outcomes = zip(batch, answer.outcomes).map { ($0.key, Self.outcome($1.kind), $1.version) }
                store.answered(outcomes, revision: answer.revision, round: round)
            }
        }
        try Task.checkCancellation()
    }

    /// - Returns: nil for what would be refused again; then it is done with.
    private func write(
        _ request: Baton_App_V1_WriteKeyValuesRequest, _ batch: [(key: String, write: KeyValueCopy.Write)],
        _ round: UInt64, _ connection: DaemonConnection
    ) async throws -> Baton_App_V1_WriteKeyValuesResponse? {
        do {
            return try await connection.call(KeyValueMethods.writeKeyValues, request, timeout: Self.timeout)
        } catch let error as BatonError where error.code == .invalidArgument && !batch.isEmpty {
            store.logger.warning("The daemon does not take a value: \(error.message)")
            if batch.count == 1 {
                store.answered([(batch[0].key, .refused, Data())], revision: 0, round: round)
            } else {
                store.batchRefused()
            }
            return nil
        }
    }

    private static func outcome(_ kind: Baton_App_V1_KeyValueOutcome.Kind) -> KeyValueCopy.Outcome {
        switch kind {
        case .taken: .taken
        case .refused: .refused
        case .superseded, .unspecified, .UNRECOGNIZED: .superseded
        }
    }
}
