package import BatonCore
package import BatonWire
package import Crypto
import Foundation
import SwiftProtobuf

/// The side that joins: which message comes next, and whether the other's answer may be believed.
///
/// Each step can be taken once, in order; after any failure, none can. This device's key, name and proof are only sent
/// (sealed) after its person confirmed the code.
package struct JoinerPairingStateMachine: Sendable {
    private enum Phase: Sendable {
        case start
        case begun
        case revealing(PairingSecrets)
        case shown(PairingSecrets)
        case confirmed(PairingSecrets)
        /// With the key that was sent.
        case exchanging(PairingSecrets, Data)
        case over
    }

    private let purpose: PairingPurpose
    private let key: Curve25519.KeyAgreement.PrivateKey
    private let nonce: [UInt8]
    private var sessionID = ""
    private var phase = Phase.start

    /// - Parameters: both drawn anew for each attempt; the nonce has 32 bytes.
    package init(
        _ purpose: PairingPurpose = .account, key: Curve25519.KeyAgreement.PrivateKey, nonce: [UInt8]
    ) {
        precondition(nonce.count == PairingTranscript.nonceSize, "a pairing nonce has 32 bytes")
        self.purpose = purpose
        self.key = key
        self.nonce = nonce
    }

    private var publicKey: [UInt8] { Array(key.publicKey.rawRepresentation) }

    package mutating func begin() throws(BatonError) -> Baton_Link_V1_BeginPairingRequest {
        guard case .start = advance() else { throw Self.outOfOrder }
        phase = .begun
        return .with {
            $0.protocolVersion = ConnectProtocol.version
            $0.commitment = Data(PairingTranscript.commitment(key: publicKey, nonce: nonce))
        }
    }

    package mutating func reveal(
        after response: Baton_Link_V1_BeginPairingResponse
    ) throws(BatonError) -> Baton_Link_V1_RevealPairingRequest {
        guard case .begun = advance() else { throw Self.outOfOrder }
        guard response.publicKey.count == PairingTranscript.keySize,
            response.nonce.count == PairingTranscript.nonceSize,
            (1...64).contains(response.sessionID.utf8.count)
        else {
            throw BatonError(
                .invalidArgument, reason: "malformed_pairing_message", "The other device's answer is malformed.")
        }
        sessionID = response.sessionID
        let transcript = PairingTranscript(
            purpose: purpose, version: ConnectProtocol.version,
            commitment: PairingTranscript.commitment(key: publicKey, nonce: nonce), sessionID: sessionID,
            sponsorKey: Array(response.publicKey), sponsorNonce: Array(response.nonce),
            joinerKey: publicKey, joinerNonce: nonce)
        phase = .revealing(try PairingSecrets(transcript, own: key, peer: Array(response.publicKey)))
        return .with {
            $0.sessionID = sessionID
            $0.publicKey = Data(publicKey)
            $0.nonce = Data(nonce)
        }
    }

    /// The code to show, once the other side took what was revealed.
    package mutating func code() throws(BatonError) -> PairingCode {
        guard case .revealing(let secrets) = advance() else { throw Self.outOfOrder }
        phase = .shown(secrets)
        return secrets.code
    }

    /// - Throws: `permission_denied` when the codes differ; `failed_precondition` before a code was shown, which harms
    ///   nothing.
    package mutating func confirm(_ verdict: PairingVerdict) throws(BatonError) {
        guard case .shown(let secrets) = phase else {
            throw BatonError(
                .failedPrecondition, reason: "no_code_to_confirm", "There is no pairing code to confirm now.")
        }
        phase = .over
        guard verdict.accepts(secrets.code) else { throw SponsorPairingStateMachine.codesDiffer }
        phase = .confirmed(secrets)
    }

    package mutating func exchange(
        key: P256.Signing.PrivateKey, profile: Baton_Link_V1_DeviceProfile
    ) throws(BatonError) -> Baton_Link_V1_ExchangePairingRequest {
        guard case .confirmed(let secrets) = advance() else { throw Self.outOfOrder }
        let request = try PairingCandidate.request(key: key, profile: profile, secrets)
        let sealed = try secrets.seal(try Self.bytes(of: request), .joinerToSponsor)
        phase = .exchanging(secrets, key.publicKey.x963Representation)
        return .with {
            $0.sessionID = sessionID
            $0.sealed = sealed
        }
    }

    package mutating func finish(
        with response: Baton_Link_V1_ExchangePairingResponse
    ) throws(BatonError) -> Baton_Link_V1_JoinResponse {
        guard purpose == .account, case .exchanging(let secrets, _) = advance() else { throw Self.outOfOrder }
        let plaintext = try secrets.open(response.sealed, .sponsorToJoiner)
        do {
            return try Baton_Link_V1_JoinResponse(serializedBytes: plaintext)
        } catch {
            throw BatonError(
                .dataLoss, reason: "invalid_join_response",
                "The other device's answer cannot be read. Update both devices, then pair again.", cause: error)
        }
    }

    /// The other device, which becomes a contact: it has proved its key, too.
    package mutating func finishContact(
        with response: Baton_Link_V1_ExchangePairingResponse
    ) throws(BatonError) -> PairingCandidate {
        guard purpose == .contact, case .exchanging(let secrets, let own) = advance() else { throw Self.outOfOrder }
        let candidate = try PairingCandidate(try secrets.open(response.sealed, .sponsorToJoiner), secrets)
        // A description that this device gave of itself proves nothing when it is sent back.
        guard candidate.key.x963Representation != own else {
            throw BatonError(
                .permissionDenied, reason: "unproved_device_key", "The other device did not prove its key. Pair again.")
        }
        return candidate
    }

    private static func bytes(of message: some SwiftProtobuf.Message) throws(BatonError) -> Data {
        do {
            return try message.serializedBytes()
        } catch {
            throw BatonError(.internal, reason: "join_request_not_made", "A request could not be made.", cause: error)
        }
    }

    /// The phase until now. It is over unless the step that asks sets the next one.
    private mutating func advance() -> Phase {
        defer { phase = .over }
        return phase
    }

    private static let outOfOrder = BatonError(
        .failedPrecondition, reason: "pairing_out_of_order", "Pairing steps were taken out of order. Pair again.")
}
