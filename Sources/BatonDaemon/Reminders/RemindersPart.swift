import AppSessions
import BatonCore
import BatonStore
import BatonTransport
import Devices
import Handoff
import LaunchServices
import Notices
import Opening
import People
import Reminders
import ServiceLifecycle

/// Reminders that lead back to what they were made from.
struct RemindersPart: DaemonPart {
    static let migrations = Reminders.migrations

    let reminders: Reminders
    /// Show what reminders say. Filled by the part of notices, which comes after everything that syncs.
    let notices = Hooks<@Sendable (NoticeInput) -> Void>()
    /// Say why what a reminder waits for may never happen. Filled by the part of context.
    let doubts = Hooks<@Sendable (ReminderTrigger) -> String?>()
    /// Reads when a reminder is to come, in words and for a time zone. Filled by the part of requests.
    let words = Hooks<RemindersHarness.Words>()
    private let answered: AsyncStream<(id: String, answer: ReminderNoticeAnswer)>.Continuation
    private let accountChanged: @Sendable () async -> Void
    private let followers: [any Service]

    init(_ daemon: DaemonComposition) async throws {
        let apps = try daemon.part(AppsPart.self)
        let sessions = try daemon.part(SessionsPart.self).sessions
        let settings = try daemon.part(SettingsPart.self).settings
        let opening = try daemon.part(OpeningPart.self)
        let account = try daemon.part(DevicesPart.self).account
        let reminders = Reminders(
            database: daemon.database,
            folders: Self.folders(settings.values(of: .remindersFolder), daemon.options.locations.data),
            apps: RemindingApps(
                launchServices: apps.launchServices,
                saving: SavingApps(launchServices: apps.launchServices, sessions: sessions, recorder: daemon.log),
                opening: opening.service, people: try daemon.part(PeoplePart.self).service,
                development: apps.developmentApps),
            activities: ReminderActivityAdapter(handoff: try daemon.part(HandoffPart.self).handoff),
            notices: ReminderNoticeAdapter(receivers: notices),
            device: { account.snapshot()?.deviceID.rawValue ?? "" },
            account: {
                guard let snapshot = account.snapshot(), snapshot.standing == .member else { return nil }
                return snapshot.accountID.rawValue
            }, recorder: daemon.log)
        self.reminders = reminders
        accountChanged = { _ = try? await ReminderZones(reminders).zones() }
        opening.ownLinks.add { url in
            guard let id = ReminderAddress.id(url) else { return nil }
            let opened = try await reminders.open(id)
            return OpeningService.Outcome(app: opened.bundleID, isHandled: opened.isHandled)
        }
        // One at a time; at most as many as there are notices.
        let (answers, answered) = AsyncStream.makeStream(
            of: (id: String, answer: ReminderNoticeAnswer).self, bufferingPolicy: .bufferingNewest(64))
        self.answered = answered
        followers = [
            EventFollower(answers) { [log = daemon.log] id, answer in
                do {
                    switch answer {
                    case .open:
                        reminders.closed(id)
                        _ = try await reminders.open(id)
                    case .done: _ = try await reminders.finish(id)
                    case .snooze: _ = try await reminders.snooze(id)
                    case .closed: reminders.closed(id)
                    }
                } catch {
                    let message = (error as? BatonError)?.message ?? "\(error)"
                    log.record("reminders", "not_answered", "A reminder could not be answered. \(message)", [:])
                }
            },
            EventFollower(try daemon.part(PeoplePart.self).service.personsContacted()) { reminders.context($0) },
            EventFollower(settings.values(of: .notifications)) { value in
                reminders.allow(value != NoticePolicy.off.rawValue)
            },
            EventFollower(apps.launchServices.events()) { event in
                if case .launched(let bundleID, _, _) = event, let app = apps.launchServices.app(bundleID) {
                    reminders.context(.appOpened(app.identity))
                }
            },
        ]
        reminders.allow(settings.value(of: .notifications) != NoticePolicy.off.rawValue)
        try await reminders.start()
    }

    /// The person answered a notice. Does not block.
    func answer(_ id: String, _ answer: ReminderNoticeAnswer) { answered.yield((id, answer)) }

    var zones: [SyncedZones] {
        [
            SyncedZones(
                source: ReminderZones(reminders), prepare: accountChanged,
                connect: { [reminders] in reminders.connect(to: $0) })
        ]
    }

    func registerLocal(on router: inout ConnectRouter) {
        let harness = RemindersHarness(
            reminders, doubt: { [doubts] trigger in doubts.all.lazy.compactMap { $0(trigger) }.first },
            words: { [words] text, timeZone in
                guard let read = words.all.first else {
                    throw BatonError(.internal, reason: "part_missing", "Nothing here reads times in words.")
                }
                return try await read(text, timeZone)
            })
        harness.register(on: &router)
    }

    var services: [any Service] { followers + [reminders] }

    /// - Parameter data: where Baton keeps what it has.
    private static func folders(_ values: AsyncStream<String>, _ data: String) -> AsyncStream<String> {
        AsyncStream { continuation in
            // Ends with the settings' stream, which ends with the daemon.
            let task = Task {
                for await value in values {
                    continuation.yield(value == Setting.defaultFolder ? data + "/reminders" : value)
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
