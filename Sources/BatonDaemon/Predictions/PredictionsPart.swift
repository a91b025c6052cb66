import AppSessions
import BatonConcurrency
import BatonCore
import BatonStore
import BatonTransport
import ContextAwareness
import LaunchServices
import Notices
import People
import Prediction
import Predictions
import ServiceLifecycle

/// The person's likely next step.
struct PredictionsPart: DaemonPart {
    /// Receives what apps play, from the part that hears of it.
    let predictions: Predictions
    /// Plays what was predicted, and says whether it could. The part of media adds to it.
    let playing = Hooks<@Sendable (_ media: String, _ app: BundleID) async throws -> Bool>()
    private let followers: [any Service]

    init(_ daemon: DaemonComposition) throws {
        let launchServices = try daemon.part(AppsPart.self).launchServices
        let settings = try daemon.part(SettingsPart.self).settings
        let noticesPart = try daemon.part(NoticesPart.self)
        let notices = noticesPart.notices
        let people = try daemon.part(PeoplePart.self).service
        let apps = PredictedApps(
            launchServices: launchServices, sessions: try daemon.part(SessionsPart.self).sessions, playing: playing,
            performing: { try await people.perform(shortcut: $0, of: $1) })
        let context = try daemon.part(ContextPart.self).context
        let predictions = Predictions(
            apps: apps, folder: daemon.options.locations.data, recorder: daemon.log,
            surroundings: { PredictionSituation(context.whereabouts) },
            show: { notice in
                notices.input(
                    .predicted(key: notice.key, title: notice.title, lines: notice.lines, plays: notice.plays))
            })
        predictions.enable(settings.value(of: .suggestionPredictions) == "on")
        self.predictions = predictions
        // One at a time. At most as many as there are notices.
        let (answers, answering) = AsyncStream.makeStream(
            of: (key: String, accepts: Bool).self, bufferingPolicy: .bufferingNewest(4))
        noticesPart.predictionAnswers.add { answering.yield((key: $0, accepts: $1)) }
        playing.add { media, app in
            let latest = try await people.latestMedia().first { $0.identifier == media && $0.app.bundleID == app }
            guard let latest else { return false }
            return try await people.play(latest)
        }
        // The content that the person has not heard yet.
        playing.add { media, app in try await people.perform(shortcut: media, of: app) ?? false }
        followers = [
            EventFollower(people.mediaPlayed()) { media in
                guard apps.isGenuine(media.app) else { return }
                predictions.record(media: media.identifier, name: media.title, app: media.app.bundleID)
            },
            EventFollower(people.shortcutsChanged()) { [log = daemon.log] in
                do {
                    let (offered, onlyOffered) = try await people.shortcuts()
                    let donated = onlyOffered.isEmpty ? [] : try await people.latestMedia(limit: 2000)
                    predictions.offers(
                        OfferedCandidates.offers(
                            offered, onlyOffered: onlyOffered, donated: donated, isGenuine: apps.isGenuine))
                } catch {
                    log.record(
                        "predictions", "offers_unread", "The offers of apps could not be read.", ["error": "\(error)"])
                }
            },
            EventFollower(answers) { [log = daemon.log] answer in
                do {
                    try await predictions.answer(answer.key, accepts: answer.accepts)
                } catch {
                    let message = (error as? BatonError)?.message ?? "\(error)"
                    log.record("predictions", "not_opened", "The predicted item could not be opened. \(message)", [:])
                }
            },
            EventFollower(settings.values(of: .suggestionPredictions)) { predictions.enable($0 == "on") },
            EventFollower(context.events()) { predictions.happened($0) },
            EventFollower(try daemon.part(SuggestionsPart.self).foreground.subscribe()) { app in
                if apps.isGenuine(app) { predictions.used(app.bundleID) }
            },
            EventFollower(launchServices.events()) { event in
                switch event {
                case .launched(let app, _, _): predictions.used(app)
                case .registryChanged: await predictions.appsChanged()
                case .exited: break
                }
            },
        ]
    }

    func registerLocal(on router: inout ConnectRouter) { PredictionsHarness(predictions).register(on: &router) }

    var services: [any Service] { followers + [predictions] }
}
