package import BatonCore
package import BatonWire
package import Crypto
import Foundation
import SwiftProtobuf

/// The profiles of an account's devices: each device's name, signed by that device.
///
/// Bound: one profile per device of the account (``Membership/maximumDevices``), of ``maximumSize``; profiles of others
/// are not kept.
package struct DeviceProfiles: Sendable {
    /// Bytes of one profile: the longest name, and room for what a newer version may add. All of them travel in one
    /// message with the whole membership.
    package static let maximumSize = 600

    package struct Profile: Sendable, Equatable {
        package let name: String
        /// It exists on paper only.
        package let isRecoveryKey: Bool
        package let timestamp: HybridTimestamp
        /// Built from the parsed fields: unknown ones are neither kept nor passed on.
        package let message: Baton_Link_V1_DeviceProfile
    }

    private static let signingDomain = Data("baton-profile-v1\0".utf8)

    package private(set) var all: [DeviceID: Profile] = [:]

    package init() {}

    package func name(of device: DeviceID) -> String? { all[device]?.name }

    package func isRecoveryKey(_ device: DeviceID) -> Bool { all[device]?.isRecoveryKey ?? false }

    package var messages: [Baton_Link_V1_DeviceProfile] {
        all.sorted { $0.key < $1.key }.map(\.value.message)
    }

    /// Takes in profiles of devices whose key is known; the newest of each wins (of equally new ones, the greater
    /// bytes). Others are dropped: they come again with the next exchange.
    /// - Returns: true when anything changed.
    @discardableResult
    package mutating func merge(_ messages: [Baton_Link_V1_DeviceProfile], membership: Membership) -> Bool {
        var changed = false
        let known = Set(all.values.map(\.message.profile))
        for message in messages.prefix(2 * Membership.maximumDevices) where !known.contains(message.profile) {
            guard let (device, profile) = Self.read(message, { membership.key(of: $0) }) else { continue }
            if let known = all[device], !Self.isNewer(profile, than: known) { continue }
            all[device] = profile
            changed = true
        }
        return changed
    }

    /// - Throws: `invalid_argument` when the name is not one.
    package static func make(
        name: String, isRecoveryKey: Bool = false, timestamp: HybridTimestamp, key: P256.Signing.PrivateKey
    ) throws(BatonError) -> Baton_Link_V1_DeviceProfile {
        var content = Baton_Link_V1_ProfileContent()
        content.deviceID = DeviceID(key: key.publicKey).rawValue
        content.timestamp = timestamp.rawValue
        content.name = try validName(name)
        content.recoveryKey = isRecoveryKey
        do {
            var message = Baton_Link_V1_DeviceProfile()
            message.profile = try content.serializedBytes()
            message.signature = try key.signature(for: signingDomain + message.profile).rawRepresentation
            return message
        } catch {
            throw BatonError(.internal, reason: "profile_not_made", "A profile could not be signed.", cause: error)
        }
    }

    /// A profile that its device signed; nil for anything else.
    package static func read(
        _ message: Baton_Link_V1_DeviceProfile, _ key: (DeviceID) -> P256.Signing.PublicKey?
    ) -> (DeviceID, Profile)? {
        guard message.profile.count <= maximumSize, message.signature.count == 64,
            let content = try? Baton_Link_V1_ProfileContent(serializedBytes: message.profile),
            let device = DeviceID(rawValue: content.deviceID), let key = key(device),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: message.signature),
            key.isValidSignature(signature, for: signingDomain + message.profile),
            let name = try? validName(content.name), name == content.name
        else { return nil }
        let known = Baton_Link_V1_DeviceProfile.with {
            $0.profile = message.profile
            $0.signature = message.signature
        }
        let profile = Profile(
            name: name, isRecoveryKey: content.recoveryKey, timestamp: HybridTimestamp(rawValue: content.timestamp),
            message: known)
        return (device, profile)
    }

    /// The name without space around it.
    /// - Throws: `invalid_argument` unless it is 1 to 100 characters (at most 400 bytes) of one printable line.
    package static func validName(_ name: String) throws(BatonError) -> String {
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
        let isPrintable = name.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: false
            // Directional overrides would let a name pose as another; joiners are part of some scripts and emoji.
            case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
            default: true
            }
        }
        guard isPrintable, (1...100).contains(name.count), name.utf8.count <= 400 else {
            throw BatonError(
                .invalidArgument, reason: "invalid_device_name",
                "A device's name must be 1 to 100 printable characters on one line.")
        }
        return name
    }

    /// Compares two profiles of one device. With equal timestamps the greater bytes win.
    package static func isNewer(_ profile: Profile, than known: Profile) -> Bool {
        profile.timestamp != known.timestamp
            ? profile.timestamp > known.timestamp
            : known.message.profile.lexicographicallyPrecedes(profile.message.profile)
    }
}
