import BatonClient
import BatonCore
import BatonTestSupport
import BatonTransport
import BatonWire
import Foundation
import Glibc
import SwiftProtobuf
import Testing

@Suite("Memory of bodies on the planes of a daemon", .timeLimit(.minutes(2)))
struct PlaneBudgetTests {
    @Test("Slow bodies of one caller hold no more than the budget; a call beside them is answered")
    func slowBodies() async throws {
        var router = ConnectRouter()
        router.unary(ControlMethods.getStatus) { _, _ in .with { $0.home = "here" } }
        let budget = ByteBudget(maximum: 1 << 20, perClient: 1 << 20)
        try await LocalPlaneFixture.run(router: router, bodies: budget) { fixture in
            let path = fixture.socketPath
            let sockets = try (0..<40).map { _ in try Self.openSlow(path, sending: 100_000) }
            defer { for socket in sockets { close(socket) } }
            // Each says that it sends a megabyte, and sends a tenth: no more than ten can stay.
            while sockets.count(where: Self.isOver) < 30 {
                try await Task.sleep(for: .milliseconds(5))  // sleeps: the condition causes no event
            }
            #expect(budget.bytes <= 1 << 20)
            let status = try await fixture.client.unary(ControlMethods.getStatus, .init(), timeout: .seconds(30))
            #expect(status.home == "here")
        }
    }

    @Test("The process that holds the most gives way, and is told so; the plane serves another meanwhile")
    func givingWay() async throws {
        var router = ConnectRouter()
        router.unary(ControlMethods.writeKeyValue) { request, _ in .with { $0.item.key = request.key } }
        let budget = ByteBudget(maximum: 2 << 20, perClient: 2 << 20)
        try await LocalPlaneFixture.run(router: router, bodies: budget) { fixture in
            // Two calls of another process hold all there is for large bodies.
            let program = """
                socket, sys = map(__import__, ("socket", "sys"))
                held = []
                for _ in range(2):
                    s = socket.socket(socket.AF_UNIX); s.connect("\(fixture.socketPath)"); held.append(s)
                    s.sendall(b"POST \(ControlMethods.writeKeyValue.path) HTTP/1.1\\r\\nHost: x\\r\\n"
                        b"Content-Type: application/proto\\r\\nContent-Length: 900000\\r\\n\\r\\n" + bytes(890000))
                print("sent", flush=True)
                print(held[0].recv(4096), flush=True)
                """
            let other = try ChildProcess(["python3", "-c", program])
            defer { other.send(SIGKILL) }
            while budget.bytes < 1_780_000 {
                try await Task.sleep(for: .milliseconds(5))  // sleeps: the condition causes no event
            }
            let key = String(repeating: "k", count: 500_000)
            let answer = try await fixture.client.unary(
                ControlMethods.writeKeyValue, .with { $0.key = key }, timeout: .seconds(30))
            #expect(answer.item.key == key)
            let told = try await within(.seconds(20), "the other to be told") {
                try await other.output.first { $0.contains("too_many_bytes") ? $0 : nil }
            }
            #expect(told != nil)
        }
    }

    /// A call without the end of its message.
    private static func openSlow(_ path: String, sending count: Int) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0)
        let head =
            "POST \(ControlMethods.getStatus.path) HTTP/1.1\r\nHost: x\r\nContent-Type: application/proto\r\n"
            + "Content-Length: 1000000\r\n\r\n"
        let bytes = Array(head.utf8) + [UInt8](repeating: 0, count: count)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            // It was ended while it sent.
            guard count > 0 else { break }
            sent += count
        }
        return descriptor
    }

    /// Whether the server has closed the connection. Earlier output is ignored.
    private static func isOver(_ descriptor: Int32) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count <= 0 { return count == 0 || errno != EAGAIN }
        }
    }
}
