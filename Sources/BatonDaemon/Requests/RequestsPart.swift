import BatonCore
import BatonStore
import BatonTransport
import Handoff
import LaunchServices
import Opening
import Requests
import Spotlight
import Suggestions

/// What the person asks for in words.
struct RequestsPart: DaemonPart {
    private let requests: Requests

    init(_ daemon: DaemonComposition) throws {
        let launchServices = try daemon.part(AppsPart.self).launchServices
        let suggestions = try daemon.part(SuggestionsPart.self).suggestions
        let people = try daemon.part(PeoplePart.self).service
        let ports = RequestPorts(
            screen: RequestScreenContent(
                handoff: try daemon.part(HandoffPart.self).handoff, suggestions: suggestions),
            reminders: RequestedReminders(
                reminders: try daemon.part(RemindersPart.self).reminders,
                handoff: try daemon.part(HandoffPart.self).handoff, people: people,
                context: try daemon.part(ContextPart.self).context, launchServices: launchServices),
            people: RequestedPeople(people: people),
            media: RequestedMedia(media: try daemon.part(MediaPart.self).media, people: people),
            places: RequestedPlaces(suggestions: suggestions),
            telephone: RequestedCalls(opening: try daemon.part(OpeningPart.self).service) { app in
                launchServices.app(app)?.name ?? app.rawValue
            },
            apps: RequestedApps(launchServices: launchServices),
            search: RequestedSearch(spotlight: try daemon.part(SpotlightPart.self).service))
        requests = Requests(
            ports: ports, languages: Self.languages(daemon.options.environment), recorder: daemon.log)
    }

    func registerLocal(on router: inout ConnectRouter) { RequestsHarness(requests).register(on: &router) }

    /// As GNU gettext looks them up.
    private static func languages(_ environment: [String: String]) -> [String] {
        let list = (environment["LANGUAGE"] ?? "").split(separator: ":").map(String.init)
        return list + ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }
    }
}
