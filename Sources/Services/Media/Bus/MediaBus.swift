package import BatonConcurrency
package import BatonCore
import ServiceLifecycle
import SessionBus
import Synchronization

/// The service, as the bus needs it. Called on the bus's thread, which must not wait.
package protocol MediaBusHandler: AnyObject, Sendable {
    /// A program of the desktop has a player do something. Commands for an app keep their order.
    /// - Parameter finished: is called once, on any thread.
    func performForBus(
        _ command: MediaCommand, player: String, finished: @escaping @Sendable (Result<Void, any Error>) -> Void)
    /// Everything that other programs play.
    func foreignPlayers(_ players: [ForeignPlayer])
}

/// Players on the person's session bus: those that this daemon offers, and those of other programs.
///
/// The bus has a thread of its own; without a bus, as on a server, the rest works.
package final class MediaBus: Service {
    private struct Answer {
        var player: String
        var call: UInt64
        var error: (name: String, message: String)?
    }

    private struct Control {
        var name: String
        var command: MediaCommand
        var finished: @Sendable (String?) -> Void
    }

    private struct State {
        var wanted: [PlayerPicture] = []
        /// Bounded by the calls of players that are not answered yet.
        var answers: [Answer] = []
        /// Policy: at most 64 wait; more are refused.
        var controls: [Control] = []
        var hasEnded = false
        var isConnected = false
    }

    /// Between two attempts to reach the bus, each twice the one before.
    private static let pauses = (shortest: Duration.seconds(1), longest: Duration.seconds(60))
    package static let maximumOffered = 16

    private let address: String?
    private let clock: MomentClock
    private let recorder: any EventRecorder
    private let handler = Mutex<(any MediaBusHandler)?>(nil)
    private let state = Mutex(State())
    /// Woken when there is something in `state`.
    private let thread = BusThread("baton-media-bus")

    /// - Parameter address: of the session bus; nil where it is unknown.
    package init(address: String?, clock: MomentClock, recorder: any EventRecorder) {
        self.address = address.flatMap { $0.hasPrefix("disabled:") ? nil : $0 }
        self.clock = clock
        self.recorder = recorder
    }

    package func connect(_ handler: any MediaBusHandler) { self.handler.withLock { $0 = handler } }

    /// Why no player of the desktop is seen; nil when they are.
    package var problem: String? {
        guard address != nil else {
            return "No session bus is known: neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set."
        }
        return state.withLock { $0.isConnected } ? nil : "The session bus cannot be reached now."
    }

    /// From now on these players are offered, and no others: at most ``maximumOffered``.
    package func offer(_ pictures: [PlayerPicture]) {
        state.withLock { $0.wanted = Array(pictures.prefix(Self.maximumOffered)) }
        thread.wake()
    }

    /// Has another program's player do something.
    package func control(_ name: String, _ command: MediaCommand) async throws {
        let refusal: String? = await withCheckedContinuation { continuation in
            let obstacle: String? = state.withLock { state in
                guard !state.hasEnded, !thread.isStopping, state.isConnected else {
                    return "The session bus cannot be reached now."
                }
                guard state.controls.count < 64 else { return "Too much is asked of players at once." }
                state.controls.append(
                    Control(name: name, command: command) { continuation.resume(returning: $0) })
                thread.wake()
                return nil
            }
            if let obstacle { continuation.resume(returning: obstacle) }
        }
        if let refusal { throw BatonError(.aborted, reason: "player_refused", refusal) }
    }

    package func run() async throws {
        if address != nil { thread.start { [self] in loop($0) } }
        try? await gracefulShutdown()
        await thread.stop()
    }

    // MARK: The thread

    private struct Connections {
        var watch: PlayerWatch?
        var players: [String: OfferedPlayer] = [:]
        var nextAttempt: Duration? = .zero
        var pause = MediaBus.pauses.shortest

        func close() {
            for player in players.values { player.close() }
            watch?.close()
        }
    }

    private func loop(_ thread: BusThread) {
        var connections = Connections()
        while true {
            let isStopping = thread.isStopping
            let (wanted, answers, controls) = state.withLock { state in
                defer { (state.answers, state.controls) = ([], []) }
                return (state.wanted, state.answers, state.controls)
            }
            let now = clock.now.monotonic
            for answer in answers { connections.players[answer.player]?.answer(answer.call, answer.error) }
            if isStopping {
                for control in controls { control.finished("The daemon is shutting down.") }
                break
            }
            dial(&connections, now)
            adjust(&connections, wanted, now)
            for control in controls {
                if let watch = connections.watch {
                    watch.control(control.name, control.command, finished: control.finished)
                } else {
                    control.finished("The session bus cannot be reached now.")
                }
            }
            if !process(&connections, now) { wait(connections) }
        }
        connections.close()
        let controls = state.withLock { state in
            state.hasEnded = true
            state.isConnected = false
            defer { state.controls = [] }
            return state.controls
        }
        for control in controls { control.finished("The daemon is shutting down.") }
    }

    private func dial(_ connections: inout Connections, _ now: Duration) {
        guard connections.watch == nil, let next = connections.nextAttempt, next <= now, let address else { return }
        connections.watch = PlayerWatch(address: address)
        if connections.watch == nil { lose(&connections, now) }
    }

    private func lose(_ connections: inout Connections, _ now: Duration) {
        connections.close()
        connections.watch = nil
        connections.players = [:]
        connections.nextAttempt = now + connections.pause
        connections.pause = min(connections.pause * 2, Self.pauses.longest)
        noteConnection(false)
    }

    /// Only beside a watch that is ready: a bus that is away is dialled once, and not for each player.
    private func adjust(_ connections: inout Connections, _ wanted: [PlayerPicture], _ now: Duration) {
        guard let address, connections.watch?.connection.isReady == true else { return }
        let names = Set(wanted.map(\.id))
        for (id, player) in connections.players where !names.contains(id) {
            player.close()
            connections.players[id] = nil
        }
        for picture in wanted {
            if let player = connections.players[picture.id] {
                if player.news.picture != picture { player.update(picture, now: now) }
            } else if let player = OfferedPlayer(address: address, picture: picture) {
                connections.players[picture.id] = player
            }
        }
    }

    /// - Returns: whether there may be more to do at once.
    private func process(_ connections: inout Connections, _ now: Duration) -> Bool {
        var isBusy = false
        if let watch = connections.watch {
            let (players, hasMore, isOver, becameReady) = watch.process(now: now)
            if becameReady {
                connections.pause = Self.pauses.shortest
                noteConnection(true)
            }
            if isOver {
                lose(&connections, now)
                handler.withLock { $0 }?.foreignPlayers([])
                return true
            }
            if let players { handler.withLock { $0 }?.foreignPlayers(players) }
            isBusy = hasMore || becameReady
        }
        for (id, player) in connections.players {
            player.advance(now: now)
            let (events, hasMore, isOver) = player.process(now: now)
            for case .called(let number, let request) in events { answer(player, id, number, request, now) }
            if isOver {
                player.close()
                connections.players[id] = nil
            }
            // A call may have been answered at once.
            isBusy = isBusy || hasMore || !events.isEmpty
        }
        return isBusy
    }

    private func answer(
        _ player: OfferedPlayer, _ id: String, _ number: UInt64, _ request: MPRISRequest, _ now: Duration
    ) {
        switch request.outcome(of: player.news.picture, track: player.news.trackNumber, now: now) {
        case .nothing: player.answer(number, nil)
        case .refuse(let text): player.answer(number, ("org.freedesktop.DBus.Error.NotSupported", text))
        case .perform(let command):
            // The caller on the bus waits for it; commands have deadlines of their own.
            handler.withLock { $0 }?.performForBus(command, player: id) { [self] result in
                var answer = Answer(player: id, call: number)
                if case .failure(let error) = result { answer.error = Self.busError(error) }
                state.withLock { $0.answers.append(answer) }
                thread.wake()
            }
        }
    }

    private static func busError(_ error: any Error) -> (name: String, message: String) {
        guard let error = error as? BatonError else {
            return ("org.freedesktop.DBus.Error.Failed", "The player could not be reached.")
        }
        let name = MediaFailure(rawValue: error.reason)?.busName ?? "org.freedesktop.DBus.Error.Failed"
        return (name, error.message)
    }

    private func wait(_ connections: Connections) {
        let all = [connections.watch?.connection].compactMap(\.self) + connections.players.values.map(\.connection)
        let now = clock.now.monotonic
        var deadlines = connections.players.values.compactMap { $0.connection.isReady ? $0.news.nextDeadline : nil }
        if let deadline = connections.watch?.nextDeadline { deadlines.append(deadline) }
        if connections.watch == nil, let next = connections.nextAttempt { deadlines.append(next) }
        thread.wait(all, deadlines.map { $0 - now }.min())
    }

    private func noteConnection(_ isConnected: Bool) {
        let isNew = state.withLock { state in
            defer { state.isConnected = isConnected }
            return state.isConnected != isConnected
        }
        guard isNew else { return }
        recorder.record(
            "media", isConnected ? "bus_connected" : "bus_lost",
            isConnected
                ? "Players are offered and seen on the session bus." : "The session bus is gone; players are not seen.",
            [:])
    }
}
