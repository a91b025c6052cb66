import BatonCore
import Foundation
import Subprocess
import SystemPackage

/// Network namespaces of one test: separate “machines” on this one, joined by a switch.
///
/// Needs root. Names are unique to the process and the test; everything is removed at the end, and what a killed test
/// left behind is removed by the next one.
package struct NetworkNamespaces: Sendable {
    /// One per machine.
    package let names: [String]
    /// IPv4 addresses, in the order of `names`.
    package let addresses: [String]
    private let hub: String

    /// The interface of each machine.
    package static let interface = "eth0"

    /// Makes `count` machines on one switch, runs `body`, and removes them.
    /// - Parameter joined: false leaves each on a switch of its own, as on different networks.
    /// - Throws: `permission_denied` without root. Tests let it through: a test that did not run is not a success.
    package static func with<Result>(
        _ count: Int, joined: Bool = true, _ body: (NetworkNamespaces) async throws -> Result
    ) async throws -> Result {
        guard geteuid() == 0 else {
            throw BatonError(
                .permissionDenied, reason: "root_needed",
                "This test makes network namespaces and must run as root.")
        }
        precondition((1...200).contains(count), "between 1 and 200 machines")
        await removeLeftovers()
        let prefix = "baton-\(getpid())-\(String(UInt32.random(in: 0 ... .max), radix: 36))"
        let namespaces = NetworkNamespaces(
            names: (0..<count).map { "\(prefix)-\($0)" }, addresses: (0..<count).map { "10.77.0.\($0 + 1)" },
            hub: "\(prefix)-hub")
        do {
            try await namespaces.make(joined: joined)
            let result = try await body(namespaces)
            await namespaces.remove()
            return result
        } catch {
            await namespaces.remove()
            throw error
        }
    }

    /// The command line that runs `command` on a machine.
    package func command(on machine: Int, _ command: [String]) -> [String] {
        ["ip", "netns", "exec", names[machine]] + command
    }

    /// Moves the calling thread to a machine; sockets that it opens from then on are there.
    package func enterOnThisThread(_ machine: Int) {
        let descriptor = open("/run/netns/\(names[machine])", O_RDONLY | O_CLOEXEC)
        precondition(descriptor >= 0, "the namespace \(names[machine]) exists")
        defer { close(descriptor) }
        precondition(Self.setNamespace(descriptor) == 0, "root may enter the namespace")
    }

    /// `setns(descriptor, CLONE_NEWNET)`, which the Glibc module leaves out.
    private static func setNamespace(_ descriptor: Int32) -> Int32 {
        typealias Function = @convention(c) (Int32, Int32) -> Int32
        guard let symbol = dlsym(nil, "setns") else { return -1 }
        return unsafeBitCast(symbol, to: Function.self)(descriptor, 0x4000_0000)
    }

    /// `ip` on a machine: `ip(on: 0, ["link", "set", "eth0", "down"])`.
    package func ip(on machine: Int, _ arguments: [String]) async throws {
        try await Self.ip(["-n", names[machine]] + arguments)
    }

    /// Machines that are apart reach all others, and not each other.
    package func set(apart machine: Int, _ isApart: Bool) async throws {
        try await Self.ip([
            "-n", hub, "link", "set", Self.port(machine), "type", "bridge_slave", "isolated", isApart ? "on" : "off",
        ])
    }

    // MARK: Making and removing

    /// A machine's end at the switch.
    private static func port(_ machine: Int) -> String { "p\(machine)" }

    private func make(joined: Bool) async throws {
        for name in names + [hub] {
            try await Self.ip(["netns", "add", name])
            try await Self.ip(["-n", name, "link", "set", "lo", "up"])
        }
        for index in names.indices {
            let bridge = joined ? "sw0" : "sw\(index)"
            if index == 0 || !joined {
                // Without snooping, which would have to learn first who wants which multicast.
                try await Self.ip(["-n", hub, "link", "add", bridge, "type", "bridge", "mcast_snooping", "0"])
                try await Self.ip(["-n", hub, "link", "set", bridge, "up"])
            }
            try await plug(index, into: bridge)
        }
    }

    private func plug(_ index: Int, into bridge: String) async throws {
        let port = Self.port(index)
        let name = names[index]
        try await Self.ip([
            "link", "add", Self.interface, "netns", name, "type", "veth", "peer", "name", port, "netns", hub,
        ])
        try await Self.ip(["-n", hub, "link", "set", port, "master", bridge, "up"])
        try await Self.ip(["-n", name, "addr", "add", "\(addresses[index])/24", "dev", Self.interface])
        try await Self.ip(["-n", name, "addr", "add", "fd77::\(index + 1)/64", "dev", Self.interface, "nodad"])
        try await Self.ip(["-n", name, "link", "set", Self.interface, "up"])
    }

    /// Also when the test was cancelled, as by its time limit, which would cancel what cleans up.
    private func remove() async {
        // Awaited at once.
        await Task { for name in names + [hub] { try? await Self.ip(["netns", "del", name]) } }.value
    }

    /// Removes namespaces of processes that no longer run.
    private static func removeLeftovers() async {
        let existing = (try? FileManager.default.contentsOfDirectory(atPath: "/run/netns")) ?? []
        for name in existing where name.hasPrefix("baton-") {
            guard let process = name.split(separator: "-").dropFirst().first.flatMap({ pid_t($0) }),
                kill(process, 0) != 0, errno == ESRCH
            else { continue }
            try? await ip(["netns", "del", name])
        }
    }

    private static func ip(_ arguments: [String]) async throws {
        let result = try await run(
            .name("ip"), arguments: Arguments(arguments), output: .discarded, error: .string(limit: 4096))
        guard result.terminationStatus.isSuccess else {
            throw BatonError(
                .failedPrecondition, reason: "ip_failed",
                "“ip \(arguments.joined(separator: " "))” failed: \(result.standardError).")
        }
    }
}
