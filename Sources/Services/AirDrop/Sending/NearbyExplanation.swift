import BatonCore
import BatonWire
import SwiftProtobuf

/// The findings when a device was looked for that others announce.
struct NearbyFindings: Sendable {
    struct Receiver: Sendable, Hashable {
        var instance: String
        /// `host:port`, the likeliest.
        var address = ""
        var port = 0
        /// As the device says itself.
        var name: String?
        /// It has answered, with a name or without.
        var hasAnswered = false
        var problem: String?
    }

    /// Why nothing can be found at all.
    var obstacle: String?
    var receivers: [Receiver] = []
}

/// Turns findings into sentences.
struct NearbyExplanation {
    private typealias Stage = Baton_Link_V1_Stage

    let wanted: String
    let findings: NearbyFindings

    /// In a comparison that a person expects: the name in any case, or the beginning of the name or of the identifier.
    static func matches(_ wanted: String, name: String, id: String) -> Bool {
        let wanted = wanted.lowercased()
        return name.lowercased().hasPrefix(wanted) || wanted.count >= 4 && id.lowercased().hasPrefix(wanted)
    }

    private var found: NearbyFindings.Receiver? {
        findings.receivers.first { receiver in
            Self.matches(wanted, name: receiver.name ?? "", id: receiver.instance)
        }
    }
    /// It may be one of these.
    private var silent: [NearbyFindings.Receiver] { findings.receivers.filter { $0.name == nil } }
    private var names: [String] { findings.receivers.compactMap(\.name).sorted() }

    var stages: [Baton_Link_V1_Stage] { [network, announced, reached, shown].compactMap(\.self) }

    private var network: Stage {
        guard let obstacle = findings.obstacle else {
            return Stage("network", .ok, "Multicast can be used on this device's network.")
        }
        return Stage(
            "network", .failed, obstacle, "Connect this device to a network, and allow UDP port 5353 in its firewall.")
    }

    private var announced: Stage {
        if let found { return Stage("announced", .ok, "It is announced at \(found.address).") }
        guard silent.isEmpty else {
            let places = silent.prefix(5).map(\.address).joined(separator: ", ")
            return Stage(
                "announced", .unknown,
                "\(silent.count) of those that are announced have not said their names: \(places).")
        }
        let others = names.isEmpty ? "No device is announced." : "Announced are: \(names.joined(separator: ", "))."
        return Stage(
            "announced", .failed, "No device of that name is announced. \(others)",
            "Run “baton airdrop everyone” there: it lasts ten minutes. Both devices must be on the same network, and it must "
                + "let multicast DNS (UDP port 5353) through: guest networks and client isolation often do not.")
    }

    /// Nil while nothing is announced.
    private var reached: Stage? {
        if let found, found.hasAnswered { return Stage("reached", .ok, "It answers at \(found.address).") }
        let unreached = found.map { [$0] } ?? silent.filter { !$0.hasAnswered }
        guard let first = unreached.first else { return nil }
        let ports = Set(unreached.map(\.port)).sorted().map(String.init).joined(separator: ", ")
        return Stage(
            "reached", .failed, first.problem ?? "No device answers at \(first.address).",
            "“baton airdrop” there may be off; else a firewall is likely: let TCP port \(ports) in. Baton's is "
                + "\(AirDropReceiverService.defaultPort), "
                + "unless that port was taken.")
    }

    /// Nil while no device has answered.
    private var shown: Stage? {
        if let found, found.name != nil { return Stage("shown", .ok, "It shows itself to this device.") }
        let hidden = (found.map { [$0] } ?? silent).filter(\.hasAnswered)
        guard !hidden.isEmpty else { return nil }
        return Stage(
            "shown", .failed, "A device answers, and does not say its name.",
            "It shows itself to its own devices and contacts only. Run “baton airdrop everyone” there.")
    }
}
