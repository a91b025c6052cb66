import Synchronization

extension CKDatabase {
    /// The most subscriptions that a process keeps for a database.
    private static let maximumSubscriptions = 1_000

    /// Saves a subscription, for the life of the process.
    /// - Throws: `CKError.serviceUnavailable` for one of a query.
    @discardableResult
    public func save(_ subscription: CKSubscription) async throws -> CKSubscription { try keep(subscription) }

    /// Deletes a subscription.
    /// - Throws: `CKError.unknownItem` if it is not there.
    @discardableResult
    public func deleteSubscription(withID subscriptionID: CKSubscription.ID) async throws -> CKSubscription.ID {
        try drop(subscriptionID)
    }

    /// One subscription.
    /// - Throws: `CKError.unknownItem` if it is not there.
    public func subscription(for subscriptionID: CKSubscription.ID) async throws -> CKSubscription {
        try check()
        guard let subscription = shelf.subscriptions.withLock({ $0[subscriptionID] }) else {
            throw Self.missing(subscriptionID)
        }
        return subscription
    }

    /// Several subscriptions, each with its own error.
    public func subscriptions(
        for ids: [CKSubscription.ID]
    ) async throws -> [CKSubscription.ID: Result<CKSubscription, any Error>] {
        try check()
        let kept = shelf.subscriptions.withLock { $0 }
        return Dictionary(
            ids.map { id in (id, kept[id].map { .success($0) } ?? .failure(Self.missing(id))) },
            uniquingKeysWith: { first, _ in first })
    }

    /// All subscriptions, by their names.
    public func allSubscriptions() async throws -> [CKSubscription] {
        try check()
        return shelf.subscriptions.withLock { Array($0.values) }.sorted { $0.subscriptionID < $1.subscriptionID }
    }

    /// Saves and deletes subscriptions, each with its own error.
    public func modifySubscriptions(
        saving subscriptionsToSave: [CKSubscription], deleting subscriptionIDsToDelete: [CKSubscription.ID]
    ) async throws -> (
        saveResults: [CKSubscription.ID: Result<CKSubscription, any Error>],
        deleteResults: [CKSubscription.ID: Result<Void, any Error>]
    ) {
        var saved: [CKSubscription.ID: Result<CKSubscription, any Error>] = [:]
        for subscription in subscriptionsToSave {
            saved[subscription.subscriptionID] = Result { try keep(subscription) }
        }
        var deleted: [CKSubscription.ID: Result<Void, any Error>] = [:]
        for id in subscriptionIDsToDelete { deleted[id] = Result { _ = try drop(id) } }
        return (saved, deleted)
    }

    private func keep(_ subscription: CKSubscription) throws(CKError) -> CKSubscription {
        try check()
        if subscription is CKQuerySubscription { throw CKError.queriesUnavailable() }
        let isKept = shelf.subscriptions.withLock { all in
            guard all[subscription.subscriptionID] != nil || all.count < Self.maximumSubscriptions else { return false }
            all[subscription.subscriptionID] = subscription
            return true
        }
        guard isKept else {
            throw CKError(
                .limitExceeded, "A database has at most \(Self.maximumSubscriptions) subscriptions: delete some.")
        }
        return subscription
    }

    private func drop(_ id: CKSubscription.ID) throws(CKError) -> CKSubscription.ID {
        try check()
        guard shelf.subscriptions.withLock({ $0.removeValue(forKey: id) }) != nil else { throw Self.missing(id) }
        return id
    }

    private static func missing(_ id: CKSubscription.ID) -> CKError {
        CKError(.unknownItem, "There is no subscription “\(id)”. A process keeps its own only.")
    }
}
