import AppSessions
import BatonCore
import BatonStore
import BatonTransport
import BatonWire
import ContextAwareness
import LaunchServices
import Opening
import Reminders
import ServiceLifecycle
import Spotlight
import SwiftProtobuf

/// What happens around the person: headphones, cars, the lock, networks and places.
struct ContextPart: DaemonPart {
    let context: ContextService
    private let location: LocationHarness
    private let followers: [any Service]

    init(_ daemon: DaemonComposition) throws {
        let settings = try daemon.part(SettingsPart.self).settings
        let context = ContextService(
            environment: daemon.options.environment, folder: daemon.options.locations.data, recorder: daemon.log)
        self.context = context
        try daemon.part(SpotlightPart.self).service.followPower { context.surroundings.isOnBattery ?? false }
        let launchServices = try daemon.part(AppsPart.self).launchServices
        location = LocationHarness(
            context,
            access: LocationAccess(
                folder: daemon.options.locations.data,
                questions: LocationQuestionBoard(questions: try daemon.part(OpeningPart.self).questions),
                recorder: daemon.log),
            sessions: try daemon.part(SessionsPart.self).sessions,
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

    // What follows it ends before it.
    var services: [any Service] { [context] + followers }
}

/// Asks the person as apps without a terminal do.
private struct LocationQuestionBoard: LocationQuestions {
    private static let (allow, deny) = ("allow", "deny")

    let questions: QuestionService

    func mayLocate(app: AppIdentity, name: String) async throws -> Bool? {
        let question = Baton_App_V1_Question.with {
            $0.kind = .shareSheet
            $0.title = "May “\(name)” (\(app.bundleID)) know where this device is?"
            $0.options = [
                .with {
                    $0.id = Self.allow
                    $0.title = "Allow"
                },
                .with {
                    $0.id = Self.deny
                    $0.title = "Do not allow"
                },
            ]
        }
        for await answer in try questions.ask(question, from: app.bundleID, named: name) {
            switch answer {
            case .option(Self.allow): return true
            case .option(Self.deny): return false
            case .option, .text, .cancelled: return nil
            }
        }
        // The app withdrew the question, or the daemon ends.
        throw CancellationError()
    }
}
