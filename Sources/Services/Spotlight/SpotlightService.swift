import BatonConcurrency
package import BatonCore
import BatonStore
import Foundation
import GRDB
package import SearchText
import ServiceLifecycle
import Synchronization

/// The search of this device: activities, items of apps, documents, pages. See docs/search.md.
///
/// Changes of apps are journaled first, and indexed by one task. All stays on the device.
package final class SpotlightService: Service {
    struct State {
        /// Greater with each change of the index.
        var generation = 0
        var vocabulary = Vocabulary()
        var vocabularyGeneration = -1
        var vocabularyTime: UInt64 = 0
        /// Something was deleted since the files were purged.
        var hasDeleted = false
        var lastPurge: UInt64 = 0
        /// Apps that are being asked to index again.
        var asking: Set<ItemOwner> = []
        var reindexRound = ReindexRound()
        var indexing: IndexingTurns
        var hasActivityChange = false
        /// Apps of which something was refused since there was no room, and nothing taken after that. Bound: ``maximumFull``.
        var full: Set<ItemOwner> = []
        var isOnBattery: @Sendable () -> Bool = { false }
    }

    /// Its own files in the daemon's data directory.
    package struct Files: Sendable {
        package var index: String
        package var journal: String

        package init(directory: String) {
            index = directory + "/search.sqlite"
            journal = directory + "/search-journal.sqlite"
        }
    }

    let file: IndexFile
    let journal: IndexJournal
    let apps: any SpotlightApps
    let activities: any SpotlightActivities
    let opener: any SpotlightOpener
    let recorder: any EventRecorder
    let clock: WallClock
    let limits: SpotlightLimits
    let protection: any SpotlightProtection
    let ranking: RankingParameters
    /// Items of the class `.complete`.
    let protected: ProtectedIndex
    /// The person's.
    package let language: TextLanguage
    let state: Mutex<State>
    /// Requests to index. One element: what waits is read when it is handled.
    private let work = Signal()
    /// Apps are to index again. One element, as above.
    let reindexing = Signal()
    /// Writers of the index come one after the other, so that each sees what it compared with.
    let turns = AsyncSemaphore(1)
    let queryTurns = QueryTurns()

    /// Deleted words leave the files after so long, if nothing makes it sooner. An hour.
    static let purgeInterval: UInt64 = 3_600_000
    /// Policy: further apps are not named.
    private static let maximumFull = 100

    /// Opens the files, made if need be. Blocks.
    package init(
        files: Files, apps: any SpotlightApps, activities: any SpotlightActivities, opener: any SpotlightOpener,
        language: TextLanguage, recorder: any EventRecorder, limits: SpotlightLimits = .init(),
        clock: WallClock = .system, protection: any SpotlightProtection,
        ranking: RankingParameters = SearchEngine.ranking
    ) throws {
        let journal = try IndexJournal(path: files.journal)
        self.journal = journal
        let (file, isNew) = try IndexFile.open(files.index) { try Self.requestReindexing(of: apps, in: journal) }
        self.file = file
        self.apps = apps
        self.activities = activities
        self.opener = opener
        self.language = language
        self.recorder = recorder
        self.limits = limits
        self.clock = clock
        self.protection = protection
        self.ranking = ranking
        protected = ProtectedIndex(journal, protection: protection, limits: limits, language: language)
        state = Mutex(State(lastPurge: clock.milliseconds, indexing: IndexingTurns(now: clock.milliseconds)))
        if isNew { recorder.record("search", "index_made", "The index of search is new, and is filled.", [:]) }
        work.send()
        reindexing.send()
    }

    /// Whether the device is unlocked.
    func isUnlocked() -> Bool { protection.isAvailable }

    /// The index was lost: an app with a client state believes that its items are still there.
    private static func requestReindexing(of apps: any SpotlightApps, in journal: IndexJournal) throws {
        try journal.database.writeBlocking { db in
            try db.execute(
                sql: "INSERT OR IGNORE INTO reindex (team, bundle_id) SELECT DISTINCT team, bundle_id FROM client_state"
            )
        }
        let extended = apps.indexExtensions()
        try journal.database.writeBlocking { db in
            for owner in extended.map(ItemOwner.init) {
                try db.execute(
                    sql: "INSERT OR IGNORE INTO reindex (team, bundle_id) VALUES (?, ?)",
                    arguments: [Data(owner.team), owner.bundleID])
            }
        }
    }

    /// Indexes what is journaled, and deletes what has expired, until it is cancelled or shut down gracefully.
    package func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { [self] in await reindexApps() }
                for await _ in work.stream { await round() }
                group.cancelAll()
            }
        }
    }

    /// The scope that may be searched now: on a locked device nothing that only an unlocked one may read.
    func scope(
        owner: ItemOwner? = nil, bundleID: String? = nil, sources: [SearchSource] = SearchSource.allCases
    ) -> SearchScope {
        SearchScope(
            owner: owner, bundleID: bundleID, sources: sources, now: clock.milliseconds, isLocked: !isUnlocked())
    }

    /// Closes the files. Blocks.
    package func close() {
        try? file.close()
        try? journal.close()
    }

    /// There is something to index, or to delete. Does not wait.
    package func wake() { work.send() }

    /// Apps came or went, or ended. Does not wait.
    package func appsChanged() { wake() }

    private func round() async {
        do {
            try await applyJournalWithinBudget()
            try await followActivities()
            try await removeAbandoned()
            try await removeExpired()
            if state.withLock({ $0.hasDeleted && clock.milliseconds >= $0.lastPurge &+ Self.purgeInterval }) {
                try await purge()
            }
        } catch is CancellationError {
        } catch {
            recorder.record(
                "search", "indexing_failed",
                "The waiting changes cannot be indexed. They stay in the journal, and are tried again with the next change.",
                ["error": "\(error)"])
        }
    }

    func noteRoom(_ owner: ItemOwner, isFull: Bool) {
        state.withLock { state in
            if !isFull {
                state.full.remove(owner)
            } else if state.full.count < Self.maximumFull {
                state.full.insert(owner)
            }
        }
    }

    /// Names of apps that have as much in the index as they may, and gave more.
    package var appsWithoutRoom: [String] {
        state.withLock { $0.full }.compactMap(\.app).map { apps.name(of: $0) }.sorted()
    }

    func changed(deleted: Bool) {
        state.withLock { state in
            state.generation += 1
            if deleted { state.hasDeleted = true }
        }
    }

    /// No deleted word is in a file when this returns.
    func purge() async throws {
        try await turns.withPermit { try await file.purge() }
        try await BlockingQueue("development.baton.search-journal").run { [journal] in try journal.purge() }
        state.withLock { state in
            state.hasDeleted = false
            state.lastPurge = clock.milliseconds
            state.vocabulary = Vocabulary()
            state.vocabularyGeneration = -1
        }
    }

    // MARK: Cleaning

    private func removeExpired() async throws {
        let now = Int64(clamping: clock.milliseconds)
        let count = try await turns.withPermit {
            try await file.write { db in
                var writer = IndexWriter(db)
                try writer.delete("expires <= ?", [now])
                return writer.deleted
            } + protected.change { try $0.delete("expires <= ?", [now]) }
        }
        try await journal.removeExpiredSealed(clock.milliseconds)
        if count > 0 { changed(deleted: true) }
    }

    private func removeAbandoned() async throws {
        let owners = Set(try await file.read { try IndexUsage.owners($0) } + journal.owners())
        for owner in owners {
            guard let app = owner.app, !apps.isKept(app) else { continue }
            try await appRemoved(app)
        }
    }

    /// Returns when nothing of the app is in the index.
    package func appRemoved(_ app: AppIdentity) async throws {
        let owner = ItemOwner(app)
        noteRoom(owner, isFull: false)
        try await journal.forget(owner)
        let count = try await turns.withPermit {
            try await file.write { db in
                var writer = IndexWriter(db)
                try writer.delete(ItemOwner.items, owner.columns)
                try db.execute(
                    sql: "DELETE FROM choice WHERE team = ? AND bundle_id = ?", arguments: owner.columns)
                // Texts of an app that had nothing else have to be purged as well.
                return writer.deleted + db.changesCount
            } + protected.change { try $0.delete(ItemOwner.items, owner.columns) }
        }
        guard count > 0 else { return }
        changed(deleted: true)
        recorder.record(
            "search", "app_removed", "Items of an app that is gone were deleted from the index.",
            ["bundle_id": app.bundleID.rawValue, "count": "\(count)"])
    }

    /// Deletes the items of each app that has something in the index but is gone; awaited when an app was uninstalled. A failure is recorded.
    package func appsRemoved() async {
        do {
            try await removeAbandoned()
        } catch {
            recorder.record(
                "search", "removal_failed", "Items of removed apps could not be deleted; will retry when apps change.",
                ["error": "\(error)"])
        }
    }
}
