package import BatonCore
package import BatonWire
package import Crypto
package import Foundation
package import SwiftProtobuf

/// The side that admits a device: it decides which answers to send, and when.
///
/// One joining device at a time. Every step has one place in the order Begin, Reveal, Exchange; a step out of order or
/// a second time, a wrong commitment, a message that does not open, or a person's "no" ends that attempt for good. An
/// attempt is counted from Begin, because who begins knows the code at once and could otherwise try for free: after
/// ``maximumFailures`` failed attempts no device can pair until a person asks again. So a device in the middle has at most
/// three guesses of one in a million, and each wrong one shows as two codes that differ.
///
/// Nothing that the joining device sends is opened before this device's person has confirmed the code.
package struct SponsorPairingStateMachine: Sendable {
    package static let maximumFailures = 3
    /// From Begin to Reveal: machines only.
    package static let revealTime: Duration = .seconds(5)
    /// From Reveal to the end: people compare.
    package static let consentTime: Duration = .seconds(60)

    /// Random values drawn for each attempt.
    package struct Fresh: Sendable {
        package let sessionID: String
        package let key: Curve25519.KeyAgreement.PrivateKey
        /// 32 bytes.
        package let nonce: [UInt8]

        package init(sessionID: String, key: Curve25519.KeyAgreement.PrivateKey, nonce: [UInt8]) {
            self.sessionID = sessionID
            self.key = key
            self.nonce = nonce
        }
    }

    package enum Input: Sendable {
        case begin(Baton_Link_V1_BeginPairingRequest, Fresh)
        case reveal(Baton_Link_V1_RevealPairingRequest)
        case exchange(Baton_Link_V1_ExchangePairingRequest)
        /// The other device asks to hear how the attempt ends.
        case attend(Baton_Link_V1_AttendPairingRequest)
        /// The other device says why it ends the attempt.
        case abandon(Baton_Link_V1_AbandonPairingRequest)
        /// A call that the other device held open during the attempt has gone away.
        case callEnded(session: String)
        case verdict(PairingVerdict)
        case timer(session: String, Stage)
        /// The candidate was let in, or remembered; this is for it.
        case admitted(session: String, any SwiftProtobuf.Message)
        case admissionFailed(session: String, BatonError)
    }

    package enum Stage: Sendable, Equatable { case reveal, consent }

    package enum Action: Sendable {
        /// The answer to the caller of this input.
        case begun(Baton_Link_V1_BeginPairingResponse)
        case revealed
        /// The caller of this exchange waits for ``exchangeAnswered`` or ``exchangeRefused``.
        case exchangeHeld(session: String)
        /// The caller waits for ``attemptEnded``.
        case attendHeld(session: String)
        case abandoned
        case verdictTaken
        case refused(BatonError)

        case exchangeAnswered(session: String, Data)
        case exchangeRefused(session: String, BatonError)
        /// The result of an attempt for the other device; nil: it was admitted.
        case attemptEnded(session: String, BatonError?)
        case startTimer(session: String, Stage, Duration)
        case showCode(PairingCode)
        /// A person confirmed: add the device, then say so.
        case admit(session: String, PairingCandidate)
        /// An attempt failed; more may be made.
        case failed(BatonError, attemptsLeft: Int)
        case completed(PairingCandidate)
        /// No more attempts.
        case closed(BatonError)
    }

    private enum Phase: Sendable {
        case waiting
        case begun(Fresh, commitment: [UInt8])
        case revealed(Fresh, PairingSecrets, isConfirmed: Bool, sealed: Data?)
        case admitting(Fresh, PairingSecrets, PairingCandidate)
        case over
    }

    private let purpose: PairingPurpose
    private var phase = Phase.waiting
    private var failures = 0

    package init(_ purpose: PairingPurpose = .account) { self.purpose = purpose }

    package mutating func handle(_ input: Input) -> [Action] {
        switch input {
        case .begin(let request, let fresh): begin(request, fresh)
        case .reveal(let request): reveal(request)
        case .exchange(let request): exchange(request)
        case .attend(let request):
            request.sessionID == sessionID
                ? [.attendHeld(session: request.sessionID)] : [.refused(Self.unknownSession)]
        case .abandon(let request):
            request.sessionID == sessionID
                ? [.abandoned] + abandon(request.sessionID, Self.reason(request.reason))
                : [.refused(Self.unknownSession)]
        case .callEnded(let session): abandon(session, PairingEnd.canceledThere)
        case .verdict(let verdict): take(verdict)
        case .timer(let session, let stage): expire(session, stage)
        case .admitted(let session, let response): finish(session, response)
        case .admissionFailed(let session, let error): session == sessionID ? fail(error) : []
        }
    }

    private var sessionID: String? {
        switch phase {
        case .waiting, .over: nil
        case .begun(let fresh, _), .revealed(let fresh, _, _, _), .admitting(let fresh, _, _): fresh.sessionID
        }
    }

    // MARK: Calls

    private mutating func begin(_ request: Baton_Link_V1_BeginPairingRequest, _ fresh: Fresh) -> [Action] {
        switch phase {
        case .over: return [.refused(Self.isOver)]
        case .waiting: break
        default:
            return [
                .refused(
                    BatonError(
                        .unavailable, reason: "pairing_busy",
                        "Another device is pairing with that one just now. Try again in a moment."))
            ]
        }
        guard request.protocolVersion == ConnectProtocol.version else {
            return [
                .refused(
                    BatonError(
                        .unimplemented, reason: "pairing_version",
                        "The two devices speak different versions of pairing. Update Baton on both."))
            ]
        }
        guard request.commitment.count == 32 else {
            return [.refused(Self.malformed)]
        }
        phase = .begun(fresh, commitment: Array(request.commitment))
        let response = Baton_Link_V1_BeginPairingResponse.with {
            $0.sessionID = fresh.sessionID
            $0.publicKey = fresh.key.publicKey.rawRepresentation
            $0.nonce = Data(fresh.nonce)
        }
        return [.begun(response), .startTimer(session: fresh.sessionID, .reveal, Self.revealTime)]
    }

    private mutating func reveal(_ request: Baton_Link_V1_RevealPairingRequest) -> [Action] {
        guard request.sessionID == sessionID else { return [.refused(Self.unknownSession)] }
        guard case .begun(let fresh, let commitment) = phase else { return failAndRefuse(Self.outOfOrder) }
        let key = Array(request.publicKey)
        let nonce = Array(request.nonce)
        guard key.count == PairingTranscript.keySize, nonce.count == PairingTranscript.nonceSize else {
            return failAndRefuse(Self.malformed)
        }
        guard ConstantTime.equal(PairingTranscript.commitment(key: key, nonce: nonce), commitment) else {
            return failAndRefuse(
                BatonError(
                    .permissionDenied, reason: "wrong_commitment",
                    "The other device changed its mind while pairing; something may be between the two. Pair again."))
        }
        let transcript = PairingTranscript(
            purpose: purpose, version: ConnectProtocol.version, commitment: commitment, sessionID: fresh.sessionID,
            sponsorKey: Array(fresh.key.publicKey.rawRepresentation), sponsorNonce: fresh.nonce, joinerKey: key,
            joinerNonce: nonce)
        do throws(BatonError) {
            let secrets = try PairingSecrets(transcript, own: fresh.key, peer: key)
            phase = .revealed(fresh, secrets, isConfirmed: false, sealed: nil)
            return [
                .revealed, .showCode(secrets.code), .startTimer(session: fresh.sessionID, .consent, Self.consentTime),
            ]
        } catch {
            return failAndRefuse(error)
        }
    }

    private mutating func exchange(_ request: Baton_Link_V1_ExchangePairingRequest) -> [Action] {
        guard request.sessionID == sessionID else { return [.refused(Self.unknownSession)] }
        // Too late to undo anything: the first exchange gets its answer.
        if case .admitting = phase { return [.refused(Self.outOfOrder)] }
        guard case .revealed(let fresh, let secrets, let isConfirmed, nil) = phase else {
            return failAndRefuse(Self.outOfOrder)
        }
        phase = .revealed(fresh, secrets, isConfirmed: isConfirmed, sealed: request.sealed)
        return [.exchangeHeld(session: fresh.sessionID)] + openIfConfirmed()
    }

    private mutating func abandon(_ session: String, _ error: BatonError) -> [Action] {
        guard session == sessionID else { return [] }
        // A device that is being added is added; it may have the answer.
        if case .admitting = phase { return [] }
        return fail(error)
    }

    private static func reason(_ reason: Baton_Link_V1_AbandonPairingRequest.Reason) -> BatonError {
        switch reason {
        case .codesDiffer: PairingEnd.codesDifferThere
        case .canceled: PairingEnd.canceledThere
        case .unspecified, .UNRECOGNIZED: PairingEnd.unexplained
        }
    }

    // MARK: The person

    private mutating func take(_ verdict: PairingVerdict) -> [Action] {
        guard case .revealed(let fresh, let secrets, false, let sealed) = phase else {
            return [
                .refused(
                    BatonError(
                        .failedPrecondition, reason: "no_code_to_confirm", "There is no pairing code to confirm now."))
            ]
        }
        guard verdict.accepts(secrets.code) else { return failAndRefuse(Self.codesDiffer) }
        phase = .revealed(fresh, secrets, isConfirmed: true, sealed: sealed)
        return [.verdictTaken] + openIfConfirmed()
    }

    /// Opens what the joining device sent, once it is there and this device's person has confirmed.
    private mutating func openIfConfirmed() -> [Action] {
        guard case .revealed(let fresh, let secrets, true, let sealed?) = phase else { return [] }
        do throws(BatonError) {
            let candidate = try PairingCandidate(try secrets.open(sealed, .joinerToSponsor), secrets)
            phase = .admitting(fresh, secrets, candidate)
            return [.admit(session: fresh.sessionID, candidate)]
        } catch {
            return fail(error)
        }
    }

    private mutating func finish(_ session: String, _ response: any SwiftProtobuf.Message) -> [Action] {
        guard session == sessionID, case .admitting(_, let secrets, let candidate) = phase else { return [] }
        do {
            let sealed = try secrets.seal(response.serializedBytes(), .sponsorToJoiner)
            phase = .over
            return [
                .exchangeAnswered(session: session, sealed), .attemptEnded(session: session, nil),
                .completed(candidate),
            ]
        } catch {
            return fail(
                BatonError(.internal, reason: "join_response_not_made", "An answer could not be made.", cause: error))
        }
    }

    // MARK: Failing

    private mutating func expire(_ session: String, _ stage: Stage) -> [Action] {
        guard session == sessionID else { return [] }
        switch (phase, stage) {
        case (.begun, .reveal), (.revealed, .consent):
            return fail(
                BatonError(
                    .deadlineExceeded, reason: "pairing_timeout",
                    "The other device or its person took too long. Pair again."))
        default: return []
        }
    }

    private mutating func failAndRefuse(_ error: BatonError) -> [Action] { [.refused(error)] + fail(error) }

    /// Ends the attempt; its session never becomes valid again.
    private mutating func fail(_ error: BatonError) -> [Action] {
        var actions: [Action] = []
        let told = PairingEnd.told(error)
        switch phase {
        case .revealed(let fresh, _, _, .some), .admitting(let fresh, _, _):
            actions.append(.exchangeRefused(session: fresh.sessionID, told))
        default: break
        }
        if let sessionID { actions.append(.attemptEnded(session: sessionID, told)) }
        failures += 1
        if failures >= Self.maximumFailures {
            phase = .over
            return actions + [.closed(Self.tooManyFailures)]
        }
        phase = .waiting
        return actions + [.failed(error, attemptsLeft: Self.maximumFailures - failures)]
    }

    private static let malformed = BatonError(
        .invalidArgument, reason: "malformed_pairing_message", "A pairing message is malformed.")
    private static let unknownSession = BatonError(
        .notFound, reason: "unknown_pairing_session", "There is no such pairing attempt (any more). Pair again.")
    private static let outOfOrder = BatonError(
        .failedPrecondition, reason: "pairing_out_of_order", "A pairing message came out of order. Pair again.")
    private static let isOver = BatonError(
        .failedPrecondition, reason: "pairing_over", "That device does not pair any more. Run “baton pair” on it again."
    )
    static let codesDiffer = BatonError(
        .permissionDenied, reason: "codes_differ",
        "The codes are not the same. If there was no typing error, an attacker may be between the two devices: do not pair here."
    )
    private static let tooManyFailures = BatonError(
        .resourceExhausted, reason: "too_many_pairing_failures",
        "Pairing failed three times. An attacker may be interfering; run “baton pair” again when that is clear.")
}
