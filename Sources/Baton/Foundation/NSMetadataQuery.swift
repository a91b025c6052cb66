import BatonCore
public import Foundation
import MetadataQuery
import Synchronization

/// Finds an app's files in its containers, also those that are not downloaded, and keeps the results up to date (D-26).
///
/// Set ``predicate`` and ``searchScopes``, observe the notifications, and call ``start()`` (D-28). A query gathers
/// first: `.NSMetadataQueryDidStartGathering`, `.NSMetadataQueryGatheringProgress` as results come, and
/// `.NSMetadataQueryDidFinishGathering`. Then `.NSMetadataQueryDidUpdate` announces each change, at most once in
/// ``notificationBatchingInterval``. The object of each is the query. They are posted on ``operationQueue``; without
/// one on the main queue, which a program without an application object must serve itself.
///
/// Results change on that queue only, right before a notification is posted: code that runs there reads one state.
/// Elsewhere call ``disableUpdates()`` before reading and ``enableUpdates()`` afterwards (D-29).
///
/// All methods may be called on any thread. Nothing waits for the daemon. A query that is released stops.
//
// @unchecked: what changes is behind locks. A subclass that stores more must keep that up.
open class NSMetadataQuery: NSObject, @unchecked Sendable {
    struct Settings {
        var predicate: NSPredicate?
        var sortDescriptors: [NSSortDescriptor] = []
        var valueListAttributes: [String] = []
        var groupingAttributes: [String]?
        var batchingInterval: TimeInterval = 1
        var searchScopes: [Any] = []
        var searchItems: [Any]?
        var operationQueue: OperationQueue?
        weak var delegate: (any NSMetadataQueryDelegate)?
    }

    /// One object for each item that was a result since the start.
    struct Objects {
        var items: [String: NSMetadataItem] = [:]
        var replacements: [String: Any] = [:]
        var results: [MetadataRecord] = []

        func object(_ id: String) -> Any? { replacements[id] ?? items[id] }
    }

    // The objects of an app in these are its own to share.
    let settings = UncheckedMutex(Settings())
    let objects = UncheckedMutex(Objects())
    private let box = DriverBox()
    private var driver: MetadataQueryDriver { box.driver }

    /// A query without a predicate, which finds nothing yet.
    public override convenience init() { self.init(source: MetadataSources.current) }

    init(source: any MetadataSource) {
        super.init()
        box.set(
            MetadataQueryDriver(
                source: source, publish: { [weak self] in self?.publish($0) }, post: { [weak self] in self?.post($0) }))
    }

    // MARK: Settings

    /// Which items are results. Required. Setting this, or another property that decides over the results, starts a
    /// running query anew.
    open var predicate: NSPredicate? {
        get { settings.withLock { $0.predicate } }
        set { change { $0.predicate = newValue } }
    }

    /// The order of the results: made with ``Foundation/NSSortDescriptor/init(key:ascending:)``, or with a key path of
    /// ``NSMetadataItem``. Another one is a mistake of the program (``BatonExceptions``).
    open var sortDescriptors: [NSSortDescriptor] {
        get { settings.withLock { $0.sortDescriptors } }
        set {
            guard newValue.allSatisfy(\.comparesItems) else {
                BatonExceptions.raiseInvalidArgument(
                    "A query sorts by attributes. Make its sort descriptors with init(key:ascending:).")
                return
            }
            change { $0.sortDescriptors = newValue }
        }
    }

    /// Where to search: ``NSMetadataQueryUbiquitousDocumentsScope`` and the other constants, or directories as URLs or
    /// absolute paths. Empty for everything that the app may see. Constants and directories at once are a mistake of
    /// the program (``BatonExceptions``), as is anything else.
    open var searchScopes: [Any] {
        get { settings.withLock { $0.searchScopes } }
        set {
            guard SearchScopes.scopes(newValue) != nil else {
                BatonExceptions.raiseInvalidArgument(
                    "The search scopes of a query must all be ubiquitous ones, or all directories: file URLs or "
                        + "absolute paths.")
                return
            }
            change { $0.searchScopes = newValue }
        }
    }

    /// Restricts the results to these: `NSMetadataItem`s, or file URLs. Nil for no restriction.
    open var searchItems: [Any]? {
        get { settings.withLock { $0.searchItems } }
        set { change { $0.searchItems = newValue } }
    }

    /// The attributes of ``valueLists``.
    open var valueListAttributes: [String] {
        get { settings.withLock { $0.valueListAttributes } }
        set { settings.withLock { $0.valueListAttributes = newValue } }
    }

    /// The attributes of ``groupedResults``: each group of the first is divided by the second, and so on.
    open var groupingAttributes: [String]? {
        get { settings.withLock { $0.groupingAttributes } }
        set { settings.withLock { $0.groupingAttributes = newValue } }
    }

    /// For how many seconds changes are gathered before they are announced; 1 at first. Negative values count as 0.
    open var notificationBatchingInterval: TimeInterval {
        get { settings.withLock { $0.batchingInterval } }
        set {
            settings.withLock { $0.batchingInterval = newValue }
            driver.handle(.setBatchingInterval(Self.duration(newValue)))
        }
    }

    /// Where notifications are posted, and results change. Nil for the main queue. Takes effect at the next start.
    open var operationQueue: OperationQueue? {
        get { settings.withLock { $0.operationQueue } }
        set { settings.withLock { $0.operationQueue = newValue } }
    }

    /// Puts other objects and values in the place of the query's.
    open weak var delegate: (any NSMetadataQueryDelegate)? {
        get { settings.withLock { $0.delegate } }
        set { settings.withLock { $0.delegate = newValue } }
    }

    private func change(_ body: (inout Settings) -> Void) {
        settings.withLock(body)
        guard isStarted else { return }
        stop()
        start()
    }

    // MARK: Running

    /// Begins to gather (D-28).
    /// - Returns: false if the query has no predicate, or has been started.
    @discardableResult open func start() -> Bool {
        let settings = settings.withLock { $0 }
        guard let predicate = settings.predicate, !isStarted, let scopes = SearchScopes.scopes(settings.searchScopes)
        else { return false }
        objects.withLock { $0 = Objects() }
        let configuration = QueryStateMachine.Configuration(
            matches: QueryMatching.matches(predicate, items: settings.searchItems),
            order: QueryMatching.order(settings.sortDescriptors),
            batchingInterval: Self.duration(settings.batchingInterval))
        driver.start(configuration, scopes: scopes, queue: settings.operationQueue)
        return true
    }

    /// Ends the query (D-29). The results stay, with all that was found until now; starting again discards them.
    open func stop() { driver.stop() }

    /// Whether ``start()`` was called, and ``stop()`` not since.
    open var isStarted: Bool { driver.phase != .stopped }
    /// Whether the query still gathers what there was when it began.
    open var isGathering: Bool { driver.phase == .gathering }
    /// Whether the query was stopped, or never started.
    open var isStopped: Bool { driver.phase == .stopped }

    /// Holds the results as they are until ``enableUpdates()`` was called as often (D-29). Starting enables them.
    open func disableUpdates() { driver.handle(.disableUpdates) }

    /// Undoes one ``disableUpdates()``.
    open func enableUpdates() { driver.handle(.enableUpdates) }

    private static func duration(_ interval: TimeInterval) -> Duration {
        interval > 0 ? .seconds(min(interval, 1_000_000)) : .zero
    }

    // MARK: Deliveries

    private func publish(_ records: [MetadataRecord]) {
        let new = objects.withLock { objects -> [NSMetadataItem] in
            var new: [NSMetadataItem] = []
            for record in records {
                if let item = objects.items[record.id] {
                    item.record = record
                } else {
                    let item = NSMetadataItem(record)
                    objects.items[record.id] = item
                    new.append(item)
                }
            }
            return new
        }
        if let delegate {
            for item in new {
                let object = delegate.metadataQuery(self, replacementObjectForResultObject: item)
                objects.withLock { $0.replacements[item.record.id] = object }
            }
        }
        objects.withLock { $0.results = records }
    }

    private func post(_ notification: QueryNotification) {
        let (name, changes): (NSNotification.Name, QueryChanges?) =
            switch notification {
            case .didStartGathering: (.NSMetadataQueryDidStartGathering, nil)
            case .gatheringProgress(let changes): (.NSMetadataQueryGatheringProgress, changes)
            case .didFinishGathering: (.NSMetadataQueryDidFinishGathering, nil)
            case .didUpdate(let changes): (.NSMetadataQueryDidUpdate, changes)
            }
        let userInfo = changes.map { changes in
            objects.withLock { objects in
                [
                    NSMetadataQueryUpdateAddedItemsKey: changes.added.compactMap { objects.object($0.id) },
                    NSMetadataQueryUpdateChangedItemsKey: changes.changed.compactMap { objects.object($0.id) },
                    NSMetadataQueryUpdateRemovedItemsKey: changes.removed.compactMap { objects.object($0.id) },
                ] as [AnyHashable: Any]
            }
        }
        NotificationCenter.default.post(name: name, object: self, userInfo: userInfo)
        guard let changes else { return }
        objects.withLock { objects in
            let kept = Set(objects.results.map(\.id))
            for record in changes.removed where !kept.contains(record.id) {
                objects.items[record.id] = nil
                objects.replacements[record.id] = nil
            }
        }
    }
}

/// Holds the driver, which refers to its query and so is made after it.
private final class DriverBox: Sendable {
    private let stored = Mutex<MetadataQueryDriver?>(nil)

    var driver: MetadataQueryDriver {
        stored.withLock { stored in
            if let stored { return stored }
            let driver = MetadataQueryDriver(source: UbiquityMetadataSource(), publish: { _ in }, post: { _ in })
            stored = driver
            return driver
        }
    }

    func set(_ driver: MetadataQueryDriver) { stored.withLock { $0 = driver } }
}
