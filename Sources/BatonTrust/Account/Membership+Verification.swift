package import BatonCore
import Crypto

/// The identity of a TLS peer.
package struct PeerVerdict: Hashable, Sendable {
    package enum Standing: Hashable, Sendable {
        case member
        /// Its certificate leads to a member, but the statement that added it has not arrived here. The first thing
        /// that the link exchanges is the membership; a peer that is no member after that is disconnected.
        case provisional
    }

    package let deviceID: DeviceID
    package let standing: Standing

    package init(deviceID: DeviceID, standing: Standing) {
        self.deviceID = deviceID
        self.standing = standing
    }
}

extension Membership {
    /// Judges the certificates that a peer showed, leaf first. TLS has proved that it holds the leaf's key.
    ///
    /// Dates are not checked (see ``DeviceCertificate``). A failure is `unauthenticated` for a stranger or garbage and
    /// `permission_denied` for a revoked device and the devices that it admitted.
    package func verify(chainDER: [[UInt8]]) -> Result<PeerVerdict, BatonError> {
        do throws(BatonError) {
            return .success(try judge(chainDER))
        } catch {
            return .failure(error)
        }
    }

    private func judge(_ chainDER: [[UInt8]]) throws(BatonError) -> PeerVerdict {
        guard let leafDER = chainDER.first, chainDER.count <= DeviceCertificate.maximumChainLength else {
            throw Self.stranger("it sent no certificate, or too many")
        }
        let leaf = try Self.read(leafDER)
        guard let device = leaf.deviceID else { throw Self.stranger("its certificate does not name its own key") }
        try refuseRevoked(device)
        if isMember(device) { return PeerVerdict(deviceID: device, standing: .member) }
        try judgeSponsors(of: leaf, device, Array(chainDER.dropFirst()))
        return PeerVerdict(deviceID: device, standing: .provisional)
    }

    /// Follows the chain, signature by signature, to a current member.
    ///
    /// The root alone vouches for no device: the only one that it ever admitted is known from the beginning.
    private func judgeSponsors(of leaf: DeviceCertificate, _ device: DeviceID, _ chainDER: [[UInt8]]) throws(BatonError)
    {
        var certificate = leaf
        var device = device
        var remaining = chainDER[...]
        while true {
            guard let sponsor = DeviceID(rawValue: certificate.issuer), sponsor != device else {
                throw Self.stranger("its certificate does not lead to a device of this account")
            }
            try refuseRevoked(sponsor)
            if isMember(sponsor), let key = keys[sponsor] {
                guard certificate.isSigned(by: key) else { throw Self.stranger("its certificate is forged") }
                // A sponsor whose addition of this device is known, or that can add none any more, vouches in vain.
                guard !isForked(sponsor), !hasAddition(of: device, by: sponsor) else {
                    throw Self.stranger("the statement that added it does not count")
                }
                return
            }
            guard let der = remaining.popFirst() else {
                throw Self.stranger("its certificate does not lead to a device of this account")
            }
            let next = try Self.read(der)
            guard next.deviceID == sponsor, certificate.isSigned(by: next.key) else {
                throw Self.stranger("its certificate is forged")
            }
            guard !hasAddition(of: device, by: sponsor) else {
                throw Self.stranger("the statement that added it does not count")
            }
            certificate = next
            device = sponsor
        }
    }

    private func hasAddition(of device: DeviceID, by sponsor: DeviceID) -> Bool {
        statements.contains { statement in
            guard statement.signer == .device(sponsor), case .add(device, _) = statement.kind else { return false }
            return true
        }
    }

    private func refuseRevoked(_ device: DeviceID) throws(BatonError) {
        guard isRevoked(device) else { return }
        throw BatonError(
            .permissionDenied, reason: "device_revoked",
            "The other device was revoked, or was admitted by one that was. Pair it again as a new device.")
    }

    private static func read(_ der: [UInt8]) throws(BatonError) -> DeviceCertificate {
        do {
            return try DeviceCertificate(der: der)
        } catch {
            throw stranger("its certificate cannot be read")
        }
    }

    private static func stranger(_ why: String) -> BatonError {
        BatonError(
            .unauthenticated, reason: "not_of_this_account",
            "The other device is not of this account: \(why). Pair it with “baton pair”.")
    }
}
