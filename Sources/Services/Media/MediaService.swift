package import AppSessions
package import BatonConcurrency
package import BatonCore
package import BatonTransport
package import BatonWire
import Foundation
import ServiceLifecycle
import SwiftProtobuf
import Synchronization

/// Now playing on this device and on the account's others, and its controls.
///
/// Apps describe themselves and perform commands; the desktop's programs see them as players (MPRIS), and theirs are seen here.
package final class MediaService: Service {
    private let sessions: AppSessions
    private let apps: any MediaApps
    let devices: any MediaDevices
    private let bus: MediaBus
    private let artwork: ArtworkFolder
    let limits: MediaLimits
    let clock: MomentClock
    private let recorder: any EventRecorder
    private let board = Mutex(MediaBoard())
    let rate = Mutex(MediaRate())
    private let started = Broadcaster<PlayingItem>(.latest(32))
    private let changed = Signal()

    /// - Parameter folder: for pictures of what plays; made when it is needed, emptied at the first use.
    package init(
        sessions: AppSessions, apps: any MediaApps, devices: any MediaDevices, bus: MediaBus, folder: String,
        limits: MediaLimits = .init(), clock: MomentClock, recorder: any EventRecorder
    ) {
        self.sessions = sessions
        self.apps = apps
        self.devices = devices
        self.bus = bus
        self.limits = limits
        self.clock = clock
        self.recorder = recorder
        artwork = ArtworkFolder(folder)
        bus.connect(self)
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            for await _ in changed.stream {
                devices.publish(snapshot())
                guard (try? await Task.sleep(for: limits.publishPause)) != nil else { return }
            }
        }
        started.finish()
        await artwork.clear()
    }

    /// Only with a change that was made before, so that the last offer is right.
    private func change<Result: Sendable>(_ body: (inout MediaBoard) -> Result) -> Result {
        let result = board.withLock { board in
            let result = body(&board)
            // Under the lock, which keeps the order; it only stores them.
            bus.offer(board.offered(deviceName: devices.name))
            return result
        }
        changed.send()
        return result
    }

    // MARK: Apps

    /// - Throws: `not_found` and `permission_denied` for a session that is unknown or of another process, `resource_exhausted`.
    package func update(session text: String, caller: AdmittedCaller, _ update: AppUpdate) throws {
        let session = try sessions.session(text, of: caller)
        let entry = apps.desktopEntry(of: session.app.identity)
        let now = clock.now.monotonic
        guard board.withLock({ $0.hasRoom(for: session.id, of: session.app.identity, limits) }) else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_players",
                "\(limits.maximumApps) apps play something, or \(limits.maximumOfApp) processes of this one. Quit some."
            )
        }
        let began = change {
            $0.update(
                session.id, of: session.app.identity, name: session.app.name, desktopEntry: entry, update, now: now)
        }
        // It may have ended meanwhile, and its end would not be reported again.
        if sessions.session(session.id) == nil { return ended(session.id) }
        if let began { started.send(PlayingItem(began)) }
        fetchArtwork(session.id)
    }

    package func ended(_ session: SessionID) {
        let app = change { $0.ended(session) }
        if let path = app?.artworkPath { artwork.remove(path) }
    }

    /// One picture of a player at a time; a newer one is asked for when it has come.
    private func fetchArtwork(_ session: SessionID) {
        let wanted: UInt64? = board.withLock { board in
            guard let app = board.apps[session], let wanted = app.update.playing?.track.artwork, wanted != 0,
                app.artwork != wanted, artwork.begin(session.rawValue)
            else { return nil }
            return wanted
        }
        guard let wanted else { return }
        // No task waits for a picture; it ends with its deadline or its session.
        Task { [self] in
            let path = await picture(wanted, of: session)
            let former = board.withLock { $0.apps[session]?.artworkPath }
            change { $0.setArtwork(session, wanted, path: path) }
            if let former, former != path { artwork.remove(former) }
            if let path, board.withLock({ $0.apps[session] == nil }) { artwork.remove(path) }
            artwork.end(session.rawValue)
            fetchArtwork(session)
        }
    }

    private func picture(_ number: UInt64, of session: SessionID) async -> String? {
        let request = Baton_App_V1_MediaArtworkRequest.with {
            $0.artwork = number
            $0.width = limits.artworkSize
            $0.height = limits.artworkSize
        }
        let promise = Promise<AppAnswer>()
        ask(.mediaArtwork(request), session, limits.artworkDeadline) { promise.settle($0) }
        guard case .artwork(let result)? = try? await promise.value().result, !result.picture.isEmpty,
            result.picture.count <= limits.maximumArtwork, let type = ArtworkFolder.fileType(of: result.picture)
        else { return nil }
        do {
            return try await artwork.write(result.picture, type: type)
        } catch {
            recorder.record(
                "media", "artwork_not_kept", "The picture of what plays could not be written.", ["error": "\(error)"])
            return nil
        }
    }

    /// Asks an app something, without waiting.
    /// - Parameter answered: is called once, on any thread: with the app's answer, with `deadline_exceeded`, or with `aborted` when
    ///   the app ended.
    private func ask(
        _ kind: AppCommand.Kind, _ session: SessionID, _ limit: Duration,
        answered: @escaping @Sendable (Result<AppAnswer, any Error>) -> Void
    ) {
        let deadline = DeadlineTimer.shared.schedule(after: limit) {
            answered(
                .failure(
                    BatonError(
                        .deadlineExceeded, reason: "no_answer", "The app did not answer. Try again, or quit it.")))
        }
        sessions.send(AppCommand(kind), to: session) { reply in
            guard DeadlineTimer.shared.cancel(deadline) else { return }
            switch reply {
            case .answered(let answer): answered(.success(answer))
            case .ended: answered(.failure(BatonError(.aborted, reason: "app_ended", "The app ended.")))
            }
        }
    }

    // MARK: Controlling

    package var players: [MediaPlayer] { board.withLock { $0.all } }

    /// Why the desktop's players are not seen; nil when they are.
    package var busProblem: String? { bus.problem }

    /// Has a player do something.
    /// - Parameter player: its identifier, its app's, or its name; nil for the one that was used last.
    /// - Returns: the player as it was before.
    /// - Throws: `not_found`, `failed_precondition` for what is not offered, `aborted` for what the app could not do,
    ///   `out_of_range` for a position behind the end, `deadline_exceeded`.
    @discardableResult
    package func perform(_ command: MediaCommand, player text: String?) async throws -> MediaPlayer {
        let player = try PlayerChoice.find(text, for: command.kind, among: players)
        try player.check(command)
        try await perform(command, on: player)
        return player
    }

    func perform(_ command: MediaCommand, on player: MediaPlayer) async throws {
        record("command", "\(player.name) is asked: \(command.kind).", ["player": player.id])
        switch player.source {
        case .app(let session):
            let promise = Promise<Void>()
            perform(command, session: session, of: player) { promise.settle($0) }
            try await promise.value()
        case .desktop(let name):
            guard player.commands.contains(command.kind) else { throw MediaFailure.notOffered.error(of: player.name) }
            try await bus.control(name, command)
        case .device(let device, let id):
            try await devices.control(
                .with {
                    $0.playerID = id
                    $0.command = .init(command)
                }, on: device)
        }
    }

    /// Without waiting.
    /// - Parameter finished: is called once, on any thread.
    private func perform(
        _ command: MediaCommand, session text: String, of player: MediaPlayer,
        finished: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        var command = command
        guard let session = SessionID(rawValue: text), let picture = board.withLock({ $0.apps[session]?.picture }),
            let kind = picture.command(for: command.kind)
        else { return finished(.failure(MediaFailure.notOffered.error(of: player.name))) }
        command.kind = kind
        let request = Baton_App_V1_MediaCommandRequest.with { $0.command = .init(command) }
        ask(.mediaCommand(request), session, limits.commandDeadline) { answer in
            finished(Result { try Self.check(try answer.get(), of: player.name) })
        }
    }

    private static func check(_ answer: AppAnswer, of player: String) throws(BatonError) {
        guard case .media(let result)? = answer.result else { throw MediaFailure.commandFailed.error(of: player) }
        if result.notOffered { throw MediaFailure.notOffered.error(of: player) }
        if let failure = MediaFailure(status: Int(result.status)) { throw failure.error(of: player) }
    }

    // MARK: For other services

    /// Each time that an app or program of this device begins to play something. A subscriber that falls behind loses the oldest.
    package func startedPlaying() -> AsyncStream<PlayingItem> { started.subscribe() }

    /// Apps that are attached and can be asked to play something (`MPPlayableContentManager`).
    package func contentApps() -> [AppIdentity] {
        board.withLock { $0.apps.values.filter(\.update.hasContentDelegate).map(\.identity) }
    }

    /// Asks an app to prepare to play, and not to play yet; it is started if need be.
    /// - Parameter identifiers: of content items; empty where the app chooses.
    /// - Throws: `failed_precondition` for an app without a delegate for its content, `aborted` with the app's reason, and what
    ///   starting it throws.
    package func initializePlaybackQueue(app: AppIdentity, identifiers: [String] = []) async throws {
        _ = try await content(
            .with { $0.initializeQueue = .with { $0.identifiers = Array(identifiers.prefix(100)) } }, of: app)
    }

    /// Asks an app to play the item at this place of its content; it is started if need be.
    /// - Throws: as ``initializePlaybackQueue(app:identifiers:)``.
    package func initiatePlayback(app: AppIdentity, path: [Int]) async throws {
        _ = try await content(.with { $0.initiate = .init(path) }, of: app)
    }

    /// Playable items of an app below this place, at most 100.
    package func content(app: AppIdentity, path: [Int]) async throws -> [Baton_App_V1_ContentItem] {
        try await content(.with { $0.list = .init(path) }, of: app).items
    }

    private func content(
        _ request: Baton_App_V1_PlayableContentRequest, of app: AppIdentity
    ) async throws -> Baton_App_V1_PlayableContentResult {
        let answer = try await sessions.deliver(
            Delivery(id: .random(), app: app, commands: [AppCommand(.playableContent(request))]))
        guard case .content(let result)? = answer.result, result.handled else {
            throw BatonError(
                .failedPrecondition, reason: "no_content", "\(app.bundleID) offers nothing to be played.")
        }
        guard result.error.isEmpty else {
            throw BatonError(.aborted, reason: "playback_failed", result.error.shownLine(toBytes: limits.maximumText))
        }
        return result
    }

    // MARK: Other devices

    func deliver(_ delivery: Delivery) async throws -> AppAnswer { try await sessions.deliver(delivery) }

    var ownDeviceName: String { sessions.deviceName() }

    func receiver(for app: AppIdentity) -> AppCaller? { apps.receiver(for: app) }

    func setDevice(_ device: DeviceID, _ players: [MediaPlayer]?) { change { $0.setDevice(device, players) } }

    func localPlayers() -> [MediaPlayer] { board.withLock { PlayerChoice.sorted($0.local) } }

    func record(_ event: String, _ message: String, _ fields: [String: String]) {
        recorder.record("media", event, message, fields)
    }
}

extension MediaService: MediaBusHandler {
    /// An app gets the command on the thread that calls: no task lies between the bus and the app's connection.
    package func performForBus(
        _ command: MediaCommand, player: String, finished: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        guard let found = players.first(where: { $0.id == player }) else {
            return finished(.failure(BatonError(.notFound, reason: "unknown_player", "The player is gone.")))
        }
        guard case .app(let session) = found.source else {
            // Another device's: the call to it has a deadline of its own.
            Task {
                do {
                    finished(.success(try await perform(command, on: found)))
                } catch {
                    finished(.failure(error))
                }
            }
            return
        }
        perform(command, session: session, of: found, finished: finished)
        // Afterwards: it wakes the thread that writes the log.
        record("command", "\(found.name) is asked: \(command.kind).", ["player": found.id])
    }

    package func foreignPlayers(_ players: [ForeignPlayer]) {
        let began = change { [clock] in $0.setForeign(players, now: clock.now.monotonic) }
        for player in began { started.send(PlayingItem(player)) }
    }
}
