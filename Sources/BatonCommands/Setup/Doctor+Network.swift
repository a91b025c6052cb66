import BatonCore
import BatonWire

extension Doctor {
    /// As `batond --port` has it unless it is given another.
    private static let defaultPort = 22866
    private static let portNames = ["link port", "pairing port", "airdrop port", "web port"]

    private var firstPort: Int {
        guard let status else { return Self.defaultPort }
        let port = Int(clamping: status.takenPort == 0 ? status.linkPort : status.takenPort)
        return port == 0 ? Self.defaultPort : port
    }

    private var portRange: String { "\(firstPort)-\(firstPort + Self.portNames.count - 1)" }

    // MARK: Ports

    /// Other devices, pairing, AirDrop and browsers, each with a port of its own.
    var ports: [DoctorCheck] {
        Self.portNames.enumerated().map { offset, name in
            let port = firstPort + offset
            switch machine.owner(ofPort: port) {
            case .nobody:
                return DoctorCheck(
                    name, .ok, "\(port) is free\(offset == 0 ? "" : ", and is opened when it is needed")")
            case .process(let process, _) where status.map { $0.processID == UInt32(clamping: process) } ?? false:
                return DoctorCheck(name, .ok, "\(port), which the daemon listens on")
            case .process(let process, let program):
                return DoctorCheck(
                    name, .failed, "\(port) is taken by \(Self.text(process, program)), so a random one is used",
                    "No rule of a firewall fits a random port: end that program, or give batond others with --port.")
            }
        }
    }

    private static func text(_ process: Int32, _ program: String) -> String {
        guard process > 0 else { return "a program of another user" }
        return program.isEmpty ? "process \(process)" : "\(program) (process \(process))"
    }

    // MARK: Firewall

    var firewall: DoctorCheck {
        if machine.run(["firewall-cmd", "--state"], environment: environment)?.status == 0 { return firewalld }
        let isOn = machine.text(of: "/etc/ufw/ufw.conf")?.split(separator: "\n")
            .contains { $0.filter { !$0.isWhitespace }.lowercased() == "enabled=yes" }
        if isOn == true {
            let range = portRange.replacing("-", with: ":")
            return DoctorCheck(
                "firewall", .unknown, "ufw is on, and only root can read its rules",
                "Let Baton in: sudo ufw allow \(range)/tcp && sudo ufw allow 5353/udp")
        }
        let rules = machine.run(["nft", "list", "ruleset"], environment: environment)
        if let rules, rules.status == 0, rules.output.contains("drop") || rules.output.contains("reject") {
            return DoctorCheck(
                "firewall", .unknown, "nftables has rules that refuse",
                "They must let in TCP \(portRange) and UDP 5353.")
        }
        return DoctorCheck("firewall", .ok, "neither firewalld nor ufw runs")
    }

    private var firewalld: DoctorCheck {
        func isOpen(_ query: String) -> Int32? {
            machine.run(["firewall-cmd", query], environment: environment)?.status
        }
        let answers = [isOpen("--query-port=\(portRange)/tcp"), isOpen("--query-service=mdns")]
        if answers == [0, 0] { return DoctorCheck("firewall", .ok, "firewalld lets Baton in") }
        let advice =
            "Let it in: sudo firewall-cmd --permanent --add-port=\(portRange)/tcp --add-service=mdns && sudo "
            + "firewall-cmd --reload"
        // 1 is a no; anything else means that this user may not ask.
        return answers.contains(1)
            ? DoctorCheck("firewall", .failed, "firewalld does not let Baton in", advice)
            : DoctorCheck("firewall", .unknown, "firewalld runs, and did not say whether it lets Baton in", advice)
    }

    // MARK: Multicast

    var multicast: DoctorCheck {
        let chosen = Set(status?.interfaces ?? [])
        let usable = machine.interfaces().filter { interface in
            chosen.isEmpty ? !interface.isLoopback && interface.hasMulticast : chosen.contains(interface.name)
        }
        guard !usable.isEmpty else {
            return DoctorCheck(
                "multicast", .failed, "no network interface is up that takes multicast",
                "Connect this machine to the network of the other devices.")
        }
        let names = usable.map(\.name).joined(separator: ", ")
        if let discovery = status?.discovery, !discovery.isEmpty {
            return DoctorCheck(
                "multicast", .failed, discovery,
                "Without it, devices are paired with “baton pair --address” and found where they were last.")
        }
        if let obstacle = machine.obstacleToMulticast() {
            return DoctorCheck(
                "multicast", .failed, "UDP port 5353 cannot be shared: \(obstacle)",
                "End the program that has it for itself.")
        }
        return DoctorCheck("multicast", .ok, "on \(names)")
    }
}
