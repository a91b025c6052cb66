import BatonConcurrency
package import BatonCore
package import BatonDiscovery
import BatonWire
import Foundation
import ServiceLifecycle
import Synchronization

/// Keeps one stream with each device of the account that is nearby, on which each sends the other its topics.
///
/// ``PresenceStateMachine`` decides; this performs. Without an account nothing is announced, dialled or accepted.
package final class PresenceService: PresenceSource, Service {
    package struct Configuration: Sendable {
        package var serviceType = "_baton._tcp"
        /// Where this device accepts links; known once ``run`` is called.
        package var port: @Sendable () -> Int
        /// Returns when there is another port, or the port stays: called before another name is announced.
        package var renewPort: @Sendable () async -> Void
        package var softwareVersion: String
        /// Greater at each start of the daemon.
        package var incarnation: UInt64
        /// How long an instance name is used, about.
        package var namePeriod = Duration.seconds(15 * 60)
        package var limits = PresenceStateMachine.Limits()
        /// For names, jitter and back-off.
        package var seed: UInt64

        package init(
            port: @escaping @Sendable () -> Int, renewPort: @escaping @Sendable () async -> Void = {},
            softwareVersion: String, incarnation: UInt64,
            seed: UInt64 = .random(in: .min ... .max)
        ) {
            self.port = port
            self.renewPort = renewPort
            self.softwareVersion = softwareVersion
            self.incarnation = incarnation
            self.seed = seed
        }
    }

    let configuration: Configuration
    let discovery: any Discovery
    let dialer: any LinkDialer
    let naming: LinkNaming
    let membership: PresenceMembership
    let deviceName: @Sendable () -> String
    let timestamp: @Sendable () -> UInt64
    let recorder: any EventRecorder
    let clock: PresenceClock
    let wallClock: WallClock
    let state: Mutex<PresenceState>
    /// Bounded by the state machine, which has at most ``PresenceStateMachine/Limits/maximumDials`` of them under way.
    private let commands: AsyncStream<Command>
    private let commandContinuation: AsyncStream<Command>.Continuation
    let stopping = OneShot()
    private let eventBroadcast = Broadcaster<PresenceEvent>(.latest(PresenceState.eventBound))

    /// Work that needs a task of its own.
    enum Command: Sendable {
        case dial(PresenceStateMachine.StreamID, instance: String, addresses: [DiscoveredAddress])
        case open(PresenceStateMachine.StreamID, any LinkConnection)
    }

    /// - Parameters:
    ///   - deviceName: of this device, for people.
    ///   - timestamp: of this device's hybrid logical clock.
    package init(
        configuration: Configuration, discovery: any Discovery, dialer: any LinkDialer, naming: LinkNaming,
        membership: PresenceMembership, deviceName: @escaping @Sendable () -> String,
        timestamp: @escaping @Sendable () -> UInt64, recorder: any EventRecorder = NullEventRecorder(),
        clock: PresenceClock = .system, wallClock: WallClock = .system
    ) {
        self.configuration = configuration
        self.discovery = discovery
        self.dialer = dialer
        self.naming = naming
        self.membership = membership
        self.deviceName = deviceName
        self.timestamp = timestamp
        self.recorder = recorder
        self.clock = clock
        self.wallClock = wallClock
        state = Mutex(
            PresenceState(
                seed: configuration.seed, period: configuration.namePeriod, now: clock.now(), events: eventBroadcast))
        (commands, commandContinuation) = AsyncStream.makeStream()
    }

    // MARK: Running

    /// Until cancelled or asked to shut down; says goodbye to every device then.
    package func run() async throws {
        await withTaskCancellationOrGracefulShutdownHandler {
            await withTaskGroup(of: Void.self) { loops in
                loops.addTask { await self.followMembership() }
                loops.addTask { await self.followDiscovery() }
                loops.addTask { await self.followNames() }
                loops.addTask { await self.followTime() }
                // Ends after the last dial and stream of this device's has ended.
                await withDiscardingTaskGroup { work in
                    for await command in self.commands { work.addTask { await self.perform(command) } }
                }
                loops.cancelAll()
            }
        } onCancelOrGracefulShutdown: {
            self.stop()
        }
        try? await discovery.announce(nil, type: configuration.serviceType)
    }

    private func stop() {
        state.withLock { state in
            state.isStopping = true
            _ = state.machine?.stop()
            state.machine = nil
            for outbox in state.outboxes.values { outbox.close(reason: "stopped", goodbye: "shutdown") }
            state.disconnectAll()
        }
        stopping.fire()
        commandContinuation.finish()
    }

    private func perform(_ command: Command) async {
        switch command {
        case .dial(let id, let instance, let addresses): await dial(id, instance: instance, addresses: addresses)
        case .open(let id, let connection): await open(id, connection)
        }
    }

    // MARK: Deciding

    /// Gives the state machine an input, and performs its actions.
    /// - Parameter quietly: the input can only put times off: not worth looking at every target for the next one.
    @discardableResult
    func decide<Answer>(
        quietly: Bool = false,
        _ input: (inout PresenceStateMachine, Duration) -> (Answer, [PresenceStateMachine.Action])
    ) -> Answer? {
        let now = clock.now()
        let (answer, effects) = state.withLock { state -> (Answer?, PresenceState.Effects) in
            // Taken out, so that it is changed in place.
            guard var machine = state.machine.take() else { return (nil, PresenceState.Effects()) }
            let (answer, actions) = input(&machine, now)
            var effects = state.apply(actions, wall: wallClock.now, frame: { frame(for: $0) })
            effects.answers = state.takeAnswers(machine)
            if !quietly || !actions.isEmpty { state.setWake(machine.nextWake) }
            state.machine = machine
            return (answer, effects)
        }
        for command in effects.commands { commandContinuation.yield(command) }
        for connection in effects.closed { connection.close() }
        for answer in effects.answers { answer.fire() }
        for record in effects.records { recorder.record("presence", record.event, record.message, record.fields) }
        return answer
    }

    func decide(
        quietly: Bool = false, _ input: (inout PresenceStateMachine, Duration) -> [PresenceStateMachine.Action]
    ) {
        decide(quietly: quietly) { machine, now in ((), input(&machine, now)) }
    }

    // MARK: Inputs and queries

    package func connections() -> [DeviceID: PresenceConnection] {
        state.withLock { state in
            state.current.reduce(into: [:]) { result, entry in
                result[entry.key] = state.streams[entry.value].map { PresenceConnection(entry.key, $0) }
            }
        }
    }

    package func events() -> AsyncStream<PresenceEvent> { eventBroadcast.subscribe() }

    /// How a connected device can be called; nil when it is not connected or its address is not known.
    package func route(to device: DeviceID) -> LinkRoute? {
        state.withLock { state in
            guard let stream = state.current[device].flatMap({ state.streams[$0] }) else { return nil }
            let known = state.instances(of: device)
            guard
                let instance = stream.hello.map(\.instance).flatMap({ $0.isEmpty ? nil : $0 }) ?? known.first?.instance
            else { return nil }
            var addresses = [stream.callBackAddress].compactMap(\.self)
            for address in known.flatMap(\.addresses) where !addresses.contains(address) { addresses.append(address) }
            return addresses.isEmpty ? nil : LinkRoute(device: device, addresses: addresses, instance: instance)
        }
    }

    /// Asks a device for an answer at once, e.g. since bytes for it are not answered. If none comes in time it is disconnected.
    package func askForAnswer(of device: DeviceID) {
        decide { machine, now in machine.stalled(device, now: now) }
    }

    /// Asks a connected device for an answer, and returns once one has come, or the device is connected no more. One that has
    /// vanished counts as connected for up to 50 s otherwise.
    package func confirm(_ device: DeviceID) async {
        askForAnswer(of: device)
        guard let answer = state.withLock({ $0.answer(of: device) }) else { return }
        // The account may be gone meanwhile.
        await wait(for: answer, until: clock.now() + configuration.limits.answer + .seconds(5))
    }

    /// Announces another instance name soon, e.g. since the names accepted for this one are used up.
    package func changeName() { state.withLock { $0.changeName() } }
}
