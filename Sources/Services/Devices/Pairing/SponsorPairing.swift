import BatonConcurrency
import BatonCore
import BatonDiscovery
import BatonTransport
import BatonTrust
import BatonWire
import Crypto
import Foundation
import SwiftProtobuf
import Synchronization

/// Lets one device in, or makes it a contact: runs a ``SponsorPairingStateMachine`` on a port of its own.
final class SponsorPairing: Sendable {
    private struct Running {
        var machine: SponsorPairingStateMachine
        var announcement = Announcement(instance: "", port: 0, attributes: [:])
        var exchanges: [String: Promise<Data>] = [:]
        /// Bound: those of the attempt that runs; its session is known to one device.
        var attending: [(session: String, end: Promise<Void>)] = []
        /// How the last attempt ended, for who asks a moment too late.
        var lastEnd: (session: String, error: BatonError?)?
        /// Every label of this pairing, to distinguish this device's announcements from others.
        var labels: Set<String> = []
    }

    private typealias Action = SponsorPairingStateMachine.Action

    /// An input of the loop in ``perform(timeout:endpoint:emit:)``.
    private enum Step: Sendable {
        case action(Action)
        case relabel
        case found(OtherSponsor)
    }

    /// Labels that others took before this device gives up announcing itself.
    private static let maximumLabels = 8
    /// Other devices that a person hears of.
    private static let maximumSponsors = 8
    /// The state of one attempt.
    private static let maximumAttending = 4

    private let host: any PairingHost
    private let ports: PairingPorts
    private let environment: AccountEnvironment
    private let recorder: any EventRecorder
    private let running: Mutex<Running>
    /// Bound: three attempts of a handful of actions each, and the labels.
    private let steps: AsyncStream<Step>
    private let queue: AsyncStream<Step>.Continuation

    init(host: any PairingHost, ports: PairingPorts, environment: AccountEnvironment, recorder: any EventRecorder) {
        self.host = host
        running = Mutex(Running(machine: SponsorPairingStateMachine(host.purpose)))
        self.ports = ports
        self.environment = environment
        self.recorder = recorder
        (steps, queue) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(64))
    }

    // MARK: Calls of the joining device

    func begin(_ request: Baton_Link_V1_BeginPairingRequest) throws(BatonError) -> Baton_Link_V1_BeginPairingResponse {
        let fresh = SponsorPairingStateMachine.Fresh(
            sessionID: Base32.encode(environment.random(16)), key: Curve25519.KeyAgreement.PrivateKey(),
            nonce: environment.random(32))
        let taken = try handle(.begin(request, fresh))
        for case .begun(let response) in taken { return response }
        throw Self.noAnswer
    }

    func reveal(_ request: Baton_Link_V1_RevealPairingRequest) throws(BatonError) -> Baton_Link_V1_RevealPairingResponse
    {
        _ = try handle(.reveal(request))
        return Baton_Link_V1_RevealPairingResponse()
    }

    /// Answers once this device's person has confirmed.
    func exchange(
        _ request: Baton_Link_V1_ExchangePairingRequest
    ) async throws -> Baton_Link_V1_ExchangePairingResponse {
        let promise = Promise<Data>()
        let taken = try handle(.exchange(request), exchange: promise)
        guard taken.contains(where: { if case .exchangeHeld = $0 { true } else { false } }) else { throw Self.noAnswer }
        do {
            let sealed = try await promise.value()
            return .with { $0.sealed = sealed }
        } catch is CancellationError {
            _ = try? handle(.callEnded(session: request.sessionID))
            throw CancellationError()
        }
    }

    /// Answers when the attempt is over.
    func attend(_ request: Baton_Link_V1_AttendPairingRequest) async throws -> Baton_Link_V1_AttendPairingResponse {
        if let end = running.withLock({ $0.lastEnd }), end.session == request.sessionID {
            if let error = end.error { throw error }
            return Baton_Link_V1_AttendPairingResponse()
        }
        let promise = Promise<Void>()
        _ = try handle(.attend(request), attending: promise)
        do {
            try await promise.value()
            return Baton_Link_V1_AttendPairingResponse()
        } catch is CancellationError {
            _ = try? handle(.callEnded(session: request.sessionID))
            throw CancellationError()
        }
    }

    func abandon(
        _ request: Baton_Link_V1_AbandonPairingRequest
    ) throws(BatonError) -> Baton_Link_V1_AbandonPairingResponse {
        _ = try handle(.abandon(request))
        return Baton_Link_V1_AbandonPairingResponse()
    }

    /// This device's person answers whether the codes are the same.
    func confirm(_ verdict: PairingVerdict) throws(BatonError) {
        _ = try handle(.verdict(verdict))
    }

    // MARK: Running

    /// Runs until a device was admitted, which the caller reports.
    /// - Throws: when that failed for good, or the time is over.
    func run(timeout: Duration, emit: @escaping PairingEmitter) async throws -> PairingEvent {
        var router = ConnectRouter()
        PairingHarness(self).register(on: &router)
        let endpoint = try await ports.listener.serve(router)
        do {
            running.withLock { $0.announcement.port = endpoint.port }
            let waiting = await announce(endpoint)
            try await emit(waiting)
            let result = try await perform(timeout: timeout, endpoint: endpoint, emit: emit)
            await end(endpoint)
            return result
        } catch {
            await end(endpoint)
            throw error
        }
    }

    /// Runs to its end also when the pairing was cancelled.
    private func end(_ endpoint: PairingEndpoint) async {
        queue.finish()
        let (exchanges, attending) = running.withLock { running in
            defer { (running.exchanges, running.attending) = ([:], []) }
            return (running.exchanges, running.attending)
        }
        for promise in exchanges.values { promise.settle(.failure(PairingEnd.canceledThere)) }
        for (_, promise) in attending { promise.settle(.failure(PairingEnd.canceledThere)) }
        // A task of its own, so that it is not cancelled; awaited here.
        await Task {
            try? await self.ports.discovery.announce(nil, type: self.host.serviceType)
            await endpoint.close()
        }.value
    }

    /// Announces this device under a new label. Without multicast a person can still type the address.
    private func announce(_ endpoint: PairingEndpoint) async -> PairingEvent {
        let label = String(Base32.encode(environment.random(3)).prefix(4))
        let attributes = host.attributes(label: label)
        let announcement = running.withLock { running in
            running.announcement.instance = label
            running.announcement.attributes = attributes
            running.labels.insert(label)
            return running.announcement
        }
        do {
            try await ports.discovery.announce(announcement, type: host.serviceType)
        } catch {
            recorder.record(
                "pairing", "not_announced",
                "The pairing port could not be announced. Name its address on the other device.",
                ["error": String(describing: error)])
        }
        return waiting(endpoint)
    }

    private func waiting(_ endpoint: PairingEndpoint) -> PairingEvent {
        .waiting(label: running.withLock { $0.announcement.instance }, addresses: endpoint.addresses)
    }

    private func perform(
        timeout: Duration, endpoint: PairingEndpoint, emit: @escaping PairingEmitter
    ) async throws -> PairingEvent {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { [ports, queue] in
                guard (try? await ports.sleep(timeout)) != nil else { return }
                queue.yield(.action(.closed(Self.timedOut)))
            }
            group.addTask { await self.watchNetwork() }
            var done: PairingEvent?
            for await step in steps {
                switch step {
                case .relabel: try await emit(await announce(endpoint))
                case .found(let sponsor): try await emit(.sponsor(sponsor))
                case .action(.startTimer(let session, let stage, let duration)):
                    group.addTask { [ports] in
                        guard (try? await ports.sleep(duration)) != nil else { return }
                        _ = try? self.handle(.timer(session: session, stage))
                    }
                case .action(.showCode(let code)):
                    try await emit(.code(code.digits))
                case .action(.admit(let session, let candidate)):
                    done = await admit(candidate, session)
                case .action(.failed(let error, let attemptsLeft)):
                    recorder.record(
                        "pairing", "attempt_failed", error.message,
                        ["reason": error.reason, "attempts_left": String(attemptsLeft)])
                    try await emit(.attemptEnded(reason: error.reason, message: error.message))
                    try await emit(waiting(endpoint))
                case .action(.completed):
                    if let done { return done }
                case .action(.closed(let error)):
                    // The time ran out while the device was being admitted: the admission is reported next.
                    if done == nil { throw error }
                case .action:
                    break
                }
            }
            throw CancellationError()
        }
    }

    /// Takes another label when another device on the network claims this one, and reports others that wait as this one
    /// does: two devices that have accounts would wait for each other in vain.
    private func watchNetwork() async {
        var labels = 1
        var told: Set<String> = []
        for await event in ports.discovery.browse(type: host.serviceType) {
            switch event {
            case .nameTaken(let instance):
                guard labels < Self.maximumLabels, running.withLock({ $0.announcement.instance }) == instance else {
                    continue
                }
                labels += 1
                queue.yield(.relabel)
            case .found(let service):
                let label = service.instance.uppercased()
                guard told.count < Self.maximumSponsors, !running.withLock({ $0.labels.contains(label) }),
                    told.insert(label).inserted,
                    let other = host.other(label: label, attributes: service.attributes)
                else { continue }
                queue.yield(.found(other))
            case .lost, .networkChanged, .unavailable: break
            }
        }
    }

    /// - Returns: what the person is shown once `completed` follows; nil when the device was not admitted.
    private func admit(_ candidate: PairingCandidate, _ session: String) async -> PairingEvent? {
        do {
            let (answer, done) = try await host.admit(candidate)
            let taken = try handle(.admitted(session: session, answer))
            return taken.contains { if case .completed = $0 { true } else { false } } ? done : nil
        } catch {
            let error =
                error as? BatonError
                ?? BatonError(.internal, reason: "not_admitted", "The device could not be added.", cause: error)
            _ = try? handle(.admissionFailed(session: session, error))
            return nil
        }
    }

    /// Feeds the machine, wakes callers, and queues the rest for ``perform(timeout:endpoint:emit:)``.
    /// - Throws: the machine's refusal of this input.
    @discardableResult
    private func handle(
        _ input: SponsorPairingStateMachine.Input, exchange: Promise<Data>? = nil, attending: Promise<Void>? = nil
    ) throws(BatonError) -> [Action] {
        var answers: [(Promise<Data>, Result<Data, any Error>)] = []
        var ends: [(Promise<Void>, Result<Void, any Error>)] = []
        let taken = running.withLock { running in
            let taken = running.machine.handle(input)
            for action in taken {
                switch action {
                case .exchangeHeld(let session): running.exchanges[session] = exchange
                case .exchangeAnswered(let session, let sealed):
                    if let promise = running.exchanges.removeValue(forKey: session) {
                        answers.append((promise, .success(sealed)))
                    }
                case .exchangeRefused(let session, let error):
                    if let promise = running.exchanges.removeValue(forKey: session) {
                        answers.append((promise, .failure(error)))
                    }
                case .attendHeld(let session):
                    guard let attending else { break }
                    running.attending.append((session, attending))
                    if running.attending.count > Self.maximumAttending {
                        ends.append((running.attending.removeFirst().end, .failure(Self.noAnswer)))
                    }
                case .attemptEnded(let session, let error):
                    for (other, promise) in running.attending where other == session {
                        ends.append((promise, error.map { .failure($0) } ?? .success(())))
                    }
                    running.attending.removeAll { $0.session == session }
                    running.lastEnd = (session, error)
                default: break
                }
            }
            // In the lock, so that actions are queued in the order in which they were decided.
            for action in taken where action.isForLoop { queue.yield(.action(action)) }
            return taken
        }
        for (promise, result) in answers { promise.settle(result) }
        for (promise, result) in ends { promise.settle(result) }
        for case .refused(let error) in taken { throw error }
        return taken
    }

    private static let noAnswer = BatonError(
        .internal, reason: "no_pairing_answer", "The pairing message was taken, but has no answer.")
    private static let timedOut = BatonError(
        .deadlineExceeded, reason: "pairing_timeout",
        "No device joined in time. Run “baton pair” again here and on the device that is to join; one that has an account "
            + "of its own leaves that first (“baton account leave”).")
}

extension SponsorPairingStateMachine.Action {
    /// Callers of the machine are answered by themselves; they must not fill the loop's queue.
    fileprivate var isForLoop: Bool {
        switch self {
        case .begun, .revealed, .exchangeHeld, .attendHeld, .abandoned, .verdictTaken, .refused, .exchangeAnswered,
            .exchangeRefused, .attemptEnded:
            false
        case .startTimer, .showCode, .admit, .failed, .completed, .closed: true
        }
    }
}
