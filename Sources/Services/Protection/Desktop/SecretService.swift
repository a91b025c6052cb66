package import BatonCore
import Foundation

/// Keeps the secret that opens sealed files while the person's desktop is unlocked.
package protocol SecretKeeping: Sendable {
    /// Blocks.
    /// - Throws: `unavailable` where nothing keeps secrets; `failed_precondition` when it is locked.
    func store(_ secret: String) throws(BatonError)
    /// Blocks.
    /// - Throws: as `store`; `not_found` when it is not there.
    func secret() throws(BatonError) -> String
    /// Blocks. What is not there needs no removal.
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

    /// - Parameters:
    ///   - address: of the session's bus; nil where there is none.
    ///   - device: tells the devices of one person apart: the folder of the daemon's data.
    package init(address: String?, device: String) {
        self.address = address
        attributes = ["application": "baton", "purpose": "data-protection", "device": device]
    }

    package func store(_ secret: String) throws(BatonError) {
        try connected { bus throws(BatonError) in
            let session = try openSession(bus)
            let main = target("/org/freedesktop/secrets", "Service")
            let alias = try call(bus, main, "ReadAlias") { $0.text("default") }
            guard let collection = alias.text("o"), collection != "/" else {
                throw BatonError(
                    .unavailable, reason: "no_keyring",
                    "The desktop has no keyring for secrets yet. Make one, or set a passphrase: “baton lock "
                        + "--set-passphrase”.")
            }
            let answer = try call(bus, target(collection, "Collection"), "CreateItem") { message in
                message.container("a", "{sv}") {
                    message.container("e", "sv") {
                        message.text("\(Self.prefix).Item.Label")
                            && message.container("v", "s") { message.text(Self.label) }
                    }
                        && message.container("e", "sv") {
                            message.text("\(Self.prefix).Item.Attributes")
                                && message.container("v", "a{ss}") { message.dictionary(attributes) }
                        }
                }
                    && message.container("r", "oayays") {
                        message.text(session, "o") && message.bytes([]) && message.bytes(Array(secret.utf8))
                            && message.text("text/plain")
                    } && message.boolean(true)
            }
            // Without an item a person would have to answer a question of the keyring's.
            guard let item = answer.text("o"), item != "/" else { throw Self.locked }
        }
    }

    package func secret() throws(BatonError) -> String {
        try connected { bus throws(BatonError) in
            let session = try openSession(bus)
            let (open, closed) = try items(bus)
            guard let item = open.first else { throw closed.isEmpty ? Self.missing : Self.locked }
            let answer = try call(bus, target(item, "Item"), "GetSecret") { $0.text(session, "o") }
            let bytes: [UInt8]? = answer.container("r", "oayays") {
                guard answer.skip("oay"), let bytes = answer.bytes(), answer.skip("s") else { return nil }
                return bytes
            }
            guard let bytes, !bytes.isEmpty, bytes.count <= Self.maximumSize else { throw Self.missing }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    package func remove() {
        try? connected { bus throws(BatonError) in
            for item in try items(bus).open { _ = try call(bus, target(item, "Item"), "Delete") }
        }
    }

    // MARK: Calls

    private func connected<Value>(_ body: (BusConnection) throws(BatonError) -> Value) throws(BatonError) -> Value {
        guard let address, let bus = BusConnection(address: address) else { throw Self.unavailable }
        defer { bus.close() }
        return try body(bus)
    }

    private func target(_ path: String, _ interface: String) -> BusConnection.Target {
        BusConnection.Target(service: Self.service, path: path, interface: "\(Self.prefix).\(interface)")
    }

    private func call(
        _ bus: BusConnection, _ target: BusConnection.Target, _ member: String,
        _ write: (BusWriter) -> Bool = { _ in true }
    ) throws(BatonError) -> BusAnswer {
        do {
            return try bus.call(target, member, write)
        } catch {
            throw error.name.hasSuffix(".IsLocked") ? Self.locked : Self.unavailable
        }
    }

    private func openSession(_ bus: BusConnection) throws(BatonError) -> String {
        let answer = try call(bus, target("/org/freedesktop/secrets", "Service"), "OpenSession") { message in
            message.text("plain") && message.container("v", "s") { message.text("") }
        }
        guard answer.skip("v"), let session = answer.text("o") else { throw Self.unavailable }
        return session
    }

    private func items(_ bus: BusConnection) throws(BatonError) -> (open: [String], closed: [String]) {
        let answer = try call(bus, target("/org/freedesktop/secrets", "Service"), "SearchItems") {
            $0.dictionary(attributes)
        }
        guard let open = answer.paths(limit: 16), let closed = answer.paths(limit: 16) else { throw Self.unavailable }
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
