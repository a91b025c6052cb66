import AppSessions
import BatonConcurrency
import BatonCore
import BatonStore
import BatonTransport
import BatonWire
import Devices
import LaunchServices
import Media
import Notices
import Peers
import Predictions
import ServiceLifecycle
import SessionBus

/// The media that plays, here and on the account's other devices.
struct MediaPart: DaemonPart {
    let media: MediaService
    private let bus: MediaBus
    private let followers: [any Service]

    init(_ daemon: DaemonComposition) throws {
        let apps = try daemon.part(AppsPart.self)
        let devices = try daemon.part(DevicesPart.self)
        let sessions = try daemon.part(SessionsPart.self).sessions
        let clock = MomentClock(wall: .system)
        let bus = MediaBus(
            address: BusAddress.session(in: daemon.options.environment), clock: clock, recorder: daemon.log)
        let media = MediaService(
            sessions: sessions, apps: PlayingApps(launchServices: apps.launchServices, sessions: sessions),
            devices: PlayingDevices(peers: devices.peers),
            bus: bus, folder: daemon.options.locations.runtime + "/media", clock: clock, recorder: daemon.log)
        self.bus = bus
        self.media = media
        sessions.register(MediaParticipant(media: media))
        let predictionsPart = try daemon.part(PredictionsPart.self)
        let predictions = predictionsPart.predictions
        let content = PredictedContent(media: media, launchServices: apps.launchServices)
        predictionsPart.playing.add(content.play)
        followers = [
            EventFollower(devices.presence.follow(PresenceTopics.media)) { update in
                switch update {
                case .connected: break
                case .value(let snapshot, let device): media.received(snapshot, from: device)
                case .disconnected(let device): media.disconnected(device)
                }
            },
            EventFollower(media.startedPlaying()) { item in
                guard item.isHere, let app = item.bundleID else { return }
                // A player need not give more than a title.
                let media = item.identifier.isEmpty ? item.title : item.identifier
                predictions.record(media: media, name: item.title, app: app)
            },
            // An app that runs gets ready before the person says yes; none is started for that.
            EventFollower(predictions.mediaOffers()) { offer in await content.prepare(offer.media, of: offer.app) },
        ]
    }

    func registerLocal(on router: inout ConnectRouter) { MediaHarness(media).registerLocal(on: &router) }

    func registerLink(on router: inout ConnectRouter) { MediaHarness(media).registerLink(on: &router) }

    var services: [any Service] { [bus, media] + followers }
}

/// Hears of the ends of sessions: with an app its player is gone.
private struct MediaParticipant: AppSessionParticipant {
    let media: MediaService

    func attached(_ session: AppSession, _ attachment: AppAttachment) {}

    func detached(_ session: AppSession) { media.ended(session.id) }

    func processEnded(_ app: AppIdentity, process: Int32, message: String) {}
}
