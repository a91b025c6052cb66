import BatonConcurrency
import BatonCore
import BatonDiscovery
import BatonTrust
import Synchronization

/// Makes two devices contacts: waits to be called and looks for the other one, until ``ContactMeeting`` says who calls.
final class ContactPairing: Sendable {
    private enum Running {
        case waiting(SponsorPairing)
        case calling(JoinerPairing)
    }

    private enum Step: Sendable {
        case call([DiscoveredAddress])
        case several([String])
        case done(PairingEvent)
    }

    private let host: ContactPairingHost
    private let ports: PairingPorts
    private let environment: AccountEnvironment
    private let recorder: any EventRecorder
    private let wanted: String?
    private let running: Mutex<Running>
    private let meeting: Mutex<ContactMeeting>
    private let services = Mutex<[String: DiscoveredService]>([:])

    init(
        host: ContactPairingHost, ports: PairingPorts, environment: AccountEnvironment, recorder: any EventRecorder,
        label: String
    ) {
        self.host = host
        self.ports = ports
        self.environment = environment
        self.recorder = recorder
        wanted = label.isEmpty ? nil : label
        meeting = Mutex(ContactMeeting(wanted: wanted))
        running = Mutex(
            .waiting(SponsorPairing(host: host, ports: ports, environment: environment, recorder: recorder)))
    }

    func confirm(_ verdict: PairingVerdict) throws(BatonError) {
        switch running.withLock({ $0 }) {
        case .waiting(let sponsor): try sponsor.confirm(verdict)
        case .calling(let joiner): try joiner.confirm(verdict)
        }
    }

    /// Until the other device was remembered, which is left to the caller to say.
    func run(timeout: Duration, emit: @escaping PairingEmitter) async throws -> PairingEvent {
        do {
            switch try await wait(timeout: timeout, emit: emit) {
            case .done(let event): return event
            case .several(let labels):
                try await emit(.candidates(labels: labels))
                throw ContactPairingError.several
            case .call(let addresses): return try await call(addresses, timeout: timeout, emit: emit)
            }
        } catch let error as BatonError {
            throw ContactPairingError.worded(error)
        }
    }

    /// Waits for a call, and looks for a device to call.
    private func wait(timeout: Duration, emit: @escaping PairingEmitter) async throws -> Step {
        guard case .waiting(let sponsor) = running.withLock({ $0 }) else { throw CancellationError() }
        let (signals, signal) = AsyncStream.makeStream(of: Step.self, bufferingPolicy: .bufferingOldest(4))
        return try await withThrowingTaskGroup(of: Step?.self) { group in
            defer { group.cancelAll() }
            group.addTask { [self] in
                let event = try await sponsor.run(timeout: timeout) { [self] event in
                    switch event {
                    case .waiting(let label, _):
                        // Again, when an attempt has ended.
                        take(.announced(label), signal)
                        take(.callEnded, signal)
                    case .code: take(.called, signal)
                    default: break
                    }
                    try await emit(event)
                }
                return .done(event)
            }
            group.addTask { [self] in
                await look(signal)
                return nil
            }
            group.addTask {
                for await step in signals { return step }
                return nil
            }
            while let step = try await group.next() {
                if let step { return try await ended(step, &group) }
            }
            throw CancellationError()
        }
    }

    /// No other device calls this one once it calls. One that was admitted in the same moment is.
    private func ended(_ step: Step, _ group: inout ThrowingTaskGroup<Step?, any Error>) async throws -> Step {
        group.cancelAll()
        while let late = await group.nextResult() {
            if case .success(.done(let event)?) = late { return .done(event) }
        }
        return step
    }

    private func look(_ signal: AsyncStream<Step>.Continuation) async {
        await withDiscardingTaskGroup { group in
            for await event in ports.discovery.browse(type: host.serviceType) {
                var actions: [ContactMeeting.Action] = []
                switch event {
                case .found(let service):
                    guard !service.addresses.isEmpty else { continue }
                    services.withLock { services in
                        guard services.count < 2 * ContactMeeting.maximumLabels else { return }
                        services[service.instance.uppercased()] = service
                    }
                    actions = take(.found(service.instance), signal)
                case .lost(let instance):
                    _ = services.withLock { $0.removeValue(forKey: instance.uppercased()) }
                    actions = take(.lost(instance), signal)
                case .networkChanged, .nameTaken: break
                case .unavailable(let reason):
                    recorder.record(
                        "pairing", "discovery_unavailable", "Other devices cannot be found now.", ["reason": reason])
                }
                guard actions.contains(.startTimer) else { continue }
                group.addTask { [self] in
                    guard (try? await ports.sleep(JoinerPairing.settleTime)) != nil else { return }
                    take(.settled, signal)
                }
            }
        }
    }

    @discardableResult
    private func take(
        _ input: ContactMeeting.Input, _ signal: AsyncStream<Step>.Continuation
    ) -> [ContactMeeting.Action] {
        let actions = meeting.withLock { $0.handle(input) }
        for action in actions {
            switch action {
            case .startTimer: break
            case .several(let labels): signal.yield(.several(labels))
            case .call(let label):
                signal.yield(.call(services.withLock { $0[label]?.addresses ?? [] }))
            }
        }
        return actions
    }

    private func call(
        _ addresses: [DiscoveredAddress], timeout: Duration, emit: @escaping PairingEmitter
    ) async throws -> PairingEvent {
        let joiner = JoinerPairing(host: host, ports: ports, environment: environment, recorder: recorder)
        running.withLock { $0 = .calling(joiner) }
        return try await joiner.run(
            .addresses(addresses), deviceName: host.deviceName, timeout: timeout
        ) { event in
            // The person knows what is waited for.
            if event != .looking { try await emit(event) }
        }
    }
}

/// The sentences that a person reads when two devices did not become contacts.
enum ContactPairingError {
    static let several = BatonError(
        .failedPrecondition, reason: "several_devices_pair",
        "Several devices wait to become a contact. Run “baton contacts add --label LABEL” with the label that the one you mean "
            + "shows.")

    private static let sentences: [String: String] = [
        "codes_differ":
            "The codes are not the same, and no contact was added. If there was no typing error, an attacker may be between the "
            + "two devices: try on a network that you trust.",
        "codes_differ_there":
            "The other person says that the codes differ, and no contact was added. If they do, an attacker may be between the "
            + "two devices: try on a network that you trust.",
        "pairing_canceled_there": "It was cancelled on the other device. Run “baton contacts add” on both again.",
        "pairing_ended":
            "The other device ended it: the codes differed, or it was cancelled. Run “baton contacts add” on both again.",
        "pairing_timeout":
            "It took too long, and no contact was added. Run “baton contacts add” on both at the same time.",
        "too_many_pairing_failures":
            "It failed three times. An attacker may be interfering; run “baton contacts add” again when that is clear.",
        "pairing_over": "The other device does not wait any more. Run “baton contacts add” on both again.",
    ]

    /// The pairing's errors name the command that pairs.
    static func worded(_ error: BatonError) -> BatonError {
        guard let sentence = sentences[error.reason] else { return error }
        return BatonError(error.code, reason: error.reason, sentence, cause: error)
    }
}
