import BatonClient
import BatonConcurrency
import BatonCore
import BatonDiscovery
import BatonTrust
import BatonWire
import Crypto
import Foundation
import SwiftProtobuf
import Synchronization

/// Joins an account, or becomes a contact: finds a device that waits, and runs a ``JoinerPairingStateMachine`` against it.
final class JoinerPairing: Sendable {
    /// How a person said which device to join.
    enum Target: Sendable {
        case addresses([DiscoveredAddress])
        /// By the label that it shows.
        case label(String)
        case any
    }

    /// From the first device that is found to the decision that there is only one.
    static let settleTime: Duration = .seconds(1)
    static let callTimeout: Duration = .seconds(10)
    static let busyRetry: Duration = .milliseconds(500)
    /// Between two attempts at an address that a person named: the other device may not wait yet.
    static let silenceRetry: Duration = .seconds(1)
    static let abandonTimeout: Duration = .seconds(2)

    private let host: any PairingHost
    private let ports: PairingPorts
    private let environment: AccountEnvironment
    private let recorder: any EventRecorder
    /// Nil before a code is shown.
    private let machine: Mutex<JoinerPairingStateMachine?> = Mutex(nil)
    private let confirmation = Promise<Void>()
    private let isConfirmed = Mutex(false)
    /// An address that did not answer, and was named to the person.
    private let silent: Mutex<DiscoveredAddress?> = Mutex(nil)
    /// From the moment on at which the other device may let this one in.
    private let isJoining = Mutex(false)

    init(host: any PairingHost, ports: PairingPorts, environment: AccountEnvironment, recorder: any EventRecorder) {
        self.host = host
        self.ports = ports
        self.environment = environment
        self.recorder = recorder
    }

    /// This device's person answers whether the codes are the same.
    func confirm(_ verdict: PairingVerdict) throws(BatonError) {
        let result: Result<Void, BatonError> = machine.withLock { machine in
            do throws(BatonError) {
                guard machine != nil else { throw Self.noCode }
                try machine?.confirm(verdict)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        // A confirmation before there is a code harms nothing; a "no" ends the pairing.
        if case .failure(let error) = result, error.code == .failedPrecondition { throw error }
        if case .success = result { isConfirmed.withLock { $0 = true } }
        confirmation.settle(result.mapError { $0 })
        try result.get()
    }

    // MARK: Running

    /// Until this device belongs to the account, which is left to the caller to say.
    func run(
        _ target: Target, deviceName: String, timeout: Duration, emit: @escaping PairingEmitter
    ) async throws -> PairingEvent {
        let deviceName = try DeviceProfiles.validName(deviceName)
        try await emit(.looking)
        return try await within(timeout) {
            let addresses = try await self.addresses(of: target, emit)
            return try await self.pair(addresses, of: target, deviceName: deviceName, timeout: timeout, emit)
        }
    }

    private func pair(
        _ addresses: [DiscoveredAddress], of target: Target, deviceName: String, timeout: Duration,
        _ emit: @escaping PairingEmitter
    ) async throws -> PairingEvent {
        var steps = JoinerPairingStateMachine(
            host.purpose, key: Curve25519.KeyAgreement.PrivateKey(),
            nonce: environment.random(PairingTranscript.nonceSize))
        let (begun, connection) = try await begin(try steps.begin(), at: addresses, of: target, emit)
        do {
            let result = try await pair(
                &steps, after: begun, over: connection.client, deviceName: deviceName, timeout: timeout, emit)
            await connection.close()
            return result
        } catch {
            await connection.close()
            throw error
        }
    }

    private func pair(
        _ steps: inout JoinerPairingStateMachine, after begun: Baton_Link_V1_BeginPairingResponse,
        over client: any ConnectClient, deviceName: String, timeout: Duration, _ emit: @escaping PairingEmitter
    ) async throws -> PairingEvent {
        _ = try await client.unary(
            PairingMethods.reveal, try steps.reveal(after: begun), timeout: Self.callTimeout)
        let code = try steps.code()
        machine.withLock { [steps] in $0 = steps }
        do {
            return try await attended(begun.sessionID, over: client, timeout) {
                try await emit(.code(code.digits))
                return try await self.join(after: begun, over: client, deviceName: deviceName, timeout: timeout)
            }
        } catch {
            await abandon(begun.sessionID, over: client, error)
            throw Self.explained(error)
        }
    }

    /// Runs an attempt until it is over, or the other device says that it is.
    private func attended(
        _ session: String, over client: any ConnectClient, _ timeout: Duration,
        _ attempt: @escaping @Sendable () async throws -> PairingEvent
    ) async throws -> PairingEvent {
        try await withThrowingTaskGroup(of: PairingEvent?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                do {
                    _ = try await client.unary(
                        PairingMethods.attend, .with { $0.sessionID = session }, timeout: timeout)
                } catch let error as BatonError where error.isRefusal {
                    throw error
                } catch {
                    try Task.checkCancellation()
                    // The other device is gone. No person waits for a code that it does not show any more; once this device
                    // has asked to be let in, it may have been.
                    if !self.isJoining.withLock({ $0 }) { throw PairingEnd.unexplained }
                }
                return nil
            }
            group.addTask { try await attempt() }
            do {
                while let event = try await group.next() {
                    if let event { return event }
                }
                throw CancellationError()
            } catch {
                group.cancelAll()
                // It may have joined in the same moment, which stays so.
                while let late = await group.nextResult() {
                    if case .success(let event?) = late { return event }
                }
                throw error
            }
        }
    }

    private func join(
        after begun: Baton_Link_V1_BeginPairingResponse, over client: any ConnectClient, deviceName: String,
        timeout: Duration
    ) async throws -> PairingEvent {
        try await confirmation.value()
        isJoining.withLock { $0 = true }
        let deviceKey = P256.Signing.PrivateKey()
        let profile = try DeviceProfiles.make(
            name: deviceName,
            timestamp: HybridTimestamp(milliseconds: environment.clock.milliseconds, counter: 0), key: deviceKey)
        let request = try step { machine throws(BatonError) in
            try machine.exchange(key: deviceKey, profile: profile)
        }
        let answer = try await client.unary(PairingMethods.exchange, request, timeout: timeout)
        return try await host.join(key: deviceKey, deviceName: deviceName, { try step($0) }, answer)
    }

    /// Lets the other device know at once that this one has given up, and why. It would notice too late, or never why.
    private func abandon(_ session: String, over client: any ConnectClient, _ error: any Error) async {
        let reason: Baton_Link_V1_AbandonPairingRequest.Reason =
            switch error {
            case let error as BatonError where error.reason == "codes_differ": .codesDiffer
            case is CancellationError: .canceled
            default: .unspecified
            }
        let request = Baton_Link_V1_AbandonPairingRequest.with {
            $0.sessionID = session
            $0.reason = reason
        }
        // A task of its own, since this one may be cancelled; awaited here. The other device may be gone.
        await Task {
            _ = try? await client.unary(PairingMethods.abandon, request, timeout: Self.abandonTimeout)
        }.value
    }

    /// A person who is asked about a code hears more than that a connection broke.
    private static func explained(_ error: any Error) -> any Error {
        guard let error = error as? BatonError else { return error }
        return error.code == .unavailable || error.reason == "unknown_pairing_session" ? PairingEnd.unexplained : error
    }

    private func step<Value: Sendable>(
        _ body: (inout JoinerPairingStateMachine) throws(BatonError) -> Value
    ) throws(BatonError) -> Value {
        let result: Result<Value, BatonError> = machine.withLock { machine in
            do throws(BatonError) {
                guard var steps = machine else { throw Self.noCode }
                defer { machine = steps }
                return .success(try body(&steps))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Begins at the first address that answers. One that a person named is tried until it does: the other device may
    /// not wait yet, and a firewall may be opened meanwhile.
    private func begin(
        _ request: Baton_Link_V1_BeginPairingRequest, at addresses: [DiscoveredAddress], of target: Target,
        _ emit: @escaping PairingEmitter
    ) async throws -> (Baton_Link_V1_BeginPairingResponse, PairingConnection) {
        while true {
            do {
                return try await begin(request, at: addresses)
            } catch let error as BatonError where error.isSilence {
                guard let address = addresses.first else { throw error }
                let silence = Self.silence(of: address, isNamed: target.isNamed)
                guard target.isNamed else { throw silence }
                let isNew = silent.withLock { silent in
                    defer { silent = address }
                    return silent == nil
                }
                if isNew {
                    try await emit(
                        .attemptEnded(
                            reason: silence.reason, message: "\(silence.message) It is tried again until then."))
                }
                try await ports.sleep(Self.silenceRetry)
            }
        }
    }

    private func begin(
        _ request: Baton_Link_V1_BeginPairingRequest, at addresses: [DiscoveredAddress]
    ) async throws -> (Baton_Link_V1_BeginPairingResponse, PairingConnection) {
        var failure: any Error = BatonError(
            .unavailable, reason: "no_pairing_address", "The other device announced no address. Try again.")
        for address in addresses {
            let connection = try await ports.dialer.connect(to: address)
            do {
                return (try await begin(request, connection.client), connection)
            } catch let error as BatonError where error.code.isRetriable {
                await connection.close()
                failure = error
                recorder.record(
                    "pairing", "not_connected", "An address of the other device does not answer.",
                    ["address": address.description, "reason": error.reason])
            } catch {
                await connection.close()
                throw error
            }
        }
        throw failure
    }

    /// Waits while the other device is busy with another one, e.g. a stranger that holds it up.
    private func begin(
        _ request: Baton_Link_V1_BeginPairingRequest, _ client: any ConnectClient
    ) async throws -> Baton_Link_V1_BeginPairingResponse {
        while true {
            do {
                return try await client.unary(PairingMethods.begin, request, timeout: Self.callTimeout)
            } catch let error as BatonError where error.reason == "pairing_busy" {
                try await ports.sleep(Self.busyRetry)
            }
        }
    }

    private func addresses(of target: Target, _ emit: @escaping PairingEmitter) async throws -> [DiscoveredAddress] {
        let finder = SponsorFinder(ports: ports, recorder: recorder)
        switch target {
        case .addresses(let addresses): return addresses
        case .label(let label): return try await finder.find(label: label, emit).addresses
        case .any: return try await finder.find(label: nil, emit).addresses
        }
    }

    private func within<Result: Sendable>(
        _ timeout: Duration, _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await work() }
            group.addTask { [self] in
                try await ports.sleep(timeout)
                throw timedOut
            }
            do {
                guard let result = try await group.next() else { throw CancellationError() }
                return result
            } catch {
                group.cancelAll()
                // It may have joined in the same moment, which stays so.
                while let late = await group.nextResult() {
                    if case .success(let result) = late { return result }
                }
                throw error
            }
        }
    }

    private static func silence(of address: DiscoveredAddress, isNamed: Bool) -> BatonError {
        let machine = address.host
        let sentence =
            isNamed
            ? "No device answers on TCP port \(address.port) of \(machine). Run “baton pair” on that machine"
            : "A device was found at \(machine), and does not answer on its TCP port \(address.port). Run “baton pair” "
                + "there again"
        return BatonError(
            .unavailable, reason: "pairing_port_silent",
            "\(sentence), and let the port through its firewall (“baton doctor” there says how).")
    }

    private static let noCode = BatonError(
        .failedPrecondition, reason: "no_code_to_confirm", "There is no pairing code to confirm now.")

    /// Says what was waited for.
    private var timedOut: BatonError {
        let isFound = machine.withLock { $0 != nil }
        let cause =
            switch (isFound, isConfirmed.withLock { $0 }) {
            case (false, _) where silent.withLock({ $0 != nil }):
                silent.withLock { $0 }.map { Self.silence(of: $0, isNamed: true).message } ?? ""
            case (false, _):
                "No device with an account answered. Run “baton account create” on the first device, then “baton pair” on "
                    + "both. Where the network carries no multicast, name that device's address with --address."
            case (true, false): "The code was not confirmed here in time. Run “baton pair” on both again."
            case (true, true): "The code was not confirmed on the other device in time. Run “baton pair” on both again."
            }
        return BatonError(.deadlineExceeded, reason: "pairing_timeout", cause)
    }
}

extension JoinerPairing.Target {
    fileprivate var isNamed: Bool {
        if case .addresses = self { true } else { false }
    }
}

extension BatonError {
    /// No device answered, as behind a firewall or where none pairs.
    fileprivate var isSilence: Bool {
        (code == .unavailable || code == .deadlineExceeded) && reason != "no_pairing_address"
    }

    /// The other device ended the attempt, in its own words.
    fileprivate var isRefusal: Bool {
        ["codes_differ_there", "pairing_canceled_there", "pairing_ended", "too_many_pairing_failures"].contains(reason)
            || (reason == "pairing_timeout" && code == .deadlineExceeded)
    }
}
