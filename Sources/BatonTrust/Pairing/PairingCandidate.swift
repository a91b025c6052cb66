package import BatonCore
package import BatonWire
package import Crypto
import Foundation
import SwiftProtobuf

/// A device that may be admitted, or remembered as a contact: it has proved its key within a pairing whose code a person
/// confirmed.
package struct PairingCandidate: Sendable {
    package let key: P256.Signing.PublicKey
    package let name: String
    package let profile: Baton_Link_V1_DeviceProfile

    package var deviceID: DeviceID { DeviceID(key: key) }

    private let secrets: PairingSecrets

    /// 32 bytes that the two devices alone have.
    package var tokenKey: [UInt8] { secrets.tokenKey }

    /// - Throws: `invalid_argument` for a malformed request, `permission_denied` for one without proof of its key.
    init(_ plaintext: Data, _ secrets: PairingSecrets) throws(BatonError) {
        guard let request = try? Baton_Link_V1_JoinRequest(serializedBytes: plaintext),
            let key = try? P256.Signing.PublicKey(x963Representation: request.devicePublicKey),
            let proof = try? P256.Signing.ECDSASignature(rawRepresentation: request.proof)
        else {
            throw BatonError(
                .invalidArgument, reason: "malformed_join_request", "The other device's request is malformed.")
        }
        let device = DeviceID(key: key)
        guard key.isValidSignature(proof, for: secrets.purpose.proofDomain + secrets.transcriptHash),
            let (_, profile) = DeviceProfiles.read(request.profile, { $0 == device ? key : nil })
        else {
            throw BatonError(
                .permissionDenied, reason: "unproved_device_key", "The other device did not prove its key. Pair again.")
        }
        self.key = key
        name = profile.name
        self.profile = profile.message
        self.secrets = secrets
    }

    /// This device's own, for the other one.
    package func answer(
        key: P256.Signing.PrivateKey, profile: Baton_Link_V1_DeviceProfile
    ) throws(BatonError) -> Baton_Link_V1_JoinRequest {
        try Self.request(key: key, profile: profile, secrets)
    }

    /// The request of a device with this key.
    static func request(
        key: P256.Signing.PrivateKey, profile: Baton_Link_V1_DeviceProfile, _ secrets: PairingSecrets
    ) throws(BatonError) -> Baton_Link_V1_JoinRequest {
        do {
            var request = Baton_Link_V1_JoinRequest()
            request.devicePublicKey = key.publicKey.x963Representation
            request.proof = try key.signature(for: secrets.purpose.proofDomain + secrets.transcriptHash)
                .rawRepresentation
            request.profile = profile
            return request
        } catch {
            throw BatonError(.internal, reason: "join_request_not_made", "A request could not be made.", cause: error)
        }
    }
}
