import BatonCore
import BatonTransport
import BatonTrust
import Foundation
import LinkClient
import NIOCore
import NIOSSL
import Synchronization

/// Lets contacts in, and knows whose each connection is. Safe to use from any thread.
final class ContactAccess: Sendable {
    private struct State {
        var gate = TrustedDeviceGate()
        var connections: [ObjectIdentifier: (contact: DeviceID, channel: any Channel)] = [:]
        /// Own names, the newest last: what this device announces is meant for others.
        var instances: [String] = []
    }

    /// The connections of one contact; it needs one for a transfer, and one to be asked for its name.
    private static let maximumConnections = 16

    private let contacts: any AirDropContacts
    private let state = Mutex(State())

    init(_ contacts: any AirDropContacts) { self.contacts = contacts }

    // MARK: Names

    func announce(_ instance: String) {
        state.withLock { state in
            state.gate.announce(instance)
            state.instances = Array((state.instances + [instance]).suffix(4))
        }
    }

    /// No contact is let in from now on.
    func withdraw() { state.withLock { $0.gate.withdraw() } }

    func isOwn(_ instance: String) -> Bool { state.withLock { $0.instances.contains(instance) } }

    // MARK: Connections

    /// The treatment of a contact's connection; nil for anybody else's.
    func admission(_ serverName: String, _ channel: any Channel) throws -> UnauthenticatedServer.Admission? {
        let known = contacts.all
        guard let contact = state.withLock({ $0.gate.admit(serverName, among: known) }) else { return nil }
        let tls = try Self.tls(with: contact)
        return .known { [self] proved in
            tls.serverHandler(
                accepted: { [self] id in if register(channel, id) { proved() } }, refused: { _ in })
        }
    }

    /// The contact that has proved itself on a connection; nil for a stranger.
    func contact(of connection: ObjectIdentifier) -> TrustedDevice? {
        guard let id = state.withLock({ $0.connections[connection]?.contact }) else { return nil }
        return contacts.all.first { $0.id == id }
    }

    /// Closes the connections of those that are no contacts any more.
    func closeForgotten() {
        let known = Set(contacts.all.map(\.id))
        let channels = state.withLock { $0.connections.values.filter { !known.contains($0.contact) }.map(\.channel) }
        for channel in channels { channel.close(promise: nil) }
    }

    private func register(_ channel: any Channel, _ id: DeviceID) -> Bool {
        let key = ObjectIdentifier(channel)
        let hasRoom = state.withLock { state in
            guard state.connections.values.count(where: { $0.contact == id }) < Self.maximumConnections else {
                return false
            }
            state.connections[key] = (id, channel)
            return true
        }
        guard hasRoom else { return false }
        channel.closeFuture.whenComplete { [self] _ in _ = state.withLock { $0.connections.removeValue(forKey: key) } }
        // Asked once it is listed: a contact that is forgotten from now on is found there.
        return contacts.all.contains { $0.id == id }
    }

    /// TLS in which each side shows the key that it has for the other one alone.
    static func tls(with contact: TrustedDevice) throws -> LinkTLS {
        let own = try contact.credentials(now: Date())
        return try LinkTLS(certificateChain: [own.certificate], privateKey: own.key) { certificates in
            do throws(BatonError) {
                try contact.check(certificates)
                return .success(contact.id)
            } catch {
                return .failure(error)
            }
        }
    }
}
