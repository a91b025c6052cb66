import BatonConcurrency
package import BatonCore
package import BatonStore
import BatonTransport
import BatonWire
import ServiceLifecycle
import SwiftProtobuf

/// A medium whose playing an app has donated.
package struct DonatedMedia: Sendable, Hashable {
    package var app: AppIdentity
    /// The app's own; the container's for a list.
    package var identifier: String
    package var title: String
    package var artist: String
    /// By the numbers of `INMediaItemType`.
    package var type: Int
    /// The interaction's, to play it again.
    package var interaction: String
    /// Milliseconds since 1970.
    package var time: UInt64
}

/// The interactions that apps donate, and the people with whom they were done (P-48 to P-55).
///
/// Each app sees, replaces and deletes only its own interactions, by bundle identifier and the whole fingerprint of its team.
/// They are deleted when the app is uninstalled. Names and addresses in them are the app's claims: they bring the app onto a
/// card, and never change the card. All is in the daemon's database, and nothing leaves the device.
package final class PeopleService: Service {
    let store: InteractionStore
    let contacts: any PeopleContacts
    let apps: any PeopleApps
    let recorder: any EventRecorder
    let clock: WallClock
    let limits: InteractionLimits
    /// Messages and calls, once for each address of the person; a follower that is further behind loses the oldest.
    private let contacted = Broadcaster<ContextEvent>(.latest(1024))
    private let played = Broadcaster<DonatedMedia>(.latest(64))
    let shortcutChanges = Broadcaster<Void>(.newest)
    /// Requests to look for what apps have left behind. One element: the list of apps is read when it is handled.
    private let changed = Signal()

    /// Migrations of this module's tables in the daemon's database.
    package static var migrations: [DaemonDatabase.Migration] { InteractionStore.migrations }

    /// An older donation, as an app makes that catches up, is not announced to others.
    private static let newsAge: UInt64 = 10 * 60_000

    /// - Parameter database: opened with ``migrations``.
    package init(
        database: DaemonDatabase, contacts: any PeopleContacts, apps: any PeopleApps, recorder: any EventRecorder,
        limits: InteractionLimits = .init(), clock: WallClock = .system
    ) {
        store = InteractionStore(database: database, limits: limits)
        self.contacts = contacts
        self.apps = apps
        self.recorder = recorder
        self.limits = limits
        self.clock = clock
        // Deletes what an earlier daemon left behind.
        changed.send()
    }

    /// Deletes what apps have left behind, until it is cancelled or shut down gracefully.
    package func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            for await _ in changed.stream { await appsRemoved() }
        }
    }

    /// An app was uninstalled: returns when its interactions are deleted on the disk. A failure is recorded.
    package func appsRemoved() async {
        do {
            let apps = apps
            let count = try await store.removeAbandoned { apps.isKept($0) }
            shortcutChanges.send(())
            if count > 0 { note("removed", "Interactions of apps that are gone were deleted.", ["count": "\(count)"]) }
        } catch {
            note(
                "removal_failed", "Could not delete interactions of removed apps; will retry when apps change.",
                ["error": "\(error)"])
        }
    }

    /// An app was installed, upgraded or uninstalled, or a program in development has ended. Does not wait.
    package func appsChanged() { changed.send() }

    // MARK: Apps

    /// Returns when it is on the disk.
    /// - Parameter isInFront: whether the app says so with it, for an app that shows nothing has not said so before.
    func donate(
        _ interaction: Baton_Value_V1_Interaction, from app: AppIdentity, isInFront: Bool = false
    ) async throws {
        try InteractionRules.check(interaction, limits)
        let intent = try DonatedIntent(interaction)
        let now = clock.milliseconds
        let time = InteractionRules.time(of: interaction, now: now)
        try await store.save(interaction, intent, of: app, time: time, now: now)
        // It may have ended while this was written.
        if app.team.isDevelopment, !apps.isKept(app) { appsChanged() }
        note(
            "donated", "An app has donated an interaction.",
            [
                "bundle_id": app.bundleID.rawValue, "intent": intent.className,
            ])
        guard now - min(now, time) <= Self.newsAge else { return }
        if intent.action != nil, !intent.isIncoming { tellContacts(intent, from: app, isInFront: isInFront) }
        if let media = Self.media(StoredInteraction(app: app, message: interaction, time: time)) { played.send(media) }
    }

    /// A contact is the app's word alone, so it counts only while the person uses that app: where it says that it
    /// is in front, and no other app does. One that said that it left says first that it is back: a donation alone is no return.
    private func tellContacts(_ intent: DonatedIntent, from app: AppIdentity, isInFront: Bool) {
        let isClaimed = isInFront && !apps.thatLeft().contains(app)
        guard apps.inFront().union(isClaimed ? [app] : []) == [app] else {
            return note(
                "contact_not_told", "A contact that an app reported starts no reminder: only that app may be in front.",
                ["bundle_id": app.bundleID.rawValue])
        }
        let directory = PeopleDirectory(contacts: contacts, apps: [], donations: [])
        let name = apps.name(of: app)
        let contact: PersonContact = intent.action == .message ? .message : .call
        for (person, _) in intent.persons {
            for handle in directory.handles(of: person) {
                contacted.send(
                    .personContacted(handle: handle, by: contact, app: name.isEmpty ? app.bundleID.rawValue : name))
            }
        }
    }

    /// Returns when it is on the disk that they are gone.
    func delete(_ request: Baton_App_V1_DeleteInteractionsRequest, from app: AppIdentity) async throws {
        switch request.which {
        case .identifiers(let identifiers)?:
            guard identifiers.values.count <= limits.deletions else {
                throw BatonError(
                    .invalidArgument, reason: "too_many_identifiers",
                    "At most \(limits.deletions) interactions can be deleted by identifier at once.")
            }
            try await store.delete(.identifiers(identifiers.values), of: app)
        case .groupIdentifier(let group)?: try await store.delete(.group(group), of: app)
        case .all(true)?: try await store.delete(.all, of: app)
        case .all(false)?, nil:
            throw BatonError(.invalidArgument, reason: "nothing_named", "Say which interactions are to be deleted.")
        }
    }

    /// As `CSSearchableIndex.deleteAllSearchableItems` does: donations and what is indexed go together.
    package func deleteAll(of app: AppIdentity) async throws { try await store.delete(.all, of: app) }

    // MARK: Others

    /// Each message and call that an app donates when it happens: every address of the person, the one that was used first, so that
    /// who waits for one of them hears of it whichever was used.
    package func personsContacted() -> AsyncStream<ContextEvent> { contacted.subscribe() }

    /// Each medium that an app donates when it plays.
    package func mediaPlayed() -> AsyncStream<DonatedMedia> { played.subscribe() }

    /// The media played last, the newest first.
    /// - Parameter app: nil for all apps.
    package func latestMedia(of app: AppIdentity? = nil, limit: Int = 100) async throws -> [DonatedMedia] {
        try await store.interactions(ofClass: IntentName.playMedia, of: app, limit: max(1, min(limit, 2000)))
            .compactMap(Self.media).filter { apps.isKept($0.app) }
    }

    /// Has the app play a medium again.
    /// - Returns: whether it said that it handled it.
    package func play(_ media: DonatedMedia) async throws -> Bool {
        guard let stored = try await store.interaction(media.interaction, of: media.app) else {
            throw BatonError(
                .notFound, reason: "no_such_interaction", "The app has deleted its donation for this medium.")
        }
        return try await apps.deliver(Self.payload(stored.message), stored.message, to: media.app)
    }

    private static func media(_ stored: StoredInteraction) -> DonatedMedia? {
        guard let media = try? DonatedIntent(stored.message).media else { return nil }
        return DonatedMedia(
            app: stored.app, identifier: media.identifier, title: media.title, artist: media.artist, type: media.type,
            interaction: stored.message.identifier, time: stored.time)
    }

    // MARK: Forgetting

    package enum Forgetting: Sendable {
        case app(BundleID)
        case since(UInt64)
        case all
    }

    /// Returns when they are gone from the disk.
    /// - Returns: how many interactions went.
    package func forget(_ what: Forgetting) async throws -> Int {
        let count =
            switch what {
            case .app(let app): try await store.forget(bundleID: app.rawValue, donatedSince: 0)
            case .since(let time): try await store.forget(bundleID: nil, donatedSince: time)
            case .all: try await store.forget(bundleID: nil, donatedSince: 0)
            }
        shortcutChanges.send(())
        note("forgotten", "The person had interactions forgotten.", ["count": "\(count)"])
        return count
    }

    func note(_ event: String, _ message: String, _ fields: [String: String]) {
        recorder.record("people", event, message, fields)
    }
}
