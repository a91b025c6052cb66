import BatonWire

/// Why a contact is not seen, or not reached.
struct ContactExplanation {
    private typealias Stage = Baton_Link_V1_Stage

    let name: String
    /// Announcements that are meant for this device by the contact.
    let findings: NearbyFindings

    var stages: [Baton_Link_V1_Stage] { [contact, network, announced, reached].compactMap(\.self) }

    private var contact: Stage {
        Stage("contact", .ok, "\(name) is a contact: its key was verified by a code.")
    }

    private var network: Stage {
        guard let obstacle = findings.obstacle else {
            return Stage("network", .ok, "Multicast can be used on this device's network.")
        }
        return Stage(
            "network", .failed, obstacle, "Connect this device to a network, and allow UDP port 5353 in its firewall.")
    }

    private var announced: Stage {
        if let first = findings.receivers.first {
            return Stage("announced", .ok, "It is announced to this device at \(first.address).")
        }
        return Stage(
            "announced", .failed, "Nothing that is announced here is meant for this device by \(name).",
            "Run “baton airdrop contacts” there, and look whether “baton contacts” there lists this device; else remove it here "
                + "and run “baton contacts add” on both. Both devices must be on the same network, and it must let multicast "
                + "DNS (UDP port 5353) through: guest networks and client isolation often do not.")
    }

    /// Nil while nothing is announced.
    private var reached: Stage? {
        guard let first = findings.receivers.first else { return nil }
        if findings.receivers.contains(where: \.hasAnswered) {
            return Stage("reached", .ok, "It answers, and has proved its key.")
        }
        return Stage(
            "reached", .failed, first.problem ?? "No device answers at \(first.address).",
            "“baton airdrop” there may be off; else a firewall is likely: let TCP port \(first.port) in. Baton's is "
                + "\(AirDropReceiverService.defaultPort), "
                + "unless that port was taken. Or another device repeats an announcement of \(name).")
    }
}
