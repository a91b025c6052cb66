import Baton
import BatonClient
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Synchronization

/// A daemon in memory that has one key-value store, and does what the test says.
final class KeyValueDaemon: ConnectClient {
    private struct State {
        var isRunning = true
        var refusal: BatonError?
        var writeRefusal: BatonError?
        var profile = Baton_App_V1_KeyValueProfile.classic
        var era: UInt64 = 1
        var revision: UInt64 = 0
        var entries: [String: Baton_App_V1_KeyValueEntry] = [:]
        var news: Mailbox<Baton_App_V1_KeyValueNews>?
        var isHolding = false
        var held: [CheckedContinuation<Void, Never>] = []
        var opened: [Baton_App_V1_OpenKeyValueStoreRequest] = []
        var claims: Set<AppClaim> = []
        var calls = 0
        /// Takes writes, and loses the answer.
        var losesAnswer = false
    }

    private let state = Mutex(State())
    /// Each request that writes something.
    let writes = Mailbox<Baton_App_V1_WriteKeyValuesRequest>()

    // MARK: Actions of the test

    func crash() {
        let (news, held) = state.withLock { state in
            state.isRunning = false
            defer { (state.news, state.held, state.isHolding) = (nil, [], false) }
            return (state.news, state.held)
        }
        news?.end(.failure(Self.notRunning))
        for continuation in held { continuation.resume() }
    }

    func start() { state.withLock { $0.isRunning = true } }
    func refuse(_ error: BatonError?) { state.withLock { $0.refusal = error } }
    func refuseWrites(_ error: BatonError?) { state.withLock { $0.writeRefusal = error } }
    func loseNextAnswer() { state.withLock { $0.losesAnswer = true } }
    func setProfile(_ profile: Baton_App_V1_KeyValueProfile) { state.withLock { $0.profile = profile } }
    /// Answers to writes wait until `letGo`.
    func hold() { state.withLock { $0.isHolding = true } }

    func letGo() {
        let held = state.withLock { state in
            defer { (state.held, state.isHolding) = ([], false) }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    var calls: Int { state.withLock { $0.calls } }
    var opened: [Baton_App_V1_OpenKeyValueStoreRequest] { state.withLock { $0.opened } }

    var values: [String: PropertyValue] {
        state.withLock { $0.entries }.compactMapValues { $0.hasValue ? try? PropertyValue($0.value) : nil }
    }

    /// From elsewhere.
    func change(
        _ values: [String: PropertyValue?], _ reason: Baton_App_V1_KeyValueReason, era: UInt64? = nil,
        isTold: Bool = true
    ) {
        let (news, message) = state.withLock { state in
            if let era {
                state.era = era
                for key in state.entries.keys { state.entries[key]?.clearValue() }
            }
            let keys = era == nil ? Array(values.keys) : Array(Set(values.keys).union(state.entries.keys))
            for key in keys { Self.put(values[key] ?? nil, key, reason, &state) }
            return (state.news, Self.news(keys.sorted(), state))
        }
        if isTold { news?.send(message) }
    }

    private static func put(
        _ value: PropertyValue?, _ key: String, _ reason: Baton_App_V1_KeyValueReason, _ state: inout State
    ) {
        state.revision += 1
        let version = Data("\(state.revision)".utf8)
        state.entries[key] = .with {
            $0.key = key
            if let value { $0.value = .init(value) }
            $0.version = version
            $0.reason = reason
        }
    }

    private static func news(_ keys: [String], _ state: State) -> Baton_App_V1_KeyValueNews {
        .with {
            $0.profile = state.profile
            $0.era = state.era
            $0.revision = state.revision
            $0.entries = keys.compactMap { state.entries[$0] }
        }
    }

    // MARK: ConnectClient

    /// The process's descriptions of itself.
    var claims: Set<AppClaim> { state.withLock { $0.claims } }

    func calling(as claim: AppClaim) -> any ConnectClient {
        state.withLock { _ = $0.claims.insert(claim) }
        return self
    }

    func unary<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, timeout: Duration
    ) async throws -> Response {
        guard let request = request as? Baton_App_V1_WriteKeyValuesRequest, state.withLock({ $0.isRunning }) else {
            throw Self.notRunning
        }
        if !request.writes.isEmpty { writes.send(request) }
        await waitWhileHeld()
        guard state.withLock({ $0.isRunning }) else { throw Self.notRunning }
        if let refusal = state.withLock({ $0.writeRefusal }) { throw refusal }
        let (answer, news, message) = take(request)
        news?.send(message)
        if state.withLock({ state in
            defer { state.losesAnswer = false }
            return state.losesAnswer
        }) {
            throw Self.notRunning
        }
        guard let answer = answer as? Response else { throw Self.notRunning }
        return answer
    }

    private func take(
        _ request: Baton_App_V1_WriteKeyValuesRequest
    ) -> (Baton_App_V1_WriteKeyValuesResponse, Mailbox<Baton_App_V1_KeyValueNews>?, Baton_App_V1_KeyValueNews) {
        state.withLock { state in
            state.calls += 1
            var answer = Baton_App_V1_WriteKeyValuesResponse()
            for write in request.writes {
                let present = state.entries[write.key]?.version ?? Data()
                var outcome = Baton_App_V1_KeyValueOutcome()
                outcome.kind = .superseded
                if present == write.replaces, request.era == state.era {
                    Self.put(write.hasValue ? try? PropertyValue(write.value) : nil, write.key, .unspecified, &state)
                    outcome.kind = .taken
                }
                outcome.version = state.entries[write.key]?.version ?? Data()
                answer.outcomes.append(outcome)
            }
            answer.revision = state.revision
            return (answer, state.news, Self.news(request.writes.map(\.key), state))
        }
    }

    func serverStream<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request
    ) async throws -> ConnectResponses<Response> {
        guard let request = request as? Baton_App_V1_OpenKeyValueStoreRequest else { throw Self.notRunning }
        let news = Mailbox<Baton_App_V1_KeyValueNews>()
        let first = try state.withLock { state -> [Baton_App_V1_KeyValueNews] in
            state.calls += 1
            guard state.isRunning else { throw Self.notRunning }
            if let refusal = state.refusal { throw refusal }
            state.opened.append(request)
            state.news = news
            // In parts, which take effect together.
            let keys = state.entries.keys.sorted()
            var parts = keys.map { Self.news([$0], state) } + [Self.news([], state)]
            for index in parts.indices {
                parts[index].snapshot = true
                parts[index].more = index < parts.count - 1
                for entry in parts[index].entries.indices { parts[index].entries[entry].reason = .unspecified }
            }
            parts[0].handle = SessionID.random().rawValue
            return parts
        }
        for part in first { news.send(part) }
        return ConnectResponses { { try await news.next() as? Response } }
    }

    private func waitWhileHeld() async {
        await withCheckedContinuation { continuation in
            let isHeld = state.withLock { state in
                if state.isHolding { state.held.append(continuation) }
                return state.isHolding
            }
            if !isHeld { continuation.resume() }
        }
    }

    static let notRunning = BatonError(.unavailable, reason: "daemon_not_running", "No daemon.")
}

/// The notifications of a store.
final class KeyValueNotifications: Sendable {
    struct Posted: Sendable, Equatable {
        var reason: Int?
        var keys: [String]?
        var isOnMain: Bool
        /// The store's contents at the time of the notification.
        var values: [String: String]
    }

    let all = Mailbox<Posted>()
    private let token: TokenBox

    init(_ store: NSUbiquitousKeyValueStore) {
        let all = all
        token = TokenBox(
            NotificationCenter.default.addObserver(
                forName: NSUbiquitousKeyValueStore.didChangeExternallyNotification, object: store, queue: nil
            ) { notification in
                let keys = notification.userInfo?[NSUbiquitousKeyValueStoreChangedKeysKey] as? [String]
                all.send(
                    Posted(
                        reason: notification.userInfo?[NSUbiquitousKeyValueStoreChangeReasonKey] as? Int, keys: keys,
                        isOnMain: isOnMainQueue,
                        values: (keys ?? []).reduce(into: [:]) { $0[$1] = store.string(forKey: $1) }))
            })
    }

    deinit { NotificationCenter.default.removeObserver(token.token) }

    func next() async throws -> Posted {
        guard let posted = try await all.next() else { throw UnexpectedCall() }
        return posted
    }
}

/// Only given back to the centre, which any thread may do.
final class TokenBox: @unchecked Sendable {
    let token: any NSObjectProtocol
    init(_ token: any NSObjectProtocol) { self.token = token }
}
