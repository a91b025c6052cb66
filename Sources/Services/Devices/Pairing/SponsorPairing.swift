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
        var exchanges: [String: Promise<Data>] = [:]
    }

    /// What the loop in ``run`` performs. At most three attempts of a handful of actions each are ever queued.
    private typealias Action = SponsorPairingStateMachine.Action

    private let account: AccountService
    private let ports: PairingPorts
    private let surroundings: Surroundings
    private let recorder: any EventRecorder
    private let running = Mutex(Running())
    private let actions: AsyncStream<Action>
    private let queue: AsyncStream<Action>.Continuation

    init(account: AccountService, ports: PairingPorts, surroundings: Surroundings, recorder: any EventRecorder) {
        self.account = account
        self.ports = ports
        self.surroundings = surroundings
        self.recorder = recorder
        (actions, queue) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(64))
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

    func reveal(_ request: Baton_Link_V1_RevealPairingRequest) throws(BatonError) -> Baton_Link_V1_RevealPairingResponse {
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

    /// Until a device was let in.
    /// - Throws: when that failed for good, or the time is over.
    func run(timeout: Duration, emit: @escaping PairingEmitter) async throws {
        var router = ConnectRouter()
        PairingHarness(self).register(on: &router)
        let endpoint = try await ports.listener.serve(router)
        let label = String(Base32.encode(surroundings.random(3)).prefix(4))
        do {
            try await announce(Announcement(instance: label, port: endpoint.port, attributes: [:]))
            let waiting = PairingEvent.waiting(label: label, addresses: endpoint.addresses)
            try await emit(waiting)
            try await perform(timeout: timeout, waiting: waiting, emit: emit)
        } catch {
            await end(endpoint)
            throw error
        }
        await end(endpoint)
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

    /// Without multicast a person can still type the address.
    private func announce(_ announcement: Announcement) async throws {
        do {
            try await ports.discovery.announce(announcement, type: PairingPorts.serviceType)
        } catch let error where !(error is CancellationError) {
            recorder.record(
                "pairing", "not_announced",
                "The pairing port could not be announced. Name its address on the other device.",
                ["error": String(describing: error)])
        }
    }

    private func perform(timeout: Duration, waiting: PairingEvent, emit: @escaping PairingEmitter) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { [ports, queue] in
                guard (try? await ports.sleep(timeout)) != nil else { return }
                queue.yield(.closed(Self.timedOut))
            }
            for await action in actions {
                switch action {
                case .startTimer(let session, let stage, let duration):
                    group.addTask { [ports] in
                        guard (try? await ports.sleep(duration)) != nil else { return }
                        _ = try? self.handle(.timer(session: session, stage))
                    }
                case .showCode(let code):
                    try await emit(.code(code.digits))
                case .admit(let session, let candidate):
                    await admit(candidate, session)
                case .failed(let error, let attemptsLeft):
                    recorder.record(
                        "pairing", "attempt_failed", error.message,
                        ["reason": error.reason, "attempts_left": String(attemptsLeft)])
                    try await emit(waiting)
                case .completed(let candidate):
                    guard let snapshot = account.snapshot() else { throw AccountService.noAccount }
                    try await emit(.done(account: snapshot.accountID, device: candidate.deviceID, name: candidate.name))
                    return
                case .closed(let error):
                    throw error
                case .begun, .revealed, .exchangeHeld, .verdictTaken, .refused, .exchangeAnswered, .exchangeRefused:
                    break
                }
            }
            throw CancellationError()
        }
    }

    private func admit(_ candidate: PairingCandidate, _ session: String) async {
        do {
            let response = try await account.admit(candidate.key, profile: candidate.profile)
            _ = try? handle(.admitted(session: session, response))
        } catch {
            let error =
                error as? BatonError
                ?? BatonError(.internal, reason: "not_admitted", "The device could not be added.", cause: error)
            _ = try? handle(.admissionFailed(session: session, error))
        }
    }

    /// Feeds the machine, wakes callers, and queues the rest for ``perform(timeout:waiting:emit:)``.
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
            for action in taken where action.isForLoop { queue.yield(action) }
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
        .deadlineExceeded, reason: "pairing_timeout", "No device was paired in time. Run `baton pair` again.")
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
