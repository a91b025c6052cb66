package import BatonCore
package import BatonWire

/// Makes an announcement recognisable to the account's devices and to no others.
package struct LinkNaming: Sendable {
    /// The TXT entries of an announcement under this instance name.
    package var attributes: @Sendable (_ instance: String) -> [String: String]
    /// Finds the device of an announcement. Discovery data is trusted only enough to dial.
    package var recognise: @Sendable (_ instance: String, _ attributes: [String: String]) -> Recognition
    /// The TLS server name to ask for at the device that announces this instance: another one for each connection.
    /// A device that is given may have reported a newer key since it announced itself.
    package var serverName: @Sendable (_ instance: String, _ device: DeviceID?) -> String
    /// Receives a new name of this device before any other device learns it, so that connections that ask for it are accepted.
    package var announce: @Sendable (_ instance: String) -> Void
    /// An instance name that begins with random text, which the account's devices distinguish from others at a glance.
    package var mark: @Sendable (_ nonce: String) -> String
    /// Whether a name has such a mark. Costs little: asked of everything that is announced.
    package var isMarked: @Sendable (_ instance: String) -> Bool

    package init(
        attributes: @escaping @Sendable (_ instance: String) -> [String: String],
        recognise: @escaping @Sendable (_ instance: String, _ attributes: [String: String]) -> Recognition,
        serverName: @escaping @Sendable (_ instance: String, _ device: DeviceID?) -> String,
        announce: @escaping @Sendable (_ instance: String) -> Void,
        mark: @escaping @Sendable (_ nonce: String) -> String = { $0 },
        isMarked: @escaping @Sendable (_ instance: String) -> Bool = { _ in true }
    ) {
        self.attributes = attributes
        self.recognise = recognise
        self.serverName = serverName
        self.announce = announce
        self.mark = mark
        self.isMarked = isMarked
    }

    package enum Recognition: Hashable, Sendable {
        /// A device of the account; which one, if the announcement shows it.
        case member(DeviceID?)
        case stranger
    }
}

/// The account's membership, as presence needs it.
package struct PresenceMembership: Sendable {
    /// This device; nil while there is no account, or after this device was revoked.
    package var localDevice: @Sendable () -> DeviceID?
    package var standing: @Sendable (DeviceID) -> Standing
    /// The devices that were revoked.
    package var revoked: @Sendable () -> Set<DeviceID>
    /// All that this device knows, for the others.
    package var frame: @Sendable () -> Baton_Link_V1_Membership
    /// Takes in what a device sent. The sender is proven; the statements carry signatures of their own.
    package var merge: @Sendable (Baton_Link_V1_Membership, _ from: DeviceID) async throws -> Void
    /// One element after each change of any of the above. Bounded: several changes may be one element.
    package var changes: @Sendable () -> AsyncStream<Void>

    package init(
        localDevice: @escaping @Sendable () -> DeviceID?,
        standing: @escaping @Sendable (DeviceID) -> Standing,
        revoked: @escaping @Sendable () -> Set<DeviceID>,
        frame: @escaping @Sendable () -> Baton_Link_V1_Membership,
        merge: @escaping @Sendable (Baton_Link_V1_Membership, _ from: DeviceID) async throws -> Void,
        changes: @escaping @Sendable () -> AsyncStream<Void>
    ) {
        self.localDevice = localDevice
        self.standing = standing
        self.revoked = revoked
        self.frame = frame
        self.merge = merge
        self.changes = changes
    }

    package enum Standing: Hashable, Sendable {
        case member
        case revoked
        /// Not heard of yet: it may have joined through another device.
        case unknown
    }
}
