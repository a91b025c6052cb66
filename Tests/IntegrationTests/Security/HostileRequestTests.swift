import BatonClient
import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration.SecurityTests {
    @Suite("Malformed, oversized, slow and endless requests")
    struct HostileRequestTests {
        /// MiB that a daemon may have grown by when all is over: what the allocator keeps, not what was sent.
        private static let allowedGrowth = 96
        /// Requests with the beginning of their answer.
        private static func malformed(_ path: String, limit: Int) -> [(request: String, answer: String)] {
            let head = "POST \(path) HTTP/1.1\r\nHost: x\r\n"
            return [
                ("GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "HTTP/1.1 405"),
                (
                    "POST /baton.none.v1.None/None HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
                    "HTTP/1.1 404"
                ),
                (head + "Content-Type: text/plain\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 415"),
                (
                    head + "Content-Type: application/proto\r\nContent-Encoding: gzip\r\nConnection: close\r\n"
                        + "Content-Length: 0\r\n\r\n", "HTTP/1.1 415"
                ),
                (
                    head
                        + "Content-Type: application/proto\r\nConnection: close\r\nContent-Length: 3\r\n\r\n\u{1}\u{1}\u{1}",
                    "HTTP/1.1 400"
                ),
                (
                    head + "Content-Type: application/json\r\nConnection: close\r\nContent-Length: 1\r\n\r\n[",
                    "HTTP/1.1 400"
                ),
                (
                    head + "Content-Type: application/json\r\nConnection: close\r\nContent-Length: 100000\r\n\r\n"
                        + String(repeating: "[", count: 100_000), limit < 100_000 ? "HTTP/1.1 429" : "HTTP/1.1 400"
                ),
                (head + "Content-Type: application/proto\r\nContent-Length: \(limit + 1)\r\n\r\n", "HTTP/1.1 429"),
                (
                    head + "Content-Type: application/proto\r\nContent-Length: 99999999999999999999\r\n\r\n",
                    "HTTP/1.1 4"
                ),
                (
                    head
                        + "Content-Type: application/proto\r\nConnect-Timeout-Ms: -1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
                    "HTTP/1.1 400"
                ),
                (head + "X: \(String(repeating: "x", count: 10_000))\r\n\r\n", "HTTP/1.1 4"),
                (head + (0..<80).map { "X-\($0): y\r\n" }.joined() + "\r\n", "HTTP/1.1 4"),
                ("\u{0}\u{1}\u{2}NONSENSE\r\n\r\n", "HTTP/1.1 400"),
            ]
        }

        /// A chunked request that never ends.
        private static func endless(_ socket: HostileSocket, _ path: String) async -> (sent: Int, answer: String) {
            await socket.send(
                "POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Type: application/proto\r\nTransfer-Encoding: chunked\r\n\r\n"
            )
            let chunk = Array("10000\r\n".utf8) + Array(repeating: 0x61, count: 0x10000) + Array("\r\n".utf8)
            var sent = 0
            while sent < 64 << 20, case let count = await socket.send(chunk), count > 0 {
                sent += count
                if count < chunk.count { break }
            }
            return (sent, await socket.answer(within: 5))
        }

        // In the quiet lane, since it measures memory.
        @Test("On the local socket they are refused with a code, nothing is kept, and others are served meanwhile")
        func localPlane() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let path = "/baton.control.v1.ControlService/GetStatus"
                let before = try DaemonMemory.resident(device)
                var waiting: [HostileSocket] = []
                for number in 0..<48 {
                    let socket = try await HostileSocket.unix(device.locations.socket)
                    // Idle, slow in its head, slow in its body.
                    if number % 3 == 1 { await socket.send("POST \(path) HTT") }
                    if number % 3 == 2 {
                        await socket.send(
                            "POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Type: application/proto\r\nContent-Length: 99\r\n\r\n"
                        )
                    }
                    waiting.append(socket)
                }
                try await Self.isServed(device)
                for (request, answer) in Self.malformed(path, limit: 4 << 20) {
                    let socket = try await HostileSocket.unix(device.locations.socket)
                    await socket.send(request)
                    let text = await socket.answer()
                    #expect(text.hasPrefix(answer), "\(request.prefix(200)) was answered by \(text.prefix(200))")
                    socket.close()
                    try await Self.isServed(device)
                }
                for _ in 0..<4 {
                    let socket = try await HostileSocket.unix(device.locations.socket)
                    let (sent, answer) = await Self.endless(socket, path)
                    #expect(sent < 32 << 20)
                    #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 429"), "\(answer.prefix(200))")
                    socket.close()
                }
                // A slow body is given up after its ten seconds, with a code.
                let slow = await waiting[2].answer(within: 15)
                #expect(slow.hasPrefix("HTTP/1.1 504"), "\(slow.prefix(200))")
                #expect(slow.contains("body_timeout"))
                try await Self.isServed(device)
                for socket in waiting { socket.close() }
                #expect(try DaemonMemory.resident(device) - before < Self.allowedGrowth)
            }
        }

        private static func isServed(_ device: TestDevice) async throws {
            _ = try await device.call(ControlMethods.getStatus)
        }

        // In the quiet lane, since it measures memory.
        @Test("A stranger at the link port gets no answer, and devices of the account find each other meanwhile (H-11)")
        func linkPlane() async throws {
            try await TestHousehold.with(3, paired: false) { household in
                let (first, second) = (household[0], household[1])
                _ = try await first.call(ControlMethods.createAccount, .with { $0.deviceName = first.name })
                try await household.pair(first, with: second)
                try await first.isConnected(to: second)
                let port = Int(try await first.call(ControlMethods.getStatus).linkPort)
                let before = try DaemonMemory.resident(first)
                func open() async throws -> HostileSocket {
                    try await .tcp(household.namespaces.addresses[0], port, from: 2, of: household.namespaces)
                }
                var waiting: [HostileSocket] = []
                for number in 0..<60 {
                    let socket = try await open()
                    if number % 2 == 0 { await socket.send([0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3]) }
                    waiting.append(socket)
                }
                // Sixteen of one address wait at a time, the ones before them are closed at once; in about the order in
                // which they came, since several threads accept them.
                var closed = 0
                for socket in waiting.prefix(30) where await socket.read(for: 1).isClosed { closed += 1 }
                #expect(closed == 30)
                try await second.restart()
                try await first.isConnected(to: second)
                for socket in waiting {
                    let (bytes, isClosed) = await socket.read(for: 10)
                    #expect(bytes.isEmpty)
                    #expect(isClosed)
                    socket.close()
                }
                for request in [
                    Array("POST / HTTP/1.1\r\nHost: x\r\n\r\n".utf8), [UInt8](repeating: 0, count: 1 << 20),
                    [0x16, 3, 1, 0xFF, 0xFF] + Array(repeating: 1, count: 1 << 20), [0x16, 3, 3, 0, 4, 2, 0, 0, 0],
                    Array("SSH-2.0-OpenSSH\r\n".utf8),
                ] {
                    let socket = try await open()
                    await socket.send(request)
                    let (bytes, isClosed) = await socket.read(for: 10)
                    #expect(bytes.isEmpty)
                    #expect(isClosed)
                    socket.close()
                }
                try await first.isConnected(to: second)
                #expect(try DaemonMemory.resident(first) - before < Self.allowedGrowth)
            }
        }

        // In the quiet lane, since it measures memory.
        @Test("At the pairing port they are refused with a code, and the person pairs all the same")
        func pairingPlane() async throws {
            try await TestHousehold.with(3, paired: false) { household in
                let (first, second) = (household[0], household[1])
                _ = try await first.call(ControlMethods.createAccount, .with { $0.deviceName = first.name })
                let before = try DaemonMemory.resident(first)
                let known = try DaemonMemory.listeningPorts(first)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    let (labels, label) = AsyncStream.makeStream(of: String.self)
                    group.addTask {
                        for try await event in try await first.client.serverStream(ControlMethods.pair, .init()) {
                            if case .waiting(let waiting)? = event.kind { label.yield(waiting.label) }
                            if case .code(let shown)? = event.kind {
                                _ = try await first.call(
                                    ControlMethods.confirmPairing, .with { $0.typedCode = shown.code })
                            }
                        }
                    }
                    var iterator = labels.makeAsyncIterator()
                    let name = try #require(await iterator.next())
                    let port = try #require(try DaemonMemory.listeningPorts(first).subtracting(known).first)
                    let waiting = try await Self.attackPairing(household, port: port)
                    // Another address is served while the stranger holds all the connections that it may have.
                    for try await event in try await second.client.serverStream(
                        ControlMethods.pair,
                        .with {
                            $0.deviceName = second.name
                            $0.label = name
                        })
                    {
                        guard case .code(let shown)? = event.kind else { continue }
                        _ = try await second.call(ControlMethods.confirmPairing, .with { $0.typedCode = shown.code })
                    }
                    try await group.waitForAll()
                    for socket in waiting { socket.close() }
                }
                try await first.isConnected(to: second)
                #expect(try DaemonMemory.resident(first) - before < Self.allowedGrowth)
            }
        }

        /// - Returns: connections that are left open.
        private static func attackPairing(_ household: TestHousehold, port: Int) async throws -> [HostileSocket] {
            func open() async throws -> HostileSocket {
                try await .tcp(household.namespaces.addresses[0], port, from: 2, of: household.namespaces)
            }
            let service = "/baton.link.v1.PairingService"
            for (request, answer) in malformed("\(service)/Begin", limit: 64 << 10) {
                let socket = try await open()
                await socket.send(request)
                let text = await socket.answer()
                #expect(text.hasPrefix(answer), "\(request.prefix(200)) was answered by \(text.prefix(200))")
                socket.close()
            }
            // Out of order, and methods of other planes.
            let json = #"{"session_id":"AAAAAAAAAAAAAAAAAAAAAAAAAA"}"#
            for path in [
                "\(service)/Exchange", "\(service)/Reveal", "/baton.control.v1.ControlService/GetStatus",
                "/baton.link.v1.HandoffService/FetchPayload",
            ] {
                let socket = try await open()
                await socket.send(
                    "POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n"
                        + "Content-Length: \(json.utf8.count)\r\n\r\n\(json)")
                let answer = await socket.answer()
                #expect(answer.hasPrefix("HTTP/1.1 4"), "\(path): \(answer.prefix(200))")
                #expect(answer.contains(#""code":"#))
                socket.close()
            }
            let (sent, _) = await endless(try await open(), "\(service)/Begin")
            #expect(sent < 16 << 20)
            var waiting: [HostileSocket] = []
            for number in 0..<6 {
                let socket = try await open()
                if number % 2 == 0 { await socket.send("POST \(service)/Begin HTT") }
                waiting.append(socket)
            }
            return waiting
        }
    }
}
