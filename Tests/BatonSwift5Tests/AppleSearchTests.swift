// Code as apps and tutorials for Apple's systems have it, in the language mode of Swift 5. It is compiled, and hardly run.
import Baton
import Testing

actor SearchIndexer {
    private let index = CSSearchableIndex(name: "messages", protectionClass: .complete)
    private let encoder = JSONEncoder()
    struct State: Codable { var lastID: Int }

    func indexMessages(_ messages: [(id: Int, subject: String, body: String, from: String)]) async throws {
        guard CSSearchableIndex.isIndexingAvailable() else { return }
        let last = try await index.fetchLastClientState()
        let start = (try? JSONDecoder().decode(State.self, from: last))?.lastID ?? 0
        for chunk in stride(from: 0, to: messages.count, by: 100).map({
            Array(messages[$0..<min($0 + 100, messages.count)])
        }) {
            index.beginBatch()
            let items = chunk.filter { $0.id > start }.map(item)
            index.indexSearchableItems(items, completionHandler: nil)
            try await index.endBatch(withClientState: try encoder.encode(State(lastID: chunk.last?.id ?? start)))
        }
    }

    private func item(_ message: (id: Int, subject: String, body: String, from: String)) -> CSSearchableItem {
        let attributes = CSSearchableItemAttributeSet(contentType: UTType.emailMessage)
        attributes.subject = message.subject
        attributes.displayName = message.subject
        attributes.textContent = message.body
        attributes.authors = [
            CSPerson(displayName: message.from, handles: [message.from], handleIdentifier: CNContactEmailAddressesKey)
        ]
        attributes.primaryRecipients = []
        attributes.accountIdentifier = "work"
        attributes.mailboxIdentifiers = [CSMailboxInbox]
        attributes.contentCreationDate = .now
        attributes.rankingHint = 10
        attributes.userCurated = true
        if let key = CSCustomAttributeKey(
            keyName: "com_example_thread", searchable: true, searchableByDefault: false, unique: false,
            multiValued: false)
        {
            attributes.setValue("thread" as NSString, forCustomKey: key)
        }
        let item = CSSearchableItem(
            uniqueIdentifier: "message.\(message.id)", domainIdentifier: "messages.inbox", attributeSet: attributes)
        item.expirationDate = .distantFuture
        item.isUpdate = true
        return item
    }

    func removeEverything() async throws {
        try await CSSearchableIndex.default().deleteSearchableItems(withDomainIdentifiers: ["messages"])
        try await index.deleteAllSearchableItems()
    }
    func remove(_ ids: [String]) {
        index.deleteSearchableItems(withIdentifiers: ids) { error in
            if let error = error as? CSIndexError, error.code == .indexUnavailableError { print("again later") }
            if let error { print((error as NSError).code) }
        }
    }
}

final class IndexDelegate: NSObject, CSSearchableIndexDelegate {
    let indexer = SearchIndexer()
    func searchableIndex(
        _ searchableIndex: CSSearchableIndex,
        reindexAllSearchableItemsWithAcknowledgementHandler acknowledgementHandler: @escaping () -> Void
    ) {
        acknowledgementHandler()
    }
    func searchableIndex(
        _ searchableIndex: CSSearchableIndex, reindexSearchableItemsWithIdentifiers identifiers: [String],
        acknowledgementHandler: @escaping () -> Void
    ) {
        acknowledgementHandler()
    }
    func searchableItems(
        forIdentifiers identifiers: [String], searchableItemsHandler: @escaping ([CSSearchableItem]) -> Void
    ) { searchableItemsHandler([]) }
    func searchableItemsDidUpdate(_ items: [CSSearchableItem]) {}
}

final class Searcher {
    private var query: CSSearchQuery?
    private var userQuery: CSUserQuery?

    func find(_ text: String) async throws -> [String] {
        let context = CSSearchQueryContext()
        context.fetchAttributes = ["title", "displayName", "contentDescription"]
        context.keyboardLanguage = "en"
        context.filterQueries = ["contentType == \"public.email-message\""]
        let escaped = text.replacingOccurrences(of: "\"", with: "\\\"")
        let query = CSSearchQuery(
            queryString: "title == \"*\(escaped)*\"cdw || textContent == \"\(escaped)*\"cd", queryContext: context)
        self.query?.cancel()
        self.query = query
        var names: [String] = []
        for try await result in query.results {
            names.append(result.item.attributeSet.title ?? result.item.uniqueIdentifier)
            if names.count > 20 { query.cancel() }
        }
        return names
    }

    func suggest(_ text: String) async throws -> ([CSSearchableItem], [AttributedString]) {
        let context = CSUserQueryContext()
        context.enableRankedResults = true
        context.maxResultCount = 10
        context.maxSuggestionCount = 4
        context.maxRankedResultCount = 5
        context.fetchAttributes = ["title"]
        CSUserQuery.prepare()
        CSUserQuery.prepareProtectionClasses([.complete])
        let query = CSUserQuery(userQueryString: text, userQueryContext: context)
        userQuery = query
        var items: [CSSearchableItem] = []
        var suggestions: [AttributedString] = []
        for try await element in query.responses {
            switch element {
            case .item(let item): items.append(item.item)
            case .suggestion(let suggestion): suggestions.append(suggestion.suggestion.localizedAttributedSuggestion)
            @unknown default: break
            }
        }
        return (items.sorted { $0.compare(byRank: $1) == .orderedAscending }, suggestions)
    }

    func count(_ text: String, completion: @escaping (Int, Error?) -> Void) {
        let query = CSSearchQuery(
            queryString: "InRange(contentModificationDate, $time.today(-7), $time.now)", attributes: ["title"])
        query.protectionClasses = [.completeUntilFirstUserAuthentication]
        query.foundItemsHandler = { items in print(items.map(\.uniqueIdentifier)) }
        query.completionHandler = { error in
            if let error = error as? CSSearchQueryError, error.code == .cancelled { return }
            completion(query.foundItemCount, error)
        }
        query.start()
        self.query = query
    }
}

@propertyWrapper
struct CloudSetting<Value> {
    let key: String
    let defaultValue: Value
    var wrappedValue: Value {
        get { NSUbiquitousKeyValueStore.default.object(forKey: key) as? Value ?? defaultValue }
        set { NSUbiquitousKeyValueStore.default.set(newValue, forKey: key) }
    }
}

final class Preferences {
    @CloudSetting(key: "sort", defaultValue: "name") var sort: String
    @CloudSetting(key: "hidden", defaultValue: false) var hidesDone: Bool
    private var observer: NSObjectProtocol?
    private var task: Task<Void, Never>?

    init() {
        let store = NSUbiquitousKeyValueStore.default
        observer = NotificationCenter.default.addObserver(
            forName: NSUbiquitousKeyValueStore.didChangeExternallyNotification, object: store, queue: .main
        ) { notification in
            guard let userInfo = notification.userInfo,
                let reason = userInfo[NSUbiquitousKeyValueStoreChangeReasonKey] as? Int
            else { return }
            let keys = userInfo[NSUbiquitousKeyValueStoreChangedKeysKey] as? [String] ?? []
            switch reason {
            case NSUbiquitousKeyValueStoreServerChange, NSUbiquitousKeyValueStoreInitialSyncChange:
                print("changed", keys)
            case NSUbiquitousKeyValueStoreQuotaViolationChange: print("too much")
            case NSUbiquitousKeyValueStoreAccountChange: print("account")
            default: break
            }
        }
        if store.synchronize() == false { print("not entitled") }
        for (key, value) in store.dictionaryRepresentation { UserDefaults.standard.set(value, forKey: key) }
        store.set(Int64(4), forKey: "count")
        store.set(["a", "b"], forKey: "list")
        store.set(["a": 1], forKey: "map")
        store.set(Data([1]), forKey: "data")
        store.set(2.5, forKey: "double")
        store.set(true, forKey: "bool")
        store.set(Date(), forKey: "date")
        store.set(nil as Any?, forKey: "none")
        print(
            store.longLong(forKey: "count"), store.array(forKey: "list") as? [String] ?? [],
            store.double(forKey: "double"), store.bool(forKey: "bool"))
        store.removeObject(forKey: "bool")
    }

    func follow() {
        task = Task {
            for await note in NotificationCenter.default.notifications(
                named: NSUbiquitousKeyValueStore.didChangeExternallyNotification)
            {
                let reason = note.userInfo?[NSUbiquitousKeyValueStoreChangeReasonKey] as? NSNumber
                print(reason?.intValue as Any)
            }
        }
    }
    deinit {
        task?.cancel()
        if let observer { NotificationCenter.default.removeObserver(observer) }
    }
}

final class IdentityWatcher: @unchecked Sendable {
    private var token: (NSCoding & NSCopying & NSObjectProtocol)? = FileManager.default.ubiquityIdentityToken
    private var observer: Any?
    init() {
        observer = NotificationCenter.default.addObserver(
            forName: .NSUbiquityIdentityDidChange, object: nil, queue: nil
        ) { [weak self] _ in
            let new = FileManager.default.ubiquityIdentityToken
            if let new, let old = self?.token, new.isEqual(old) { return }
            self?.token = new
        }
        if let token = FileManager.default.ubiquityIdentityToken,
            let data = try? NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
        {
            UserDefaults.standard.set(data, forKey: "com.apple.MyAppName.UbiquityIdentityToken")
        }
    }
}

@MainActor
final class CloudBrowser: NSObject {
    let query = NSMetadataQuery()
    private(set) var urls: [URL] = []
    private var observers: [NSObjectProtocol] = []

    func start() {
        query.searchScopes = [NSMetadataQueryUbiquitousDocumentsScope, NSMetadataQueryUbiquitousDataScope]
        query.predicate = NSPredicate(format: "%K LIKE %@", NSMetadataItemFSNameKey, "*.note")
        query.sortDescriptors = [NSSortDescriptor(key: NSMetadataItemFSContentChangeDateKey, ascending: false)]
        query.valueListAttributes = [
            NSMetadataUbiquitousItemPercentDownloadedKey, NSMetadataUbiquitousItemDownloadingStatusKey,
        ]
        query.groupingAttributes = [NSMetadataItemContentTypeKey]
        query.notificationBatchingInterval = 1
        query.operationQueue = .main
        query.delegate = self
        let center = NotificationCenter.default
        for name in [
            Notification.Name.NSMetadataQueryDidFinishGathering, .NSMetadataQueryDidUpdate,
            .NSMetadataQueryGatheringProgress,
        ] {
            observers.append(
                center.addObserver(forName: name, object: query, queue: .main) { [weak self] note in
                    nonisolated(unsafe) let note = note
                    MainActor.assumeIsolated { self?.changed(note) }
                })
        }
        query.enableUpdates()
        if !query.start() { print("did not start") }
    }

    private func changed(_ note: Notification) {
        query.disableUpdates()
        defer { query.enableUpdates() }
        let added = note.userInfo?[NSMetadataQueryUpdateAddedItemsKey] as? [NSMetadataItem] ?? []
        let removed = note.userInfo?[NSMetadataQueryUpdateRemovedItemsKey] as? [NSMetadataItem] ?? []
        let updated = note.userInfo?[NSMetadataQueryUpdateChangedItemsKey] as? [NSMetadataItem] ?? []
        print(added.count, removed.count, updated.count)
        urls = query.results.compactMap { ($0 as? NSMetadataItem)?.value(forAttribute: NSMetadataItemURLKey) as? URL }
        for index in 0..<query.resultCount {
            guard let item = query.result(at: index) as? NSMetadataItem else { continue }
            let status = item.value(forAttribute: NSMetadataUbiquitousItemDownloadingStatusKey) as? String
            if status == NSMetadataUbiquitousItemDownloadingStatusNotDownloaded,
                let url = item.value(forAttribute: NSMetadataItemURLKey) as? URL
            {
                try? FileManager.default.startDownloadingUbiquitousItem(at: url)
            }
            if item.value(forAttribute: NSMetadataUbiquitousItemHasUnresolvedConflictsKey) as? Bool == true {
                print("conflict")
            }
            print(
                item.attributes,
                item.values(forAttributes: [NSMetadataItemFSSizeKey, NSMetadataItemDisplayNameKey]) as Any)
        }
        query.enumerateResults { result, index, stop in
            if index > 10 { stop.pointee = true }
        }
        for group in query.groupedResults { print(group.attribute, group.value, group.resultCount) }
        for (key, tuples) in query.valueLists { print(key, tuples.map(\.count)) }
        _ = query.value(ofAttribute: NSMetadataItemFSNameKey, forResultAt: 0)
    }

    func stop() {
        query.stop()
        observers.forEach(NotificationCenter.default.removeObserver)
    }
}

final class ResultProxy: NSObject {
    let url: URL
    let isDownloaded: Bool
    init(_ item: NSMetadataItem) {
        url = item.value(forAttribute: NSMetadataItemURLKey) as! URL
        isDownloaded =
            (item.value(forAttribute: NSMetadataUbiquitousItemDownloadingStatusKey) as? String)
            == NSMetadataUbiquitousItemDownloadingStatusCurrent
    }
}

extension CloudBrowser: NSMetadataQueryDelegate {
    nonisolated func metadataQuery(
        _ query: NSMetadataQuery, replacementObjectForResultObject result: NSMetadataItem
    ) -> Any { ResultProxy(result) }
    nonisolated func metadataQuery(
        _ query: NSMetadataQuery, replacementValueForAttribute attrName: String, value attrValue: Any
    ) -> Any { attrValue }
}
