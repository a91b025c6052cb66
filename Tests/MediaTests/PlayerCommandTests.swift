import AppSessions
import BatonConcurrency
import BatonCore
import BatonTransport
import BatonWire
import Media
import SwiftProtobuf
import Synchronization
import Testing

/// Commands on their way from the bus to an app and back (P-62).
struct PlayerCommandTests {
    private struct Surroundings: AppSessionApps, MediaApps, MediaDevices {
        func installedApp(of process: PeerProcess, claiming bundleID: String) -> AppCaller? { nil }
        func launch(
            _ app: AppIdentity, environment: [String: String]
        ) async throws -> (processID: Int32, wasRunning: Bool) { (1, true) }
        func noteRunning(_ app: AppIdentity, process: PeerProcess) {}
        func noteEnded(_ app: AppIdentity, process: PeerProcess) {}
        func desktopEntry(of app: AppIdentity) -> String? { nil }
        func receiver(for app: AppIdentity) -> AppCaller? { nil }
        func publish(_ snapshot: Baton_Link_V1_MediaSnapshot) {}
        func name(of device: DeviceID) -> String { "" }
        func device(named text: String) -> DeviceID? { nil }
        func control(_ request: Baton_Link_V1_ControlMediaRequest, on device: DeviceID) {}
        func give(_ request: Baton_Link_V1_GiveMediaRequest, from device: DeviceID) -> Baton_Link_V1_MovedMedia {
            .init()
        }
        func take(_ media: Baton_Link_V1_MovedMedia, on device: DeviceID) -> String { "" }
    }

    private static let app = AppIdentity(bundleID: BundleID(unchecked: "com.example.tone"), team: .development)

    @Test("Commands of the bus are with the app before the bus goes on, in their order, and each is answered once")
    func order() async throws {
        let (clock, recorder) = (MomentClock { Timestamp(.zero) }, NullEventRecorder())
        let surroundings = Surroundings()
        let sessions = AppSessions(apps: surroundings, deviceName: { "A" }, recorder: recorder)
        let media = MediaService(
            sessions: sessions, apps: surroundings, devices: surroundings,
            bus: MediaBus(address: nil, clock: clock, recorder: recorder), folder: "/nonexistent", clock: clock,
            recorder: recorder)
        let caller = AdmittedCaller(
            process: PeerProcess(processID: 1, userID: 1, startTime: 1, executable: nil), identity: Self.app,
            name: "Tone", isInstalled: false)
        let (session, commands) = try sessions.attach(AppAttachment(.init()), by: caller)
        try media.update(
            session: session.id.rawValue, caller: caller,
            AppUpdate(
                playing: .init(
                    track: MediaTrack(title: "Song"),
                    playback: Playback(state: .playing, elapsed: 0, rate: 1, measured: .zero)),
                offers: [.pause: .init(), .nextTrack: .init(), .stop: .init()]))
        let outcomes = Mutex<[String]>([])
        func perform(_ kind: MediaCommand.Kind, player: String = "com.example.tone") {
            media.performForBus(MediaCommand(kind), player: player) { result in
                var outcome = "\(kind): done"
                if case .failure(let error) = result { outcome = "\(kind): \((error as? BatonError)?.reason ?? "")" }
                outcomes.withLock { $0.append(outcome) }
            }
        }
        perform(.pause)
        perform(.nextTrack)
        perform(.stop)
        perform(.rating)
        perform(.pause, player: "com.example.gone")
        // Nothing was waited for since, so the commands are with the app already.
        try sessions.complete(2, of: session.id, AppAnswer(.media(.with { $0.status = 100 })))
        try sessions.complete(1, of: session.id, AppAnswer(.media(.init())))
        sessions.detach(session.id)
        #expect(
            outcomes.withLock { $0 } == [
                "rating: not_offered", "pause: unknown_player", "nextTrack: no_such_content", "pause: done",
                "stop: app_ended",
            ])
        var kinds: [Int] = []
        for await queued in commands {
            if case .mediaCommand(let request) = queued.command.kind { kinds.append(request.command.kind.rawValue) }
        }
        #expect(kinds == [MediaCommand.Kind.pause, .nextTrack, .stop].map(\.rawValue))
    }
}
