import CAvahi
import Glibc

/// Two descriptors that become readable when this machine's network or clock changes; nothing is polled.
struct NetworkMonitor {
    /// A routing netlink socket, in the network namespace of the thread that made it.
    let changes: Int32
    /// A timer that is cancelled when the clock is set, or the machine resumes.
    let clock: Int32

    init() {
        clock = timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
        if clock >= 0 { _ = baton_arm_clock_watch(clock) }
        changes = Self.socket(groups: RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR)
    }

    /// Becomes readable when another machine may be reached, or not any more.
    static func routes() -> Int32 {
        socket(
            groups: RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE)
    }

    private static func socket(groups: Int32) -> Int32 {
        let changes = Glibc.socket(
            AF_NETLINK, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), NETLINK_ROUTE)
        var address = sockaddr_nl()
        address.nl_family = sa_family_t(AF_NETLINK)
        address.nl_groups = UInt32(groups)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(changes, $0, socklen_t(MemoryLayout<sockaddr_nl>.size))
            }
        }
        return changes
    }

    /// The change itself is read from the system afterwards; a message that was dropped for want of room does no harm then.
    func drainChanges() {
        withUnsafeTemporaryAllocation(byteCount: 16384, alignment: 8) { buffer in
            while recv(changes, buffer.baseAddress, buffer.count, 0) > 0 {}
        }
    }

    func clockWasSet() -> Bool {
        var expirations: UInt64 = 0
        let wasSet = read(clock, &expirations, MemoryLayout<UInt64>.size) < 0 && errno == ECANCELED
        _ = baton_arm_clock_watch(clock)
        return wasSet
    }

    func close() {
        if changes >= 0 { Glibc.close(changes) }
        if clock >= 0 { Glibc.close(clock) }
    }
}

/// Whether the routing tables let multicast out at all. Nothing is sent.
enum MulticastProbe {
    static func obstacle(_ network: NetworkInterfaces) -> String? {
        var failure: Int32 = 0
        for address in network.addresses {
            let error = address.family == .ipv4 ? tryIPv4(address.index) : tryIPv6(address.index)
            if error == 0 { return nil }
            failure = error
        }
        return failure == 0 ? nil : "Multicast cannot be sent: \(String(cString: strerror(failure)))."
    }

    private static func tryIPv4(_ interface: UInt32) -> Int32 {
        var choice = ip_mreqn()
        choice.imr_ifindex = Int32(interface)
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = in_port_t(5353).bigEndian
        target.sin_addr.s_addr = UInt32(0xE000_00FB).bigEndian
        return attempt(AF_INET, Int32(IPPROTO_IP), IP_MULTICAST_IF, &choice, &target)
    }

    private static func tryIPv6(_ interface: UInt32) -> Int32 {
        var choice = Int32(interface)
        var target = sockaddr_in6()
        target.sin6_family = sa_family_t(AF_INET6)
        target.sin6_port = in_port_t(5353).bigEndian
        target.sin6_scope_id = interface
        withUnsafeMutableBytes(of: &target.sin6_addr) {
            $0.copyBytes(from: [0xFF, 0x02] + [UInt8](repeating: 0, count: 13) + [0xFB])
        }
        return attempt(AF_INET6, Int32(IPPROTO_IPV6), IPV6_MULTICAST_IF, &choice, &target)
    }

    private static func attempt<Choice: BitwiseCopyable, Target>(
        _ family: Int32, _ level: Int32, _ option: Int32, _ choice: inout Choice, _ target: inout Target
    ) -> Int32 {
        let descriptor = socket(family, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        guard setsockopt(descriptor, level, option, &choice, socklen_t(MemoryLayout<Choice>.size)) == 0 else {
            return errno
        }
        let result = withUnsafePointer(to: &target) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<Target>.size))
            }
        }
        return result == 0 ? 0 : errno
    }
}
