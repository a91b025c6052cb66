import BatonCore

/// Decides which contact a TLS handshake's server name is of, before anything is answered. Each name is good once.
package struct TrustedDeviceGate: Sendable {
    private var gates: [DeviceID: ServerNameGate] = [:]
    /// The one announced now, and the one before: contacts that have not seen the change yet use it.
    private var instances: [String] = []

    package init() {}

    /// Sets the announced instance; the one before is still accepted.
    package mutating func announce(_ instance: String) {
        guard instances.last != instance else { return }
        instances = Array((instances + [instance]).suffix(2))
        for id in gates.keys { gates[id]?.announce(instance) }
    }

    /// Nothing is announced any more, and no name is accepted.
    package mutating func withdraw() {
        instances = []
        gates = [:]
    }

    /// The contact that made a server name for what is announced, the first time that it is shown.
    package mutating func admit(_ serverName: String, among contacts: [TrustedDevice]) -> TrustedDevice? {
        let known = Set(contacts.map(\.id))
        for id in gates.keys where !known.contains(id) { gates[id] = nil }
        var admitted: TrustedDevice?
        // Every contact is tried, found or not: the duration does not reveal which one matched.
        for contact in contacts {
            guard let key = contact.discoveryKey else { continue }
            if gates[contact.id] == nil {
                var gate = ServerNameGate()
                for instance in instances { gate.announce(instance) }
                gates[contact.id] = gate
            }
            if gates[contact.id]?.accept(serverName, key: key) == true { admitted = contact }
        }
        return admitted
    }
}
