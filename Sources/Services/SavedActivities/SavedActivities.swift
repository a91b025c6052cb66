import BatonConcurrency
package import BatonCore
package import BatonStore
package import BatonTransport
package import BatonWire
import ServiceLifecycle
import Synchronization

/// The apps of this device, as saved activities need them.
package protocol SavedActivityApps: Sendable {
    /// The app that a session belongs to.
    /// - Throws: `not_found` for a session that is not attached, `permission_denied` for another process's.
    func app(of sessionID: String, caller: AdmittedCaller) throws -> AppIdentity
    /// Whether the app can hear about its saved activities: installed, or a program in development that is attached.
    ///
    /// Must neither wait nor use the database: it is asked within a transaction.
    func isPresent(_ app: AppIdentity) -> Bool
    /// For people; the bundle identifier when there is no other.
    func name(of app: AppIdentity) -> String
    /// Starts the app if need be, and lets it continue the activity.
    /// - Returns: whether it said that it handled it.
    func open(_ payload: Baton_Value_V1_ActivityPayload, with app: AppIdentity) async throws -> Bool
}

/// Keeps the activities that apps have saved on this device, for search and suggestions (H-14, H-37).
///
/// Each app sees, replaces and deletes only its own activities, by bundle identifier and the whole fingerprint of its
/// team. An app's activities are deleted when the app is uninstalled; those of a program in development, when it is no
/// longer attached, since nothing proves at the next start that it is the same program. All is in the daemon's
/// database, nothing leaves the device.
package final class SavedActivities: Service {
    private let store: SavedActivityStore
    private let apps: any SavedActivityApps
    private let recorder: any EventRecorder
    private let clock: WallClock
    private let limits: SavedActivityLimits
    /// Activities were saved or deleted.
    private let news = Broadcaster<Void>(.newest)
    /// Requests to look for activities to delete. One element: the list of apps is read when it is handled.
    private let changed = Signal()

    /// Migrations of this module's tables in the daemon's database.
    package static var migrations: [DaemonDatabase.Migration] { SavedActivityStore.migrations }

    /// - Parameter database: opened with ``migrations``.
    package init(
        database: DaemonDatabase, apps: any SavedActivityApps, recorder: any EventRecorder,
        limits: SavedActivityLimits = .init(), clock: WallClock = .system
    ) {
        store = SavedActivityStore(database: database, limits: limits)
        self.apps = apps
        self.recorder = recorder
        self.limits = limits
        self.clock = clock
        // Deletes activities that an earlier daemon left behind.
        changed.send()
    }

    /// Deletes what apps have left behind, until it is cancelled or shut down gracefully.
    package func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            for await _ in changed.stream { await appsRemoved() }
        }
    }

    /// An app was uninstalled: returns when its activities are deleted on the disk. A failure is recorded.
    package func appsRemoved() async {
        do {
            try await removeAbandoned()
        } catch {
            recorder.record(
                "saved_activities", "removal_failed",
                "Could not delete activities saved by removed apps; will retry when apps change.",
                ["error": "\(error)"])
        }
    }

    /// An app was installed, upgraded or uninstalled, or a program in development has ended. Does not wait.
    package func appsChanged() { changed.send() }

    package func removeAbandoned() async throws {
        let count = try await store.removeAbandoned(now: clock.milliseconds, isPresent: apps.isPresent)
        guard count > 0 else { return }
        news.send(())
        recorder.record(
            "saved_activities", "removed", "Saved activities of apps that are gone were deleted.",
            ["count": "\(count)"])
    }

    // MARK: Apps

    package func save(_ request: Baton_App_V1_SaveForSearchRequest, by caller: AdmittedCaller) async throws {
        let app = try apps.app(of: request.sessionID, caller: caller)
        _ = try ActivityDescription(request.payload.description_p)
        let activity = try SavedActivityRules.activity(
            request, of: app, id: .random(), now: clock.milliseconds, limits: limits)
        // Given a date that has passed, it is not to be found any more: what was saved of it before must not be either.
        defer { news.send(()) }
        guard activity.expires > activity.saved else { return try await store.deleteSame(as: activity) }
        try await store.save(activity)
        // It may have ended while this was written.
        if app.team.isDevelopment, !apps.isPresent(app) { appsChanged() }
        recorder.record(
            "saved_activities", "saved", "An activity was saved on this device.",
            ["bundle_id": app.bundleID.rawValue, "activity_type": request.payload.description_p.activityType])
    }

    /// Returns when it is on the disk that they are gone.
    package func delete(_ request: Baton_App_V1_DeleteSavedActivitiesRequest, by caller: AdmittedCaller) async throws {
        let app = try apps.app(of: request.sessionID, caller: caller)
        guard request.persistentIdentifiers.count <= limits.maximumDeletions else {
            throw BatonError(
                .invalidArgument, reason: "too_many_identifiers",
                "At most \(limits.maximumDeletions) saved activities can be deleted by identifier at once.")
        }
        defer { news.send(()) }
        if request.all {
            try await store.deleteAll(of: app)
        } else {
            try await store.delete(request.persistentIdentifiers, of: app)
        }
    }

    // MARK: Search

    /// Each time that activities were saved or deleted.
    package func changesOfActivities() -> AsyncStream<Void> { news.subscribe() }

    /// Identifiers of those that people may search. One that is saved again has another.
    package func searchable() async throws -> [String] { try await store.searchable(now: clock.milliseconds) }

    package func activities(_ identifiers: [String]) async throws -> [SavedActivity] {
        try await store.activities(identifiers)
    }

    package func delete(saved identifiers: [String]) async throws {
        try await store.delete(saved: identifiers)
        news.send(())
    }

    /// - Parameter app: nil for all apps.
    package func deleteAll(of app: AppIdentity?, savedSince time: UInt64) async throws -> Int {
        defer { news.send(()) }
        return try await store.deleteAll(of: app, savedSince: time)
    }

    // MARK: People

    /// The newest first; with a query only those that the app lets people search.
    package func activities(
        matching query: String = "", bundleID: String? = nil, limit: Int = 100
    ) async throws -> [SavedActivity] {
        let expression = SavedActivityRules.expression(for: query)
        // Something was asked for that no word can be: nothing has it.
        if expression == nil, !query.allSatisfy(\.isWhitespace) { return [] }
        return try await store.activities(
            matching: expression, bundleID: bundleID, limit: max(1, min(limit, 1000)), now: clock.milliseconds
        ).filter { apps.isPresent($0.app) }
    }

    package func name(of app: AppIdentity) -> String { apps.name(of: app) }

    /// Lets the app continue what it had saved, starting it if need be.
    ///
    /// - Parameter selector: the identifier, or a unique beginning of it.
    /// - Returns: whether the app handled it.
    package func open(_ selector: String) async throws -> Bool {
        let prefix = selector.uppercased()
        let matches =
            prefix.isEmpty ? [] : try await store.activities(beginning: prefix, now: clock.milliseconds)
        guard let activity = matches.first else {
            throw BatonError(
                .notFound, reason: "no_such_saved_activity",
                "There is no saved activity “\(selector.prefix(40))”. “baton activities --saved” lists them.")
        }
        guard matches.count == 1 else {
            throw BatonError(
                .invalidArgument, reason: "ambiguous_saved_activity",
                "“\(selector.prefix(40))” is the beginning of several saved activities. Give more of it.")
        }
        var payload = activity.payload
        // The object that could have answered is gone.
        payload.description_p.supportsContinuationStreams = false
        return try await apps.open(payload, with: activity.app)
    }
}
