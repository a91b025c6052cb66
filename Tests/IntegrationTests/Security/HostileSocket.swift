import BatonCore
import BatonTestSupport
import Foundation
import Glibc

/// A connection that says whatever a test likes. Each operation blocks a thread of its own.
struct HostileSocket: Sendable {
    let descriptor: Int32

    /// From a machine of the test's network.
    static func tcp(
        _ host: String, _ port: Int, from machine: Int, of namespaces: NetworkNamespaces
    ) async throws -> HostileSocket {
        try await onThread {
            namespaces.enterOnThisThread(machine)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = in_port_t(UInt16(port).bigEndian)
            inet_pton(AF_INET, host, &address.sin_addr)
            return try connect(AF_INET, &address)
        }
    }

    static func unix(_ path: String) async throws -> HostileSocket {
        try await onThread {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
            return try connect(AF_UNIX, &address)
        }
    }

    private static func connect<Address>(_ family: Int32, _ address: inout Address) throws -> HostileSocket {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        // A daemon that takes nothing more must not hold the test.
        var timeout = timeval(tv_sec: 3, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
        guard result == 0 else {
            let error = errno
            Glibc.close(descriptor)
            throw IntegrationFailure("No connection: \(String(cString: strerror(error)))")
        }
        return HostileSocket(descriptor: descriptor)
    }

    /// - Returns: how many bytes the other side's kernel took.
    @discardableResult
    func send(_ bytes: [UInt8]) async -> Int {
        await Self.onThread { [descriptor] in
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                if count <= 0 { break }
                sent += count
            }
            return sent
        }
    }

    @discardableResult
    func send(_ text: String) async -> Int { await send(Array(text.utf8)) }

    /// Reads until the other side closes, or the time is over.
    func read(for seconds: Int) async -> (bytes: [UInt8], isClosed: Bool) {
        await Self.onThread { [descriptor] in
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65536)
            let end = ContinuousClock.now + .seconds(seconds)
            while true {
                let left = (end - .now) / .milliseconds(1)
                var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                guard left > 0, poll(&entry, 1, Int32(left)) > 0 else { return (bytes, false) }
                let count = recv(descriptor, &buffer, buffer.count, 0)
                guard count > 0 else { return (bytes, true) }
                bytes += buffer[..<count]
            }
        }
    }

    /// An answer as text.
    func answer(within seconds: Int = 20) async -> String {
        String(decoding: await read(for: seconds).bytes, as: UTF8.self)
    }

    func close() { Glibc.close(descriptor) }

    static func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
        }
    }

    static func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: body()) }
        }
    }
}
