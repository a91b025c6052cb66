import BatonCore
import CAvahi

/// One announcement, as it stands with Avahi.
struct Registration {
    var announcement: Announcement
    /// Random, new with each announcement.
    var host: String
    /// Pointer, server and text records.
    var service: OpaquePointer?
    /// The host's addresses: replaced alone when the addresses change.
    var addresses: OpaquePointer?

    /// Avahi freed them with the server.
    mutating func forgetGroups() {
        service = nil
        addresses = nil
    }
}

extension AvahiEngine {
    /// The lifetime of pointer and text records.
    private static let serviceTTL: UInt32 = 75 * 60
    /// The lifetime of records that hold a host's name or address: a peer that vanished is forgotten soon.
    private static let hostTTL: UInt32 = 120
    /// Bound of the names that are known to be of this device.
    private static let maximumOwnNames = 16

    func announce(_ announcement: Announcement?, type: String) {
        if announcement == registrations[type]?.announcement { return }
        withdraw(type: type)
        guard let announcement else { return }
        ownNames = [announcement.instance] + ownNames.prefix(Self.maximumOwnNames - 1)
        registrations[type] = Registration(announcement: announcement, host: Self.randomLabel() + ".local")
        publish(type: type)
    }

    /// Freeing a group sends the goodbyes of its records.
    private func withdraw(type: String) {
        guard let registration = registrations.removeValue(forKey: type) else { return }
        clearTimer(.collision(type: type))
        if let group = registration.service { avahi_s_entry_group_free(group) }
        if let group = registration.addresses { avahi_s_entry_group_free(group) }
    }

    func publish(type: String) {
        guard let server, let registration = registrations[type] else { return }
        publishAddresses(type: type)
        guard let group = newGroup(server), let name = Self.fullName(registration.announcement.instance, type: type)
        else {
            return
        }
        registrations[type]?.service = group
        var text: OpaqueTextList = nil
        for (key, value) in registration.announcement.attributes.sorted(by: { $0.key > $1.key }) {
            text = avahi_string_list_add_pair(text, key, value)
        }
        let results = [
            baton_avahi_add_pointer(server, group, type + ".local", name, Self.serviceTTL),
            baton_avahi_add_server(
                server, group, name, registration.host, UInt16(registration.announcement.port), Self.hostTTL),
            baton_avahi_add_text(server, group, name, text, Self.serviceTTL),
            avahi_s_entry_group_commit(group),
        ]
        report(results, type: type)
    }

    func publishAddresses(type: String) {
        guard let server, let registration = registrations[type] else { return }
        if let group = registration.addresses { avahi_s_entry_group_free(group) }
        registrations[type]?.addresses = nil
        guard !network.announced.isEmpty, let group = newGroup(server) else { return }
        registrations[type]?.addresses = group
        var results: [Int32] = []
        for address in network.announced {
            var value = AvahiAddress(address)
            results.append(
                baton_avahi_add_host_address(
                    server, group, AvahiIfIndex(bitPattern: address.index), registration.host, &value, Self.hostTTL))
        }
        results.append(avahi_s_entry_group_commit(group))
        report(results, type: type)
    }

    /// After a collision: the records are withdrawn already; the caller must choose another name.
    func nameTaken(type: String) {
        guard let instance = registrations[type]?.announcement.instance else { return }
        withdraw(type: type)
        ownNames.removeAll { $0 == instance }
        recorder.record(
            "discovery", "name_taken", "Another device on the network claims this device's instance name.", [:])
        browsers[type]?.tell(.nameTaken(instance: instance))
    }

    private func newGroup(_ server: OpaquePointer) -> OpaquePointer? {
        let callback: AvahiSEntryGroupCallback = { _, group, state, userdata in
            guard state == AVAHI_ENTRY_GROUP_COLLISION || state == AVAHI_ENTRY_GROUP_FAILURE, let userdata else {
                return
            }
            let engine = Unmanaged<AvahiEngine>.fromOpaque(userdata).takeUnretainedValue()
            let type = engine.registrations.first { $0.value.service == group || $0.value.addresses == group }?.key
            // Not here: Avahi is inside of the group.
            if let type { engine.setTimer(.collision(type: type), after: .zero) }
        }
        return avahi_s_entry_group_new(server, callback, Unmanaged.passUnretained(self).toOpaque())
    }

    private func report(_ results: [Int32], type: String) {
        guard let failure = results.first(where: { $0 < 0 }) else { return }
        let reason = "The announcement could not be published: \(String(cString: avahi_strerror(failure)))."
        recorder.record("discovery", "announce_failed", reason, [:])
        browsers[type]?.tell(.unavailable(reason: reason))
    }

    static func fullName(_ instance: String, type: String) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(AVAHI_DOMAIN_NAME_MAX)) { buffer in
            guard let start = buffer.baseAddress,
                avahi_service_name_join(start, buffer.count, instance, type, "local") == 0
            else { return nil }
            return String(cString: start)
        }
    }
}

private typealias OpaqueTextList = UnsafeMutablePointer<AvahiStringList>?

extension AvahiAddress {
    fileprivate init(_ address: InterfaceAddress) {
        self.init()
        proto = address.family == .ipv4 ? AvahiProtocol(AVAHI_PROTO_INET) : AvahiProtocol(AVAHI_PROTO_INET6)
        withUnsafeMutableBytes(of: &data) { $0.copyBytes(from: address.bytes) }
    }
}
