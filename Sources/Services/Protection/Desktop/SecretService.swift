package import BatonCore
package import SessionBus

/// Keeps the secret that opens sealed files while the person's desktop is unlocked.
package protocol SecretKeeping: Sendable {
    /// Blocks.
    /// - Throws: `unavailable` where nothing keeps secrets; `failed_precondition` when it is locked.
    func store(_ secret: String) throws(BatonError)
    /// Blocks.
    /// - Throws: as `store`; `not_found` when it is not there.
    func secret() throws(BatonError) -> String
    /// Blocks. A secret that is not there needs no removal.
    func remove()
}

/// The desktop's Secret Service (`org.freedesktop.secrets`): GNOME Keyring, KWallet, KeePassXC. Only on the machine itself:
/// secrets travel over the session's bus as they are.
package struct SecretService: SecretKeeping {
    private static let service = "org.freedesktop.secrets"
    private static let prefix = "org.freedesktop.Secret"
    private static let label = "Baton: files that came while this device was locked"
    private static let maximumSize = 1024

    private let address: String?
    private let attributes: [String: String]
    private let trust: BusTrust

    /// - Parameters:
    ///   - address: of the session's bus; nil where there is none.
    ///   - device: distinguishes the devices of one person: the folder of the daemon's data.
    ///   - trust: judges the service before it gets the secret.
    package init(address: String?, device: String, trust: @escaping BusTrust) {
        self.address = address
        self.trust = trust
        attributes = ["application": "baton", "purpose": "data-protection", "device": device]
    }

    package func store(_ secret: String) throws(BatonError) {
        try connected { keyring throws(BatonError) in
            let session = try openSession(keyring)
            let main = keyring.target("/org/freedesktop/secrets", "Service")
            let alias = try call(keyring, main, "ReadAlias") { $0.string("default") }
            guard let collection = alias.text("o"), collection != "/" else {
                throw BatonError(
                    .unavailable, reason: "no_keyring",
                    "The desktop has no keyring for secrets yet. Make one, or set a passphrase: “baton lock "
                        + "--set-passphrase”.")
            }
            let answer = try call(keyring, keyring.target(collection, "Collection"), "CreateItem") { writer in
                writer.array(of: "{sv}") { writer in
                    writer.entry("\(Self.prefix).Item.Label", Self.label)
                    writer.entry("\(Self.prefix).Item.Attributes", "a{ss}") { $0.dictionary(attributes) }
                }
                writer.structure("oayays") { writer in
                    writer.string(session, as: "o")
                    writer.bytes([])
                    writer.bytes(Array(secret.utf8))
                    writer.string("text/plain")
                }
                writer.boolean(true)
            }
            // Without an item a person would have to answer a question of the keyring's.
            guard let item = answer.text("o"), item != "/" else { throw Self.locked }
        }
    }

    package func secret() throws(BatonError) -> String {
        try connected { keyring throws(BatonError) in
            let session = try openSession(keyring)
            let (open, closed) = try items(keyring)
            guard let item = open.first else { throw closed.isEmpty ? Self.missing : Self.locked }
            let answer = try call(keyring, keyring.target(item, "Item"), "GetSecret") { $0.string(session, as: "o") }
            let bytes: [UInt8]? = answer.container("r", "oayays") {
                guard answer.skip("oay"), let bytes = answer.bytes(), answer.skip("s") else { return nil }
                return bytes
            }
            guard let bytes, !bytes.isEmpty, bytes.count <= Self.maximumSize else { throw Self.missing }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    package func remove() {
        try? connected { keyring throws(BatonError) in
            for item in try items(keyring).open { _ = try call(keyring, keyring.target(item, "Item"), "Delete") }
        }
    }

    // MARK: Calls

    /// The process that keeps secrets, by its own name on the bus: none of what it is sent reaches a program that takes the service's
    /// name meanwhile.
    private struct Keyring {
        let bus: BusConnection
        let owner: String

        func target(_ path: String, _ interface: String) -> BusObject {
            BusObject(service: owner, path: path, interface: "\(SecretService.prefix).\(interface)")
        }
    }

    private func connected<Value>(_ body: (Keyring) throws(BatonError) -> Value) throws(BatonError) -> Value {
        guard let address, let bus = BusConnection(address: address) else { throw Self.unavailable }
        defer { bus.close() }
        guard let owner = bus.trustedOwner(of: Self.service, mayStart: true, trust) else { throw Self.unavailable }
        return try body(Keyring(bus: bus, owner: owner))
    }

    private func call(
        _ keyring: Keyring, _ target: BusObject, _ member: String,
        _ write: (inout BusWriter) -> Void = { _ in }
    ) throws(BatonError) -> BusMessage {
        do {
            return try keyring.bus.call(target, member, timeout: .seconds(10), write)
        } catch {
            throw error.name.hasSuffix(".IsLocked") ? Self.locked : Self.unavailable
        }
    }

    private func openSession(_ keyring: Keyring) throws(BatonError) -> String {
        let service = keyring.target("/org/freedesktop/secrets", "Service")
        let answer = try call(keyring, service, "OpenSession") { writer in
            writer.string("plain")
            writer.variant("s") { $0.string("") }
        }
        guard answer.skip("v"), let session = answer.text("o") else { throw Self.unavailable }
        return session
    }

    private func items(_ keyring: Keyring) throws(BatonError) -> (open: [String], closed: [String]) {
        let answer = try call(keyring, keyring.target("/org/freedesktop/secrets", "Service"), "SearchItems") {
            $0.dictionary(attributes)
        }
        guard let open = answer.texts("o", limit: 16), let closed = answer.texts("o", limit: 16) else {
            throw Self.unavailable
        }
        return (open, closed)
    }

    private static let unavailable = BatonError(
        .unavailable, reason: "no_secret_service",
        "The desktop's Secret Service cannot be reached. Is a keyring running in this session?")
    private static let locked = BatonError(
        .failedPrecondition, reason: "keyring_locked", "The desktop's keyring is locked. Unlock it, then try again.")
    private static let missing = BatonError(
        .notFound, reason: "secret_missing",
        "The desktop's keyring does not have this device's secret any more. Restore the keyring from a copy.")
}
