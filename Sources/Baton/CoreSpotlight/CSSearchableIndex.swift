import BatonCore
import BatonWire
public import Foundation
import SwiftProtobuf
import Synchronization

/// The app's items that a person can find on this device. CoreSpotlight's.
///
/// Every completion means that the request is in the daemon's journal on the disk: it is found within seconds, and survives
/// whatever ends. Completions are called once, asynchronously, on a serial queue; on an error, do it again. Calls take effect
/// in their order. An app has at most 100,000 items and 256 MiB. Nothing leaves the device.
///
/// No app can list the index, not even its own part; ``CSSearchQuery`` finds the app's own items.
///
/// Apple: <https://developer.apple.com/documentation/corespotlight/cssearchableindex>
//
// @unchecked: what changes lies behind a lock.
open class CSSearchableIndex: NSObject, @unchecked Sendable {
    /// Most bytes of a client state.
    static let maximumClientState = 250

    private struct Batch {
        var steps: [IndexRequest.Step] = []
        var bytes = 0
        var completions: [@Sendable (CSIndexError?) -> Void] = []
        /// The error of a call of the batch: the batch is not sent.
        var error: CSIndexError?
    }

    private struct State {
        var batch: Batch?
    }

    private let client: SpotlightClient
    private let name: String
    private let protection: Baton_App_V1_IndexProtection
    private let state = Mutex(State())
    private let delegate = Mutex(WeakDelegate())

    // Apple's delegates are not sendable. It is only called on the serial queue of callbacks.
    private struct WeakDelegate: @unchecked Sendable {
        weak var value: (any CSSearchableIndexDelegate)?
    }

    /// Whether anything can be indexed: a daemon has a socket here.
    open class func isIndexingAvailable() -> Bool { AppRuntime.current.spotlight.isAvailable }

    /// The app's index for unprotected content. It has no batches.
    open class func `default`() -> CSSearchableIndex { AppRuntime.current.spotlight.index }

    /// An index with a name, which has a client state. Indexes of one name share it.
    public convenience init(name: String) { self.init(name: name, protectionClass: nil) }

    /// An index with a name, for content that is readable as a class of protection says.
    ///
    /// - Parameter protectionClass: items of `.complete` are found only while the device is unlocked; nil for the app's
    ///   default.
    public convenience init(name: String, protectionClass: FileProtectionType?) {
        self.init(client: AppRuntime.current.spotlight, name: name, protectionClass: protectionClass)
    }

    init(client: SpotlightClient, name: String, protectionClass: FileProtectionType?) {
        self.client = client
        self.name = name
        protection = .init(protectionClass)
        super.init()
    }

    /// Hears when items are to be indexed again. Set it at launch.
    open weak var indexDelegate: (any CSSearchableIndexDelegate)? {
        get { delegate.withLock { $0 }.value }
        set {
            let holder = WeakDelegate(value: newValue)
            delegate.withLock { $0 = holder }
            if newValue != nil { client.register(self) }
        }
    }

    // MARK: Changes

    /// Makes items findable, in place of those with the same identifiers; see ``CSSearchableItem/isUpdate``.
    @preconcurrency
    open func indexSearchableItems(
        _ items: [CSSearchableItem], completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        do {
            change(try IndexRequest.steps(indexing: items), completionHandler)
        } catch {
            let error = error as? CSIndexError ?? CSIndexError(.unknownError)
            state.withLock { $0.batch?.error = error }
            client.onCallbackQueue { completionHandler?(error) }
        }
    }

    /// Deletes items. Unknown identifiers are no error.
    @preconcurrency
    open func deleteSearchableItems(
        withIdentifiers identifiers: [String], completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        // Nothing longer can have been indexed.
        let steps = identifiers.filter { $0.utf8.count <= IndexRequest.maximumIdentifierBytes && !$0.isEmpty }
        change(steps.map { identifier in .with { $0.deleteItem = identifier } }, completionHandler)
    }

    /// Deletes the items of domains, and of those below them: `mail` includes `mail.inbox`. Activities whose attributes have
    /// the domain are deleted too.
    @preconcurrency
    open func deleteSearchableItems(
        withDomainIdentifiers domainIdentifiers: [String],
        completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        let domains = domainIdentifiers.filter { $0.utf8.count <= IndexRequest.maximumIdentifierBytes && !$0.isEmpty }
        change(domains.map { domain in .with { $0.deleteDomain = domain } }, completionHandler)
    }

    /// Deletes everything that the app has in any of its indexes, and every client state.
    @preconcurrency
    open func deleteAllSearchableItems(completionHandler: (@Sendable ((any Error)?) -> Void)? = nil) {
        change([.with { $0.deleteAll = true }], completionHandler)
    }

    private func change(
        _ steps: [IndexRequest.Step], _ completion: (@Sendable ((any Error)?) -> Void)?
    ) {
        let request = IndexRequest(name: name, protection: protection, steps: steps)
        let isBatched = state.withLock { state -> Bool in
            guard state.batch != nil else { return false }
            state.batch?.steps += steps
            state.batch?.bytes += request.bytes
            if let completion { state.batch?.completions.append(completion) }
            let isTooMuch =
                state.batch.map {
                    $0.steps.count > IndexQueue.maximumWaitingSteps || $0.bytes > IndexQueue.maximumWaitingBytes
                } ?? false
            if isTooMuch {
                state.batch?.steps = []
                state.batch?.error = CSIndexError(
                    .quotaExceeded,
                    "A batch has at most \(IndexQueue.maximumWaitingSteps) items and 64 MiB. End it earlier.")
            }
            return true
        }
        guard !isBatched else { return }
        guard !steps.isEmpty else { return client.onCallbackQueue { completion?(nil) } }
        client.send(request) { completion?($0) }
    }

    // MARK: Batches

    /// From now on, changes wait for ``endBatch(withClientState:completionHandler:)``, and take effect together with the
    /// state. On the default index it has no effect.
    open func beginBatch() {
        guard !name.isEmpty else { return }
        state.withLock { state in
            if state.batch == nil { state.batch = Batch() }
        }
    }

    /// Sends the changes since ``beginBatch()``, and stores a state of the app's with them.
    ///
    /// - Parameter clientState: at most 250 bytes, e.g. the number of the last change that was indexed.
    @preconcurrency
    open func endBatch(
        withClientState clientState: Data, completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        end(expected: nil, new: clientState, completionHandler)
    }

    /// As ``endBatch(withClientState:completionHandler:)``, if the state that is stored is the one that was expected: else
    /// nothing is changed, and the error is ``CSIndexError/Code/mismatchedClientState``.
    ///
    /// - Parameter expectedClientState: nil for none.
    @preconcurrency
    open func endIndexBatch(
        expectedClientState: Data?, newClientState: Data, completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        end(expected: expectedClientState ?? Data(), new: newClientState, completionHandler)
    }

    private func end(
        expected: Data?, new: Data, _ completion: (@Sendable ((any Error)?) -> Void)?
    ) {
        let batch = state.withLock { state in
            defer { state.batch = nil }
            return state.batch
        }
        guard let batch else {
            let message =
                name.isEmpty
                ? "The default index has no batches. Make one with a name."
                : "No batch was begun. Call beginBatch() first."
            return client.onCallbackQueue { completion?(CSIndexError(.invalidClientStateError, message)) }
        }
        let completions = batch.completions + (completion.map { completion in [{ completion($0) }] } ?? [])
        var error = batch.error
        if new.count > Self.maximumClientState {
            error = CSIndexError(
                .invalidClientStateError, "A client state has at most \(Self.maximumClientState) bytes. Shorten it.")
        }
        if let error {
            return client.onCallbackQueue { for completion in completions { completion(error) } }
        }
        let request = IndexRequest(
            name: name, protection: protection, steps: batch.steps, newState: new, expectedState: expected)
        client.send(request) { error in for completion in completions { completion(error) } }
    }

    /// The state that was stored last for this index's name; nil when there is none.
    @preconcurrency
    open func fetchLastClientState(completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void) {
        // Ends with the deadline of its call.
        Task { [self] in
            do {
                let state = try await client.clientState(name, protection)
                client.onCallbackQueue { completionHandler(state, nil) }
            } catch {
                client.onCallbackQueue { completionHandler(nil, error) }
            }
        }
    }
}

// MARK: - Asynchronous

extension CSSearchableIndex {
    /// Makes items findable.
    public func indexSearchableItems(_ items: [CSSearchableItem]) async throws {
        try await journaled { indexSearchableItems(items, completionHandler: $0) }
    }

    /// Deletes items.
    public func deleteSearchableItems(withIdentifiers identifiers: [String]) async throws {
        try await journaled { deleteSearchableItems(withIdentifiers: identifiers, completionHandler: $0) }
    }

    /// Deletes the items of domains, and of those below them.
    public func deleteSearchableItems(withDomainIdentifiers domainIdentifiers: [String]) async throws {
        try await journaled { deleteSearchableItems(withDomainIdentifiers: domainIdentifiers, completionHandler: $0) }
    }

    /// Deletes everything that the app has in any of its indexes.
    public func deleteAllSearchableItems() async throws {
        try await journaled { deleteAllSearchableItems(completionHandler: $0) }
    }

    /// Sends the changes since ``beginBatch()``.
    public func endBatch(withClientState clientState: Data) async throws {
        try await journaled { endBatch(withClientState: clientState, completionHandler: $0) }
    }

    /// Sends the changes since ``beginBatch()``, if the state is the expected one.
    public func endIndexBatch(expectedClientState: Data?, newClientState: Data) async throws {
        try await journaled {
            endIndexBatch(
                expectedClientState: expectedClientState, newClientState: newClientState, completionHandler: $0)
        }
    }

    /// The state that was stored last; empty when there is none.
    public func fetchLastClientState() async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            fetchLastClientState { state, error in
                continuation.resume(with: error.map { .failure($0) } ?? .success(state ?? Data()))
            }
        }
    }

    private func journaled(_ call: (@escaping @Sendable ((any Error)?) -> Void) -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            call { error in continuation.resume(with: error.map { .failure($0) } ?? .success(())) }
        }
    }
}

extension Baton_App_V1_IndexProtection {
    init(_ type: FileProtectionType?) {
        // Foundation's type cannot be compared.
        switch type?.rawValue {
        case FileProtectionType.none.rawValue: self = .none
        case FileProtectionType.complete.rawValue: self = .complete
        case FileProtectionType.completeUnlessOpen.rawValue: self = .completeUnlessOpen
        case FileProtectionType.completeUntilFirstUserAuthentication.rawValue:
            self = .completeUntilFirstUserAuthentication
        default: self = .unspecified
        }
    }
}

extension CSIndexError {
    /// The daemon's error.
    init(_ error: any Error) {
        guard let error = error as? BatonError else {
            self = error as? CSIndexError ?? CSIndexError(.unknownError, "The index failed: \(error)")
            return
        }
        let code: Code =
            switch error.code {
            case .invalidArgument: error.reason.contains("client_state") ? .invalidClientStateError : .invalidItemError
            case .resourceExhausted: .quotaExceeded
            case .aborted, .failedPrecondition:
                error.reason.contains("client_state") ? .mismatchedClientState : .indexUnavailableError
            case .deadlineExceeded, .canceled: .remoteConnectionError
            case .unavailable, .unauthenticated: .indexUnavailableError
            case .unimplemented, .permissionDenied: .indexingUnsupported
            default: .unknownError
            }
        self.init(code, error.message)
    }
}
