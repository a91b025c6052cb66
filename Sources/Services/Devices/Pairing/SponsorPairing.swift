import BatonCore
import BatonTransport
import BatonTrust
import BatonWire
import Crypto
import Foundation
import SwiftProtobuf
import Synchronization

/// Lets one device in: runs a ``SponsorPairingStateMachine`` on a port of its own.
final class SponsorPairing: Sendable {
    private struct Running {
        var machine = SponsorPairingStateMachine()
        var announcement = Announcement(instance: "", port: 0, attributes: [:])
        var exchanges: [String: Promise<Data>] = [:]
    }

    private typealias Action = SponsorPairingStateMachine.Action

    /// What the loop in ``perform(timeout:endpoint:emit:)`` does.
    private enum Step: Sendable {
        case action(Action)
        case relabel
    }

    /// Labels that others took before this device gives up announcing itself.
    private static let maximumLabels = 8

    private let account: AccountService
    private let ports: PairingPorts
    private let surroundings: Surroundings
    private let recorder: any EventRecorder
    private let running = Mutex(Running())
    /// Bound: three attempts of a handful of actions each, and the labels.
    private let steps: AsyncStream<Step>
    private let queue: AsyncStream<Step>.Continuation

    init(account: AccountService, ports: PairingPorts, surroundings: Surroundings, recorder: any EventRecorder) {
        self.account = account
        self.ports = ports
        self.surroundings = surroundings
        self.recorder = recorder
        (steps, queue) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(64))
    }

    // MARK: Calls of the joining device

    func begin(_ request: Baton_Link_V1_BeginPairingRequest) throws(BatonError) -> Baton_Link_V1_BeginPairingResponse {
        let fresh = SponsorPairingStateMachine.Fresh(
            sessionID: Base32.encode(surroundings.random(16)), key: Curve25519.KeyAgreement.PrivateKey(),
            nonce: surroundings.random(32))
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
            _ = try? handle(.exchangeAbandoned(session: request.sessionID))
            throw CancellationError()
        }
    }

    /// What this device's person says of the code.
    func confirm(_ verdict: PairingVerdict) throws(BatonError) {
        _ = try handle(.verdict(verdict))
    }

    // MARK: Running

    /// Until a device was let in, which is left to the caller to tell.
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
        let exchanges = running.withLock { running in
            defer { running.exchanges = [:] }
            return running.exchanges
        }
        for promise in exchanges.values { promise.settle(.failure(Self.ended)) }
        // A task of its own, so that it is not cancelled; awaited here.
        await Task {
            try? await self.ports.discovery.announce(nil, type: PairingPorts.serviceType)
            await endpoint.close()
        }.value
    }

    /// Announces this device under a new label. Without multicast a person can still type the address.
    private func announce(_ endpoint: PairingEndpoint) async -> PairingEvent {
        let label = String(Base32.encode(surroundings.random(3)).prefix(4))
        let announcement = running.withLock { running in
            running.announcement.instance = label
            return running.announcement
        }
        do {
            try await ports.discovery.announce(announcement, type: PairingPorts.serviceType)
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
            group.addTask { await self.watchLabel() }
            var isAdmitted = false
            for await step in steps {
                switch step {
                case .relabel: try await emit(await announce(endpoint))
                case .action(.startTimer(let session, let stage, let duration)):
                    group.addTask { [ports] in
                        guard (try? await ports.sleep(duration)) != nil else { return }
                        _ = try? self.handle(.timer(session: session, stage))
                    }
                case .action(.showCode(let code)):
                    try await emit(.code(code.digits))
                case .action(.admit(let session, let candidate)):
                    isAdmitted = await admit(candidate, session)
                case .action(.failed(let error, let attemptsLeft)):
                    recorder.record(
                        "pairing", "attempt_failed", error.message,
                        ["reason": error.reason, "attempts_left": String(attemptsLeft)])
                    try await emit(waiting(endpoint))
                case .action(.completed(let candidate)):
                    guard let snapshot = account.snapshot() else { throw AccountService.noAccount }
                    return .done(account: snapshot.accountID, device: candidate.deviceID, name: candidate.name)
                case .action(.closed(let error)):
                    // The time ran out while the device was let in: that it was is told next.
                    if !isAdmitted { throw error }
                case .action:
                    break
                }
            }
            throw CancellationError()
        }
    }

    /// Takes another label when somebody else on the network claims this one.
    private func watchLabel() async {
        var labels = 1
        for await event in ports.discovery.browse(type: PairingPorts.serviceType) {
            guard case .nameTaken(let instance) = event, labels < Self.maximumLabels,
                running.withLock({ $0.announcement.instance }) == instance
            else { continue }
            labels += 1
            queue.yield(.relabel)
        }
    }

    /// - Returns: whether the device was let in, and `completed` follows.
    private func admit(_ candidate: PairingCandidate, _ session: String) async -> Bool {
        do {
            let response = try await account.admit(candidate.key, profile: candidate.profile)
            let taken = try handle(.admitted(session: session, response))
            return taken.contains { if case .completed = $0 { true } else { false } }
        } catch {
            let error =
                error as? BatonError
                ?? BatonError(.internal, reason: "not_admitted", "The device could not be added.", cause: error)
            _ = try? handle(.admissionFailed(session: session, error))
            return false
        }
    }

    /// Feeds the machine, wakes callers, and queues the rest for ``perform(timeout:endpoint:emit:)``.
    /// - Throws: the machine's refusal of this input.
    @discardableResult
    private func handle(
        _ input: SponsorPairingStateMachine.Input, exchange: Promise<Data>? = nil
    ) throws(BatonError) -> [Action] {
        var answers: [(Promise<Data>, Result<Data, any Error>)] = []
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
                default: break
                }
            }
            // In the lock, so that actions are queued in the order in which they were decided.
            for action in taken where action.isForLoop { queue.yield(.action(action)) }
            return taken
        }
        for (promise, result) in answers { promise.settle(result) }
        for case .refused(let error) in taken { throw error }
        return taken
    }

    private static let noAnswer = BatonError(
        .internal, reason: "no_pairing_answer", "The pairing message was taken, but has no answer.")
    private static let ended = BatonError(
        .aborted, reason: "pairing_ended", "Pairing has ended on the other device. Pair again.")
    private static let timedOut = BatonError(
        .deadlineExceeded, reason: "pairing_timeout", "No device was paired in time. Run “baton pair” again.")
}

extension SponsorPairingStateMachine.Action {
    /// Callers of the machine are answered by themselves; they must not fill the loop's queue.
    fileprivate var isForLoop: Bool {
        switch self {
        case .begun, .revealed, .exchangeHeld, .verdictTaken, .refused, .exchangeAnswered, .exchangeRefused: false
        case .startTimer, .showCode, .admit, .failed, .completed, .closed: true
        }
    }
}
