import Foundation
import Synchronization

/// Announces made-up instances of a service type, some twenty thousand a second, until it is stopped.
final class InstanceFlood: Sendable {
    private let isRunning = Atomic(true)
    private let ended = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - address: of the machine, from which it is sent.
    ///   - prepareThread: enters the machine's network.
    init(type: String, address: String, prepareThread: @escaping @Sendable () -> Void) {
        Thread.detachNewThread { [self] in
            prepareThread()
            run(Self.name(type.split(separator: ".").map(String.init) + ["local"]), from: address)
            ended.signal()
        }
    }

    func stop() {
        isRunning.store(false, ordering: .relaxed)
        ended.wait()
    }

    private func run(_ type: [UInt8], from address: String) {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        var (source, target) = (sockaddr_in(), sockaddr_in())
        source.sin_family = sa_family_t(AF_INET)
        source.sin_port = in_port_t(5353).bigEndian
        source.sin_addr.s_addr = inet_addr(address)
        target = source
        target.sin_addr.s_addr = inet_addr("224.0.0.251")
        // A packet with another TTL came through a router, and is ignored.
        var ttl: UInt8 = 255
        setsockopt(descriptor, Int32(IPPROTO_IP), IP_MULTICAST_TTL, &ttl, 1)
        setsockopt(descriptor, Int32(IPPROTO_IP), IP_MULTICAST_IF, &source.sin_addr, 4)
        withUnsafePointer(to: &source) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        while isRunning.load(ordering: .relaxed) {
            let packet = Self.packet(type, count: 20)
            withUnsafePointer(to: &target) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    _ = sendto(descriptor, packet, packet.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            usleep(900)  // sleeps: the pace of the flood
        }
    }

    /// An answer with pointer records to random names, which are good for an hour.
    private static func packet(_ type: [UInt8], count: UInt8) -> [UInt8] {
        var bytes: [UInt8] = [0, 0, 0x84, 0, 0, 0, 0, count, 0, 0, 0, 0]
        for _ in 0..<count {
            let label = (0..<26).map { _ in UInt8.random(in: 0x41...0x5A) }
            bytes += type + [0, 12, 0, 1, 0, 0, 0x0E, 0x10, 0, UInt8(27 + type.count), 26] + label + type
        }
        return bytes
    }

    private static func name(_ labels: [String]) -> [UInt8] {
        labels.flatMap { [UInt8(clamping: $0.utf8.count)] + Array($0.utf8) } + [0]
    }
}
