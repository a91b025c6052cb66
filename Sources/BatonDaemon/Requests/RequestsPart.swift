import BatonCore
import BatonStore
import BatonTransport
import BatonWire
import ContextAwareness
import Devices
import Handoff
import LaunchServices
import Opening
import Peers
import Requests
import ServiceLifecycle
import Spotlight
import Suggestions

/// The person's requests in words.
struct RequestsPart: DaemonPart {
    private let requests: Requests
    private let followers: [any Service]

    init(_ daemon: DaemonComposition) throws {
        let launchServices = try daemon.part(AppsPart.self).launchServices
        let suggestions = try daemon.part(SuggestionsPart.self).suggestions
        let people = try daemon.part(PeoplePart.self).service
        let handoff = try daemon.part(HandoffPart.self).handoff
        let context = try daemon.part(ContextPart.self).context
        let devices = try daemon.part(DevicesPart.self)
        let elsewhere = FrontElsewhere(name: devices.peers.name)
        let screen = RequestScreenContent(handoff: handoff, suggestions: suggestions, elsewhere: elsewhere)
        let publish: @Sendable () -> Void = { [presence = devices.presence] in
            let here = context.isInUse ? (try? screen.here()) : nil
            let content = here.flatMap { $0.mayLeave ? $0.content : nil }
            presence.publish(Baton_Link_V1_FrontSnapshot(content), on: PresenceTopics.front)
        }
        followers = [
            EventFollower(devices.presence.follow(PresenceTopics.front)) { update in
                switch update {
                case .connected: break
                case .value(let snapshot, let device): elsewhere.received(snapshot, from: device)
                case .disconnected(let device): elsewhere.disconnected(device)
                }
            },
            EventFollower(handoff.publications()) { publish() },
            EventFollower(suggestions.changes()) { publish() },
            EventFollower(context.useChanges()) { _ in publish() },
        ]
        let places = RequestedPlaces(suggestions: suggestions, context: context)
        let reminders = RequestedReminders(
            reminders: try daemon.part(RemindersPart.self).reminders,
            handoff: handoff, people: people, context: context, launchServices: launchServices)
        let ports = RequestPorts(
            screen: screen, reminders: reminders,
            people: RequestedPeople(people: people),
            media: RequestedMedia(media: try daemon.part(MediaPart.self).media, people: people),
            places: places,
            telephone: RequestedCalls(opening: try daemon.part(OpeningPart.self).service) { app in
                launchServices.app(app)?.name ?? app.rawValue
            },
            apps: RequestedApps(launchServices: launchServices, opening: try daemon.part(OpeningPart.self).service),
            search: RequestedSearch(spotlight: try daemon.part(SpotlightPart.self).service))
        requests = Requests(
            ports: ports, languages: Self.languages(daemon.options.environment), recorder: daemon.log)
        try daemon.part(RemindersPart.self).words.add { [requests] text, timeZone in
            let (when, here) = try await requests.when(text, timeZone: RequestsHarness.timeZone(timeZone))
            return try await reminders.trigger(when, here: here)
        }
        try daemon.part(SuggestionsPart.self).destinations.add { [requests] text in
            guard let destination = try await requests.destination(named: text) else { return nil }
            return try await places.lead(to: destination)
        }
    }

    func registerLocal(on router: inout ConnectRouter) { RequestsHarness(requests).register(on: &router) }

    var services: [any Service] { followers }

    /// As GNU gettext looks them up.
    private static func languages(_ environment: [String: String]) -> [String] {
        let list = (environment["LANGUAGE"] ?? "").split(separator: ":").map(String.init)
        return list + ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }
    }
}
