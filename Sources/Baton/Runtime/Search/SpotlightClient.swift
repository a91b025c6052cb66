import AppLink
import BatonClient
import BatonCore
import BatonWire
import Foundation
import Logging
import SwiftProtobuf
import Synchronization

/// The process's way to the index: its calls in their order, and what the daemon asks of its delegates.
final class SpotlightClient: Sendable {
    private struct State {
        var queue = IndexQueue()
        var isSending = false
        /// Those that have a delegate, as long as the app holds them.
        var indexes: [WeakIndex] = []
        var isStopped = false
        /// The app's index extension, once it was asked.
        var handler: Handler?
    }

    // @unchecked: it is only called on the serial queue of callbacks.
    private struct Handler: @unchecked Sendable {
        let value: CSIndexExtensionRequestHandler
    }

    private struct WeakIndex {
        weak var value: CSSearchableIndex?
    }

    /// For one call, which waits for the daemon's disk.
    private static let timeout = Duration.seconds(30)

    // A runtime outlives its client, except at the end of a process's tests.
    private unowned let runtime: AppRuntime
    private let state = Mutex(State())
    private let defaultIndex = Mutex<CSSearchableIndex?>(nil)

    init(runtime: AppRuntime) { self.runtime = runtime }

    var index: CSSearchableIndex {
        defaultIndex.withLock { made in
            let index = made ?? CSSearchableIndex(client: self, name: "", protectionClass: nil)
            made = index
            return index
        }
    }

    var isAvailable: Bool { runtime.profile.socketPath != nil }

    // MARK: Changes

    /// - Parameter done: called once, on the callback queue.
    func send(_ request: IndexRequest, done: @escaping @Sendable (CSIndexError?) -> Void) {
        let runtime = runtime
        let call = IndexQueue.Call(request: request) { error in runtime.onCallbackQueue { done(error) } }
        let (isTaken, starts) = state.withLock { state -> (Bool, Bool) in
            guard state.queue.add(call) else { return (false, false) }
            defer { state.isSending = true }
            return (true, !state.isSending)
        }
        guard isTaken else {
            return call.done(
                CSIndexError(
                    .indexUnavailableError,
                    "More than \(IndexQueue.maximumWaitingSteps) items are waiting. Wait for the completion of calls before."
                ))
        }
        // Ends when nothing waits any more. Each call in it has a deadline.
        if starts { Task { await sendAll() } }
    }

    private func sendAll() async {
        while let batch = takeNext() {
            let error = await send(batch.request)
            if batch.isPart {
                guard let error else { continue }
                state.withLock { $0.queue.dropFirst() }
                for call in batch.calls { call.done(error) }
            } else if let error, error.code == .invalidItemError, batch.calls.count > 1 {
                // One of them breaks a rule: it must not keep the others out.
                for call in batch.calls { call.done(await send(call.request)) }
            } else {
                for call in batch.calls { call.done(error) }
            }
        }
    }

    private func takeNext() -> IndexQueue.Batch? {
        state.withLock { state in
            let batch = state.isStopped ? nil : state.queue.next()
            if batch == nil { state.isSending = false }
            return batch
        }
    }

    private func send(_ request: IndexRequest) async -> CSIndexError? {
        do {
            _ = try await runtime.link.call(
                SpotlightMethods.updateSearchableIndex,
                .with {
                    $0.index = reference(request.name, request.protection)
                    $0.steps = request.steps
                    if let state = request.newState { $0.newClientState = state }
                    if let state = request.expectedState { $0.expectedClientState = state }
                }, timeout: Self.timeout)
            return nil
        } catch {
            return CSIndexError(error)
        }
    }

    func clientState(_ name: String, _ protection: Baton_App_V1_IndexProtection) async throws -> Data? {
        do {
            let answer = try await runtime.link.call(
                SpotlightMethods.fetchClientState, .with { $0.index = reference(name, protection) },
                timeout: Self.timeout)
            return answer.hasClientState ? answer.clientState : nil
        } catch {
            throw CSIndexError(error)
        }
    }

    func stop() { state.withLock { $0.isStopped = true } }

    // MARK: Calls

    func stream(
        _ request: Baton_App_V1_QuerySearchableItemsRequest
    ) async throws -> ConnectResponses<Baton_App_V1_QuerySearchableItemsAnswer> {
        try await runtime.link.stream(SpotlightMethods.querySearchableItems, request)
    }

    func reference(
        _ name: String = "", _ protection: Baton_App_V1_IndexProtection = .unspecified
    ) -> Baton_App_V1_SearchableIndexReference {
        .with {
            $0.name = name
            $0.protection = protection
        }
    }

    func engaged(_ request: Baton_App_V1_ReportEngagementRequest) {
        var request = request
        request.index = reference()
        let sent = request
        // One small call with a deadline. Its report only improves the order of later results.
        Task {
            do {
                _ = try await runtime.link.call(SpotlightMethods.reportEngagement, sent, timeout: Self.timeout)
            } catch {
                runtime.logger.debug("A choice was not reported", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Calls on the queue of callbacks.
    func onCallbackQueue(_ body: @escaping @Sendable () -> Void) { runtime.onCallbackQueue(body) }

    func onMain(_ body: @escaping @MainActor @Sendable () -> Void) { runtime.onMain(body) }

    // MARK: Delegates

    /// The index has a delegate: the daemon may ask it, so the process attaches.
    func register(_ index: CSSearchableIndex) {
        state.withLock { state in
            state.indexes.removeAll { $0.value == nil || $0.value === index }
            state.indexes.append(WeakIndex(value: index))
        }
        runtime.attach()
    }

    private func indexes() -> [(index: CSSearchableIndex, delegate: any CSSearchableIndexDelegate)] {
        let indexes = state.withLock { $0.indexes.compactMap(\.value) }
        return indexes.compactMap { index in index.indexDelegate.map { (index, $0) } }
    }

    /// The extension that the app's `Info.plist` names, made when it is first asked. On the queue of callbacks only.
    private func indexExtension() -> CSIndexExtensionRequestHandler? {
        if let handler = state.withLock({ $0.handler }) { return handler.value }
        guard let type = AppBundle.main.extensions.indexExtension() else { return nil }
        let handler = Handler(value: type.init())
        state.withLock { $0.handler = handler }
        handler.value.beginRequest(with: NSExtensionContext())
        return handler.value
    }

    /// - Parameters:
    ///   - identifiers: nil for everything.
    ///   - reply: with false when no app can be asked.
    func reindex(_ identifiers: [String]?, reply: @escaping @Sendable (Bool) -> Void) {
        runtime.onCallbackQueue { [self] in
            var indexes = indexes()
            if indexes.isEmpty, let handler = indexExtension() { indexes = [(self.index, handler)] }
            guard !indexes.isEmpty else { return reply(false) }
            let left = Countdown(indexes.count)
            let acknowledged: @Sendable () -> Void = {
                if left.isLast() { reply(true) }
            }
            for (index, delegate) in indexes {
                // An app that acknowledges twice has acknowledged once.
                let once = Completion(acknowledged)
                if let identifiers {
                    delegate.searchableIndex(
                        index, reindexSearchableItemsWithIdentifiers: identifiers,
                        acknowledgementHandler: { once.call() })
                } else {
                    delegate.searchableIndex(
                        index, reindexAllSearchableItemsWithAcknowledgementHandler: { once.call() })
                }
            }
        }
    }

    func throttled(_ isThrottled: Bool) {
        runtime.onCallbackQueue { [self] in
            for (index, delegate) in indexes() {
                if isThrottled {
                    delegate.searchableIndexDidThrottle(index)
                } else {
                    delegate.searchableIndexDidFinishThrottle(index)
                }
            }
        }
    }
}

/// Counts calls down to the last.
private final class Countdown: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) { left = Mutex(count) }

    func isLast() -> Bool {
        left.withLock { left in
            left -= 1
            return left == 0
        }
    }
}
