import BatonCore
import Crypto
import Files
import Foundation

/// The class key on the disk, `protected/class-key.json`. Every method blocks.
extension SealedStore {
    private var classKeyPath: String { folder + "/class-key.json" }

    /// - Returns: nil when nothing was ever sealed to one.
    func classKey() throws -> ClassKey? {
        guard let bytes = try AtomicFile.read(classKeyPath, limit: 1 << 16) else { return nil }
        guard let key = try? JSONDecoder().decode(ClassKey.self, from: Data(bytes)) else {
            throw BatonError(
                .dataLoss, reason: "protection_key_damaged",
                "The key of protected items is damaged. Restore “protected/class-key.json” of the daemon's data from a copy."
            )
        }
        return key
    }

    func set(_ key: ClassKey) throws {
        try AtomicFile.write(Array(JSONEncoder().encode(key)), to: classKeyPath)
    }

    /// Without a key of the device it stays in the clear: items are hidden then, and not sealed.
    func sealClassKey(_ key: ProtectionKey?) throws {
        guard let key, let classKey = try classKey(), !classKey.isSealed else { return }
        try step("seal class key")
        try set(try classKey.sealed(to: key))
    }

    func openClassKey(_ privateKey: Curve25519.KeyAgreement.PrivateKey) throws {
        guard let classKey = try classKey(), classKey.isSealed else { return }
        try step("open class key")
        try set(try classKey.opened(with: privateKey))
    }
}
