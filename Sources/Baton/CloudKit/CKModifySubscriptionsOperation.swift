/// Saves and deletes subscriptions. CloudKit's; see ``CKSubscription``.
open class CKModifySubscriptionsOperation: CKDatabaseOperation, @unchecked Sendable {
    /// The items to save.
    open var subscriptionsToSave: [CKSubscription]?
    /// The items to delete.
    open var subscriptionIDsToDelete: [CKSubscription.ID]?
    /// Called for each one to be saved.
    @preconcurrency
    open var perSubscriptionSaveBlock: (@Sendable (CKSubscription.ID, Result<CKSubscription, any Error>) -> Void)?
    /// Called for each one to be deleted.
    @preconcurrency
    open var perSubscriptionDeleteBlock: (@Sendable (CKSubscription.ID, Result<Void, any Error>) -> Void)?
    /// Called at the end; with `CKError.partialFailure` where one failed.
    @preconcurrency
    open var modifySubscriptionsResultBlock: (@Sendable (Result<Void, any Error>) -> Void)?
    /// Called at the end: the older form.
    @preconcurrency
    open var modifySubscriptionsCompletionBlock:
        (@Sendable ([CKSubscription]?, [CKSubscription.ID]?, (any Error)?) -> Void)?

    /// The items to save and to delete.
    public convenience init(
        subscriptionsToSave: [CKSubscription]? = nil, subscriptionIDsToDelete: [CKSubscription.ID]? = nil
    ) {
        self.init()
        self.subscriptionsToSave = subscriptionsToSave
        self.subscriptionIDsToDelete = subscriptionIDsToDelete
    }

    override func perform() async {
        do {
            let results = try await target.modifySubscriptions(
                saving: subscriptionsToSave ?? [], deleting: subscriptionIDsToDelete ?? [])
            var errors: [AnyHashable: any Error] = [:]
            for (id, result) in results.saveResults {
                if case .failure(let error) = result { errors[id] = error }
                perSubscriptionSaveBlock?(id, result)
            }
            for (id, result) in results.deleteResults {
                if case .failure(let error) = result { errors[id] = error }
                perSubscriptionDeleteBlock?(id, result)
            }
            let error = errors.isEmpty ? nil : CKError.partial(errors)
            modifySubscriptionsResultBlock?(error.map { .failure($0) } ?? .success(()))
            modifySubscriptionsCompletionBlock?(
                results.saveResults.values.compactMap { try? $0.get() },
                results.deleteResults.filter { errors[$0.key] == nil }.map(\.key), error)
        } catch {
            fail(error as? CKError ?? CKError(.internalError, "\(error)"))
        }
    }

    override func fail(_ error: CKError) {
        modifySubscriptionsResultBlock?(.failure(error))
        modifySubscriptionsCompletionBlock?(nil, nil, error)
    }
}

/// Fetches subscriptions. CloudKit's; see ``CKSubscription``.
open class CKFetchSubscriptionsOperation: CKDatabaseOperation, @unchecked Sendable {
    /// Which; nil for all.
    open var subscriptionIDs: [CKSubscription.ID]?
    /// Called for each.
    @preconcurrency
    open var perSubscriptionResultBlock: (@Sendable (CKSubscription.ID, Result<CKSubscription, any Error>) -> Void)?
    /// Called at the end; with `CKError.partialFailure` where one failed.
    @preconcurrency
    open var fetchSubscriptionsResultBlock: (@Sendable (Result<Void, any Error>) -> Void)?
    /// Called at the end: the older form.
    @preconcurrency
    open var fetchSubscriptionCompletionBlock: (@Sendable ([CKSubscription.ID: CKSubscription]?, (any Error)?) -> Void)?

    /// Some of them.
    public convenience init(subscriptionIDs: [CKSubscription.ID]) {
        self.init()
        self.subscriptionIDs = subscriptionIDs
    }

    /// All of them.
    public override required init() { super.init() }

    /// All of them.
    open class func fetchAllSubscriptionsOperation() -> Self { Self.init() }

    override func perform() async {
        do {
            let database = target
            let all = try await database.allSubscriptions()
            var found: [CKSubscription.ID: CKSubscription] = [:]
            var errors: [AnyHashable: any Error] = [:]
            for id in subscriptionIDs ?? all.map(\.subscriptionID) {
                let result: Result<CKSubscription, any Error>
                do {
                    let subscription = try await database.subscription(for: id)
                    found[id] = subscription
                    result = .success(subscription)
                } catch {
                    errors[id] = error
                    result = .failure(error)
                }
                perSubscriptionResultBlock?(id, result)
            }
            let error = errors.isEmpty ? nil : CKError.partial(errors)
            fetchSubscriptionsResultBlock?(error.map { .failure($0) } ?? .success(()))
            fetchSubscriptionCompletionBlock?(found, error)
        } catch {
            fail(error as? CKError ?? CKError(.internalError, "\(error)"))
        }
    }

    override func fail(_ error: CKError) {
        fetchSubscriptionsResultBlock?(.failure(error))
        fetchSubscriptionCompletionBlock?(nil, error)
    }
}
