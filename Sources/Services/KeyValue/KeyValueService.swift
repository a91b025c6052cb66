package import BatonCore
package import BatonStore
import BatonTransport
import BatonWire
import Foundation
import ServiceLifecycle
package import Sync
import Synchronization

/// Limits of counts.
package struct KeyValueBounds: Sendable {
    /// Stores on this device. At the limit, a store that is completely in the account is removed for a new one; if
    /// there is none, no store is made.
    package var stores = 256
    /// Processes and commands that read one store. More are refused.
    package var subscribersPerStore = 256
    /// Subscribers of one process; it needs one.
    package var subscribersPerProcess = 16
    /// Writes in one request.
    package var writes = 2048

    package init() {}
}

/// The key-value stores of this device's apps (K-1 to K-19).
///
/// Every process of an app has its own copy, which this service keeps up to date: reads never come here (K-11). Writes
/// of apps and changes from the account are on the disk before anybody is notified or answered (K-9).
/// ``KeyValueReplica`` resolves conflicts. The sync engine sends and receives, through ``KeyValueZones``.
package final class KeyValueService: Service {
    private struct Subscribers {
        var all: [SessionID: KeyValueSubscriber] = [:]
        var byStore: [KeyValueStoreName: Set<SessionID>] = [:]
    }

    /// Subscribers, and the trigger to call when there is something to send.
    private final class Audience: Sendable {
        let subscribers = Mutex(Subscribers())
        let trigger = Mutex<(any SyncTrigger)?>(nil)

        func isInUse(_ store: KeyValueStoreName) -> Bool { subscribers.withLock { $0.byStore[store] != nil } }

        func tell(_ transaction: StoreTransaction) {
            let told = subscribers.withLock { subscribers in
                transaction.news.flatMap { store, news in
                    (subscribers.byStore[store] ?? []).compactMap { subscribers.all[$0] }.map { ($0, news) }
                }
            }
            for (subscriber, news) in told { subscriber.tell(news) }
            guard let trigger = trigger.withLock({ $0 }) else { return }
            for store in transaction.removed.sorted() { trigger.removed(store.zone) }
            for store in transaction.opened.sorted() { trigger.opened(store.zone) }
            for store in transaction.pushes.sorted() { trigger.changed(store.zone) }
        }
    }

    let commitQueue: StoreCommitQueue
    let storage: KeyValueStorage
    let clock: WallClock
    let recorder: any EventRecorder
    let bounds: KeyValueBounds
    private let audience: Audience
    /// Processes whose refusal was recorded. Policy: the oldest is dropped, and recorded again.
    private let refused = Mutex<[PeerProcess]>([])
    private static let maximumRefused = 64

    /// Migrations of this module's tables in the daemon's database.
    package static var migrations: [DaemonDatabase.Migration] { KeyValueStorage.migrations }

    /// - Parameter database: opened with ``migrations``.
    package init(
        database: DaemonDatabase, recorder: any EventRecorder, bounds: KeyValueBounds = .init(),
        clock: WallClock = .system
    ) {
        let audience = Audience()
        self.audience = audience
        self.recorder = recorder
        self.bounds = bounds
        self.clock = clock
        storage = KeyValueStorage(database: database)
        commitQueue = StoreCommitQueue(
            storage: storage, maximumStores: bounds.stores, isInUse: { audience.isInUse($0) },
            onKept: { audience.tell($0) })
    }

    /// Sets the trigger that is called when there is something to send.
    package func connect(to trigger: any SyncTrigger) { audience.trigger.withLock { $0 = trigger } }

    /// A person looks at a store.
    func wanted(_ store: KeyValueStoreName) { audience.trigger.withLock { $0 }?.wanted(store.zone) }

    /// Has old removals deleted, until it is cancelled or shut down gracefully.
    package func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            while !Task.isCancelled {
                do {
                    try await forgetRemovals()
                } catch {
                    recorder.record(
                        "key_value", "removals_kept",
                        "Old removals of keys could not be deleted; tried again in a day.",
                        ["error": "\(error)"])
                }
                // Removals are kept for 90 days: a day more does no harm.
                try? await Task.sleep(for: .seconds(24 * 60 * 60))
            }
        }
    }

    /// On a device with an account, the cloud's copies go first.
    package func forgetRemovals() async throws {
        let wall = clock.milliseconds
        let oldest = wall - min(wall, KeyValueReplica.removalLifetime)
        try await commitQueue.perform { transaction in
            for name in try transaction.storage.storesWithRemovals(before: oldest) {
                try transaction.change(name) { replica throws(BatonError) in
                    let isWaiting = !replica.expiredRemovals(wall: wall).isEmpty
                    return ((), replica.forgetRemovals(wall: wall) + (isWaiting ? [.push] : []))
                }
            }
        }
    }

    // MARK: The account

    /// Sets the account that is signed in; nil for none. Returns when every store belongs to that account.
    /// - Parameter left: the accounts that the person made this device leave: their stores keep their values here.
    package func accountChanged(to account: KeyValueAccount?, left: Set<AccountID> = []) async throws {
        try await commitQueue.perform { transaction in
            (transaction.account, transaction.left) = (account, left)
            let changed = try transaction.storage.headers().filter { $0.phase.account != account?.account }.map(\.name)
            for name in Set(changed).union(transaction.stores.keys).sorted() { try transaction.reconcile(name) }
        }
    }

    /// Makes the stores of apps that were installed, so that what the account has is there before they are started.
    package func prepare(_ stores: Set<KeyValueStoreName>) async throws {
        try await commitQueue.perform { transaction in
            for store in stores.sorted() { _ = try transaction.open(store) }
        }
    }

    /// Creates no store.
    func holds(_ store: KeyValueStoreName) async throws -> Bool {
        try await commitQueue.perform { transaction in try transaction.find(store) != nil }
    }

    /// Removes a store and its unsent changes from this device. Other devices and the cloud keep their copies.
    /// - Throws: `failed_precondition` while a process or a command has it open.
    func delete(_ store: KeyValueStoreName) async throws {
        try await commitQueue.perform { transaction in
            guard !transaction.isInUse(store) else {
                throw BatonError(
                    .failedPrecondition, reason: "store_in_use",
                    "A program or a command has this key-value store open. End it, then try again.")
            }
            try transaction.delete(store)
        }
    }

    // MARK: Subscribers

    /// Says in the log why a program has no store (K-20), once for each process, which asks again and again.
    func noteRefusal(_ error: BatonError, of process: PeerProcess) {
        let isNew = refused.withLock { refused in
            guard !refused.contains(where: { $0.isSame(as: process) }) else { return false }
            if refused.count >= Self.maximumRefused { refused.removeFirst() }
            refused.append(process)
            return true
        }
        guard isNew else { return }
        recorder.record(
            "key_value", "store_refused", error.message,
            ["reason": error.reason, "process_id": String(process.processID)])
    }

    /// - Throws: `resource_exhausted`.
    func open(_ grant: KeyValueGrant, process: PeerProcess?) async throws -> KeyValueSubscriber {
        let subscriber = KeyValueSubscriber(grant: grant, process: process)
        try audience.subscribers.withLock { subscribers throws(BatonError) in
            let own = subscribers.all.values.count { other in
                process.map { other.process?.isSame(as: $0) == true } ?? false
            }
            guard own < bounds.subscribersPerProcess,
                subscribers.byStore[grant.store]?.count ?? 0 < bounds.subscribersPerStore
            else {
                throw BatonError(
                    .resourceExhausted, reason: "too_many_readers",
                    "Too many processes use this key-value store, or this one uses too many. A process needs it once.")
            }
            subscribers.all[subscriber.id] = subscriber
            subscribers.byStore[grant.store, default: []].insert(subscriber.id)
        }
        do {
            try await commitQueue.perform { _ = try $0.open(grant.store) }
            return subscriber
        } catch {
            close(subscriber)
            throw error
        }
    }

    func close(_ subscriber: KeyValueSubscriber) {
        audience.subscribers.withLock { subscribers in
            subscribers.all[subscriber.id] = nil
            let store = subscriber.grant.store
            subscribers.byStore[store]?.remove(subscriber.id)
            if subscribers.byStore[store]?.isEmpty == true { subscribers.byStore[store] = nil }
        }
        subscriber.end()
    }

    /// The updates due to a subscriber, in parts; empty when nothing is due.
    func news(for subscriber: KeyValueSubscriber) async throws -> [Baton_App_V1_KeyValueNews] {
        do {
            return try await commitQueue.perform { transaction in
                guard let kept = try transaction.find(subscriber.grant.store) else { throw StoreTransaction.unknown }
                return KeyValueNews(kept, subscriber.grant).parts(subscriber.takeDue())
            }
        } catch {
            subscriber.forget()
            throw error
        }
    }

    /// A subscriber answers to its own process only: another one that learned its handle gets nowhere.
    func subscriber(_ handle: String, of process: PeerProcess) throws(BatonError) -> KeyValueSubscriber {
        let id = try SessionID(validating: handle)
        guard let subscriber = audience.subscribers.withLock({ $0.all[id] }) else {
            throw BatonError(
                .notFound, reason: "unknown_store_handle", "The key-value store is not open (any more). Open it again.")
        }
        guard subscriber.process?.isSame(as: process) == true else {
            throw BatonError(
                .permissionDenied, reason: "other_process", "The key-value store was opened by another process.")
        }
        return subscriber
    }

    // MARK: Writing

    /// Takes writes of an app together. Returns when they are on the disk.
    func write(_ writes: [AppWrite], era: UInt64?, to grant: KeyValueGrant) async throws -> Answer {
        guard writes.count <= bounds.writes else {
            throw BatonError(
                .invalidArgument, reason: "too_many_writes",
                "At most \(bounds.writes) keys can be written at once. Write the others next.")
        }
        for write in writes {
            if let problem = grant.limits.problem(ofKey: write.key) { throw problem }
        }
        let wall = clock.milliseconds
        return try await commitQueue.perform { transaction in
            let results = try transaction.change(grant.store) { replica throws(BatonError) in
                replica.limits = grant.limits
                // A write to the store of the previous account is superseded with that store.
                let isGone = era.map { $0 != replica.era } ?? false
                var results: [Answer.Result] = []
                var actions: [KeyValueAction] = []
                for write in writes {
                    let outcome: KeyValueOutcome
                    if isGone {
                        outcome = .superseded
                    } else {
                        let (result, more) = try replica.write(write.resolved(in: replica), wall: wall)
                        outcome = result
                        actions += more
                    }
                    results.append(.init(outcome: outcome, slot: replica.slots[write.key]))
                }
                return (results, actions)
            }
            return Answer(revision: try transaction.find(grant.store)?.revision ?? 0, results: results)
        }
    }

    /// A write as an app asks for it.
    struct AppWrite: Sendable {
        var key: String
        var value: PropertyValue?
        var time: UInt64
        /// The version that the app had in view; nil for whatever is there.
        var replaces: Data?

        func resolved(in replica: KeyValueReplica) -> KeyValueWrite {
            let present = replica.slots[key].map { KeyValueWire.version(of: $0.entry.stamp) } ?? Data()
            return KeyValueWrite(
                key: key, value: value, time: time, isInformed: replaces.map { $0 == present } ?? true)
        }
    }

    struct Answer: Sendable {
        struct Result: Sendable {
            var outcome: KeyValueOutcome
            var slot: KeyValueReplica.Slot?
        }

        var revision: UInt64
        var results: [Result]
    }
}

extension KeyValueStoreName {
    /// Its zone in the account's cloud.
    package var zone: ZoneName { ZoneName(kind: .keyValue, name: rawValue) }

    /// Nil for another kind of zone.
    package init?(_ zone: ZoneName) {
        guard zone.kind == .keyValue else { return nil }
        self.init(rawValue: zone.name)
    }
}
