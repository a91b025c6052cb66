import BatonCore
import BatonStore
import BatonTransport
import ContextAwareness
import Reminders
import ServiceLifecycle

/// What happens around the person: headphones, cars, the lock, networks and places.
struct ContextPart: DaemonPart {
    let context: ContextService
    private let followers: [any Service]

    init(_ daemon: DaemonComposition) throws {
        let settings = try daemon.part(SettingsPart.self).settings
        let context = ContextService(
            environment: daemon.options.environment, folder: daemon.options.locations.data, recorder: daemon.log)
        self.context = context
        let remindersPart = try daemon.part(RemindersPart.self)
        let reminders = remindersPart.reminders
        remindersPart.doubts.add { trigger in trigger.awaited.flatMap { context.doubt(of: $0) } }
        followers = [
            EventFollower(context.events()) { reminders.context($0) },
            EventFollower(settings.values(of: .placesLocation)) { context.allowLocation($0 == "on") },
            EventFollower(settings.values(of: .placesGPSD)) { context.allowGPS($0 == "on") },
        ]
    }

    func registerLocal(on router: inout ConnectRouter) { ContextHarness(context).register(on: &router) }

    // What follows it ends before it.
    var services: [any Service] { [context] + followers }
}
