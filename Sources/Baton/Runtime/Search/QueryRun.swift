import BatonClient
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Synchronization

/// One query under way: started once, by its handlers or by a reader of its results.
final class QueryRun: Sendable {
    enum Found: Sendable {
        case items([CSSearchableItem])
        case suggestions([CSSuggestion])
    }

    private struct State {
        var isStarted = false
        var isCancelled = false
        var items = 0
        var suggestions = 0
        var task: Task<Void, Never>?
    }

    let client: SpotlightClient
    private let state = Mutex(State())

    init(client: SpotlightClient) { self.client = client }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }
    var itemCount: Int { state.withLock { $0.items } }
    var suggestionCount: Int { state.withLock { $0.suggestions } }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }

    /// Calls `found` for what is new, and `ended` once, both in their order on the queue of callbacks. A second start has no
    /// effect.
    func start(
        _ request: Baton_App_V1_QuerySearchableItemsRequest, found: @escaping @Sendable (Found) -> Void,
        ended: @escaping @Sendable (CSSearchQueryError?) -> Void
    ) {
        let isFirst = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted
        }
        guard isFirst else { return }
        // Ends with its call, which the daemon ends, or which is cancelled.
        let task = Task { [self] in
            let error = await run(request, found: found)
            client.onCallbackQueue { ended(error) }
        }
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    private func run(
        _ request: Baton_App_V1_QuerySearchableItemsRequest, found: @escaping @Sendable (Found) -> Void
    ) async -> CSSearchQueryError? {
        do {
            try Task.checkCancellation()
            let answers = try await client.stream(request)
            for try await answer in answers {
                if isCancelled { break }
                take(answer, found)
                if answer.hasDone { return isCancelled ? Self.cancelled : nil }
            }
            if isCancelled { return Self.cancelled }
            return CSSearchQueryError(.indexUnreachable, "The daemon ended the query before its end. Try again.")
        } catch {
            return isCancelled || error is CancellationError ? Self.cancelled : CSSearchQueryError(error)
        }
    }

    private func take(_ answer: Baton_App_V1_QuerySearchableItemsAnswer, _ found: @escaping @Sendable (Found) -> Void) {
        if !answer.suggestions.isEmpty {
            let first = suggestionCount
            let suggestions = answer.suggestions.enumerated().map { CSSuggestion($1, rank: first + $0) }
            // Before the handler is called, as Apple counts.
            state.withLock { $0.suggestions += suggestions.count }
            client.onCallbackQueue { [self] in if !isCancelled { found(.suggestions(suggestions)) } }
        }
        if !answer.items.isEmpty {
            let first = itemCount
            let items = answer.items.enumerated().map { CSSearchableItem($1, rank: first + $0) }
            state.withLock { $0.items += items.count }
            client.onCallbackQueue { [self] in if !isCancelled { found(.items(items)) } }
        }
    }

    private static let cancelled = CSSearchQueryError(.cancelled, "The query was cancelled.")
}

extension CSSearchQueryError {
    /// The daemon's error.
    init(_ error: any Error) {
        guard let error = error as? BatonError else {
            self.init(.unknown, "The query failed: \(error)")
            return
        }
        let code: Code =
            switch error.code {
            case .invalidArgument, .permissionDenied: .invalidQuery
            case .unavailable, .deadlineExceeded, .unauthenticated: .indexUnreachable
            case .canceled: .cancelled
            default: .unknown
            }
        self.init(code, error.message)
    }
}

extension CSSearchableItem {
    /// A result.
    convenience init(_ message: Baton_App_V1_SearchableItem, rank: Int) {
        let attributes = (try? message.attributes.attributes()) ?? [:]
        self.init(
            uniqueIdentifier: message.uniqueIdentifier,
            domainIdentifier: message.domainIdentifier.isEmpty ? nil : message.domainIdentifier,
            attributeSet: CSSearchableItemAttributeSet(values: attributes))
        if message.hasExpirationTime {
            expirationDate = Date(timeIntervalSince1970: Double(message.expirationTime) / 1000)
        }
        self.rank = rank
    }
}
