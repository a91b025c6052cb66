extension CKDatabase {
    /// The most subscriptions that a process keeps for a database.
    private static let maximumSubscriptions = 1_000

    /// Saves a subscription, for the life of the process. Containers of one identifier share theirs, the default container and the one of its
    /// name too.
    /// - Throws: `CKError.invalidArguments` for a query that ``CKQuery`` would not answer.
    @discardableResult
    public func save(_ subscription: CKSubscription) async throws -> CKSubscription {
        try keep(subscription, in: try await subscribed())
    }

    /// Deletes a subscription.
    /// - Throws: `CKError.unknownItem` if it is not there.
    @discardableResult
    public func deleteSubscription(withID subscriptionID: CKSubscription.ID) async throws -> CKSubscription.ID {
        try drop(subscriptionID, in: try await subscribed())
    }

    /// One subscription.
    /// - Throws: `CKError.unknownItem` if it is not there.
    public func subscription(for subscriptionID: CKSubscription.ID) async throws -> CKSubscription {
        let database = try await subscribed()
        guard let subscription = server.subscriptions.withAll(database, { $0[subscriptionID] }) else {
            throw Self.missing(subscriptionID)
        }
        return subscription
    }

    /// Several subscriptions, each with its own error.
    public func subscriptions(
        for ids: [CKSubscription.ID]
    ) async throws -> [CKSubscription.ID: Result<CKSubscription, any Error>] {
        let kept = server.subscriptions.withAll(try await subscribed()) { $0 }
        return Dictionary(
            ids.map { id in (id, kept[id].map { .success($0) } ?? .failure(Self.missing(id))) },
            uniquingKeysWith: { first, _ in first })
    }

    /// All subscriptions, by their names.
    public func allSubscriptions() async throws -> [CKSubscription] {
        server.subscriptions.withAll(try await subscribed()) { Array($0.values) }
            .sorted { $0.subscriptionID < $1.subscriptionID }
    }

    /// Saves and deletes subscriptions, each with its own error.
    public func modifySubscriptions(
        saving subscriptionsToSave: [CKSubscription], deleting subscriptionIDsToDelete: [CKSubscription.ID]
    ) async throws -> (
        saveResults: [CKSubscription.ID: Result<CKSubscription, any Error>],
        deleteResults: [CKSubscription.ID: Result<Void, any Error>]
    ) {
        let database = try await subscribed()
        var saved: [CKSubscription.ID: Result<CKSubscription, any Error>] = [:]
        for subscription in subscriptionsToSave {
            saved[subscription.subscriptionID] = Result { try keep(subscription, in: database) }
        }
        var deleted: [CKSubscription.ID: Result<Void, any Error>] = [:]
        for id in subscriptionIDsToDelete { deleted[id] = Result { _ = try drop(id, in: database) } }
        return (saved, deleted)
    }

    /// The database by the container's whole name, so that the default container is the one of its name.
    private func subscribed() async throws(CKError) -> DatabaseName {
        try check()
        guard name.container.isEmpty else { return name }
        return DatabaseName(container: try await server.account(name).container, scope: name.scope)
    }

    private func keep(
        _ subscription: CKSubscription, in database: DatabaseName
    ) throws(CKError) -> CKSubscription {
        if let subscription = subscription as? CKQuerySubscription { try RecordQuery.check(subscription.predicate) }
        let isKept = server.subscriptions.withAll(database) { all in
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

    private func drop(_ id: CKSubscription.ID, in database: DatabaseName) throws(CKError) -> CKSubscription.ID {
        guard server.subscriptions.withAll(database, { $0.removeValue(forKey: id) }) != nil else {
            throw Self.missing(id)
        }
        return id
    }

    private static func missing(_ id: CKSubscription.ID) -> CKError {
        CKError(.unknownItem, "There is no subscription “\(id)”. A process keeps its own only.")
    }
}
