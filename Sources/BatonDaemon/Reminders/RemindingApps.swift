import BatonCore
import BatonWire
import Handoff
import LaunchServices
import Notices
import Opening
import People
import Reminders

/// This device's apps, for reminders.
struct RemindingApps: ReminderApps {
    let launchServices: LaunchServices
    let saving: SavingApps
    let opening: OpeningService
    let people: PeopleService
    /// Attached programs in development, as they described themselves.
    let development: Hooks<@Sendable () -> [DevelopmentApp]>

    func continues(_ type: String, _ app: AppIdentity) -> Bool {
        let installed = launchServices.app(app.bundleID).flatMap { $0.identity == app ? $0.activityTypes : nil }
        // A program in development may run more than once.
        let types =
            app.team.isDevelopment
            ? development.all.flatMap { $0() }.filter { $0.identity == app }.flatMap(\.activityTypes)
            : Array(installed ?? [])
        return types.contains { $0.rawValue == type }
    }

    func open(_ payload: Baton_Value_V1_ActivityPayload, with app: AppIdentity) async throws -> Bool {
        try await saving.open(payload, with: app)
    }

    func open(page: WebPage) async throws { _ = try await opening.open(page.text, from: .person) }

    func app(named text: String) throws(BatonError) -> AppIdentity {
        if let bundleID = BundleID(rawValue: text), let app = launchServices.app(bundleID) { return app.identity }
        let named = launchServices.apps().filter { $0.name.lowercased() == text.lowercased() }
        guard let app = named.first, named.count == 1 else {
            throw BatonError(
                .notFound, reason: "app_not_found",
                "No installed app, or more than one, is called “\(text.shortened(toBytes: 80))”. “baton apps” lists them."
            )
        }
        return app.identity
    }

    func handle(named text: String) async throws -> String {
        let person = try await people.person(text)
        guard let handle = person.addresses.first?.value else {
            throw BatonError(
                .failedPrecondition, reason: "no_address",
                "\(person.name) has neither an e-mail address nor a telephone number by which a message or a call would be known."
            )
        }
        return handle
    }

    func name(of handle: String) -> String? { people.name(ofHandle: handle) }
}

/// The person's current activity, as Handoff knows it.
struct ReminderActivityAdapter: ReminderActivities {
    let handoff: HandoffService

    func current() async throws -> ReminderLink {
        let (app, payload) = try await handoff.currentActivity()
        return ReminderLink(app: app.identity, appName: app.name, payload: payload)
    }
}

/// The person's notices, for reminders.
struct ReminderNoticeAdapter: ReminderNotices {
    let receivers: Hooks<@Sendable (NoticeInput) -> Void>

    func show(_ reminder: ReminderSchedule, isMissed: Bool) {
        tell(
            .reminded(
                key: reminder.id, title: reminder.title,
                lines: reminder.lines + (isMissed ? ["This device was off, or busy, when it was due."] : []),
                canOpen: reminder.canOpen))
    }

    func close(_ id: String) { tell(.reminderEnded(key: id)) }

    private func tell(_ input: NoticeInput) {
        for receiver in receivers.all { receiver(input) }
    }
}
