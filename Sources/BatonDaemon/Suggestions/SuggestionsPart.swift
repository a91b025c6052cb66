import AppSessions
import BatonConcurrency
import BatonCore
import BatonStore
import BatonTransport
import BatonWire
import Geocoding
import LaunchServices
import Notices
import Protection
import Reminders
import ServiceLifecycle
import Suggestions
import SwiftProtobuf

/// Places that the person looked at.
struct SuggestionsPart: DaemonPart {
    let suggestions: Suggestions
    private let fields: TextFieldHarness
    private let harness: SuggestionsHarness
    /// The app that is in front, perhaps the same again. Policy: of more than 64 the oldest are dropped.
    let foreground = Broadcaster<AppIdentity>(.latest(64))
    /// Lead to home, to work and to people. Filled by the part that knows them.
    let destinations = Hooks<@Sendable (String) async throws -> Suggestions.Led?>()
    private let followers: [any Service]

    init(_ daemon: DaemonComposition) throws {
        let apps = try daemon.part(AppsPart.self)
        let sessions = try daemon.part(SessionsPart.self).sessions
        let settings = try daemon.part(SettingsPart.self).settings
        let noticesPart = try daemon.part(NoticesPart.self)
        let notices = noticesPart.notices
        let reminders = try daemon.part(RemindersPart.self).reminders
        let suggestions = Suggestions(
            apps: SuggestingApps(
                launchServices: apps.launchServices, sessions: sessions,
                opening: try daemon.part(OpeningPart.self).service,
                folder: daemon.options.locations.runtime + "/directions"),
            index: VisitedPages(spotlight: try daemon.part(SpotlightPart.self).service, recorder: daemon.log),
            recorder: daemon.log, start: daemon.incarnation,
            foreground: { [foreground] app, isBack in
                foreground.send(app)
                // Its launch is known otherwise.
                if isBack { reminders.context(.appOpened(app)) }
            },
            offer: { offer in
                notices.input(
                    .suggested(key: offer.id, title: offer.title, lines: ["You saw it in \(offer.source)."]))
            })
        self.suggestions = suggestions
        try daemon.part(PeoplePart.self).front.add { suggestions.appsInFront }
        try daemon.part(PeoplePart.self).left.add { suggestions.appsThatLeft }
        try daemon.part(OpeningPart.self).front.add { suggestions.appsInFront }
        let geocoding = try daemon.part(GeocodingPart.self)
        geocoding.known.add { KnownSuggestions.places(suggestions) }
        fields = TextFieldHarness(suggestions, sessions: sessions, recorder: daemon.log) {
            settings.value(of: .suggestionFields) == "on"
        }
        let protection = try daemon.part(ProtectionPart.self).service
        let lead: @Sendable (String) async throws -> Suggestions.Led? = { [destinations] place in
            for destination in destinations.all {
                if let led = try await destination(place) { return led }
            }
            return nil
        }
        let lookUps = geocoding.service
        let forget: @Sendable (Baton_Control_V1_ForgetPlacesRequest) async throws -> Void = {
            if let what = Geocoding.Forgotten($0) { try await lookUps.forget(what) }
        }
        harness = SuggestionsHarness(suggestions, recorder: daemon.log, lead: lead, alsoForget: forget) {
            settings.value(of: .suggestionFields) == "on" && protection.isAvailable
        }
        sessions.register(SuggestionParticipant(suggestions: suggestions))
        // One at a time: a person who presses twice is led once after the other. At most as many as there are notices.
        let (places, leading) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(4))
        noticesPart.leading.add { leading.yield($0) }
        followers = [
            EventFollower(places) { [log = daemon.log] place in
                do {
                    _ = try await suggestions.directions(toID: place)
                } catch {
                    let message = (error as? BatonError)?.message ?? "\(error)"
                    log.record("suggestions", "not_led", "Directions could not be given. \(message)", [:])
                }
            },
            EventFollower(settings.values(of: .suggestionNotices)) { value in
                notices.input(.suggestionsAllowed(value == "on"))
            },
            EventFollower(apps.launchServices.events()) { event in
                if case .registryChanged = event { suggestions.appsChanged() }
            },
        ]
    }

    func registerLocal(on router: inout ConnectRouter) {
        harness.register(on: &router)
        fields.register(on: &router)
    }

    var services: [any Service] { followers }
}

extension Geocoding.Forgotten {
    /// Nil for an app and a site, of which answers say nothing.
    fileprivate init?(_ request: Baton_Control_V1_ForgetPlacesRequest) {
        switch request.what {
        case .name(let name)?: self = .place(name)
        case .since(let time)?: self = .since(time)
        case .all(true)?: self = .all
        case .all(false)?, .bundleID?, .site?, nil: return nil
        }
    }
}

/// Hears of the ends of sessions: what they showed is on the screen no longer.
private struct SuggestionParticipant: AppSessionParticipant {
    let suggestions: Suggestions

    func attached(_ session: AppSession, _ attachment: AppAttachment) {}

    func detached(_ session: AppSession) {
        suggestions.ended(session: session.id.rawValue, app: session.app.identity)
    }

    func processEnded(_ app: AppIdentity, process: Int32, message: String) {}
}
