import BatonCore
import BatonStore
import BatonTransport
import ContextAwareness
import LaunchServices
import Opening
import Reminders
import ServiceLifecycle
import Spotlight

/// The surroundings of the person: headphones, cars, the lock, networks and places.
struct ContextPart: DaemonPart {
    static let migrations = [AppPermissions.migration("location-1", .location)]

    let context: ContextService
    private let location: LocationHarness
    private let followers: [any Service]

    init(_ daemon: DaemonComposition) async throws {
        let settings = try daemon.part(SettingsPart.self).settings
        let context = ContextService(
            environment: daemon.options.environment, folder: daemon.options.locations.data, recorder: daemon.log)
        self.context = context
        try daemon.part(SpotlightPart.self).service.followPower { context.surroundings.isOnBattery ?? false }
        let launchServices = try daemon.part(AppsPart.self).launchServices
        let question = PermissionQuestion(
            questions: try daemon.part(OpeningPart.self).questions, action: "know where this device is")
        location = LocationHarness(
            context,
            access: try await AppPermissions(
                .location, database: daemon.database, recorder: daemon.log, question: question.ask),
            app: { launchServices.app($0)?.identity ?? AppIdentity(bundleID: $0, team: .development) })
        let remindersPart = try daemon.part(RemindersPart.self)
        let reminders = remindersPart.reminders
        remindersPart.doubts.add { trigger in trigger.awaited.flatMap { context.doubt(of: $0) } }
        followers = [
            EventFollower(context.events()) { reminders.context($0) },
            EventFollower(settings.values(of: .placesLocation)) { context.allowLocation($0 == "on") },
            EventFollower(settings.values(of: .placesGPSD)) { context.allowGPS($0 == "on") },
        ]
    }

    func registerLocal(on router: inout ConnectRouter) {
        ContextHarness(context).register(on: &router)
        location.register(on: &router)
    }

    // The tasks that follow it end before it.
    var services: [any Service] { [context] + followers }
}
