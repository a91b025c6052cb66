import BatonConcurrency
package import BatonCore
package import BatonTrust
import Files
import Foundation
import Synchronization

/// The contacts of this device, kept in a file. Safe to use from any thread.
package final class TrustedDeviceBook: Sendable {
    /// Under which two devices that are to become contacts find each other.
    package static let pairingServiceType = "_baton-meet._tcp"
    private static let maximumSize = 1 << 20

    private struct Stored: Codable {
        var name: String
        var publicKey: Data
        var privateKey: Data
        var tokenKey: Data
        var added: UInt64
    }

    private let path: String
    private let contacts: Mutex<[TrustedDevice]>
    private let signals = Broadcaster<Void>(.newest)

    /// Blocks.
    /// - Parameter folder: where the daemon keeps what it has for AirDrop. A damaged file is set aside.
    package init(folder: String, recorder: any EventRecorder) {
        path = folder + "/contacts.json"
        do {
            let bytes = try AtomicFile.read(path, limit: Self.maximumSize)
            let stored = try bytes.map { try JSONDecoder().decode([Stored].self, from: Data($0)) } ?? []
            contacts = Mutex(
                try stored.prefix(TrustedDeviceTokens.maximumContacts).map { contact in
                    try TrustedDevice(
                        name: contact.name, publicKey: Array(contact.publicKey), privateKey: Array(contact.privateKey),
                        tokenKey: Array(contact.tokenKey), added: contact.added)
                })
        } catch {
            contacts = Mutex([])
            try? FileManager.default.removeItem(atPath: path + ".damaged")
            try? FileManager.default.moveItem(atPath: path, toPath: path + ".damaged")
            recorder.record(
                "airdrop", "contacts_damaged",
                "The contacts could not be read. The file was set aside as “contacts.json.damaged”.",
                ["error": "\(error)"])
        }
    }

    /// By name.
    package var all: [TrustedDevice] {
        contacts.withLock { $0 }.sorted { ($0.name, $0.id.rawValue) < ($1.name, $1.id.rawValue) }
    }

    /// Signals at each change from the call on.
    package func changes() -> AsyncStream<Void> { signals.subscribe() }

    /// Blocks.
    /// - Throws: `resource_exhausted` when there are too many; what the disk says.
    package func add(_ contact: TrustedDevice) throws(BatonError) {
        try change { contacts throws(BatonError) in
            guard contacts.count < TrustedDeviceTokens.maximumContacts else {
                throw BatonError(
                    .resourceExhausted, reason: "too_many_contacts",
                    "There are \(TrustedDeviceTokens.maximumContacts) contacts already. Remove one with “baton contacts "
                        + "remove”.")
            }
            contacts.removeAll { $0.id == contact.id }
            contacts.append(contact)
        }
    }

    /// Forgets a contact, which is a stranger from then on. Blocks.
    /// - Parameter wanted: the identifier, the name in any case, or the beginning of one of the two.
    /// - Throws: `not_found`; `invalid_argument` when it is more than one; what the disk says.
    package func remove(_ wanted: String) throws(BatonError) -> TrustedDevice {
        let contact = try find(wanted)
        try change { contacts throws(BatonError) in contacts.removeAll { $0.id == contact.id } }
        return contact
    }

    private func find(_ wanted: String) throws(BatonError) -> TrustedDevice {
        let text = wanted.lowercased()
        let identified = all.filter { $0.id.rawValue.lowercased() == text }
        let named = identified.isEmpty ? SpokenName.best(wanted, among: all, name: \.name) : identified
        let found =
            named.isEmpty && text.count >= 4 ? all.filter { $0.id.rawValue.lowercased().hasPrefix(text) } : named
        guard let contact = found.first else {
            let meant = SpokenName.meant(wanted, among: all.map(\.name))
            throw BatonError(
                .notFound, reason: "contact_not_found",
                "No contact is called “\(wanted.shortened(toBytes: 80))”. \(meant)“baton contacts” lists them.")
        }
        guard found.count == 1 else {
            let names = found.map { "\($0.name) (\($0.id.rawValue.prefix(12)))" }.joined(separator: ", ")
            throw BatonError(
                .invalidArgument, reason: "ambiguous_contact",
                "“\(wanted)” is more than one contact. Name one by its identifier: \(names).")
        }
        return contact
    }

    /// Nothing changes here unless it is on the disk.
    private func change(_ body: (inout [TrustedDevice]) throws(BatonError) -> Void) throws(BatonError) {
        let result: Result<Void, BatonError> = contacts.withLock { contacts in
            do throws(BatonError) {
                var changed = contacts
                try body(&changed)
                try write(changed)
                contacts = changed
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
        signals.send(())
    }

    private func write(_ contacts: [TrustedDevice]) throws(BatonError) {
        let stored = contacts.map {
            Stored(
                name: $0.name, publicKey: Data($0.publicKey), privateKey: Data($0.privateKey),
                tokenKey: Data($0.tokenKey), added: $0.added)
        }
        do {
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            try SecureDirectory.prepare(folder)
            try AtomicFile.write(Array(try JSONEncoder().encode(stored)), to: path)
        } catch {
            throw error as? BatonError
                ?? BatonError(.internal, reason: "contacts_not_kept", "The contacts could not be kept.", cause: error)
        }
    }
}
