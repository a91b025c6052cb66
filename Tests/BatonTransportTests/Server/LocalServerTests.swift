import BatonClient
import BatonCore
import BatonTransport
import BatonWire
import Foundation
import Glibc
import NIOPosix
import SwiftProtobuf
import Synchronization
import Testing

@Suite("Local plane", .timeLimit(.minutes(2)))
struct LocalServerTests {
    private static func router() -> ConnectRouter {
        var router = ConnectRouter()
        router.unary(ControlMethods.getStatus) { _, context in
            guard case .process(let process) = context.peer else {
                throw BatonError(.unauthenticated, reason: "no_process", "No process.")
            }
            return .with {
                $0.processID = UInt32(process.processID)
                $0.home = process.executable ?? ""
            }
        }
        router.unary(ControlMethods.renameDevice) { request, _ in
            throw BatonError(.notFound, reason: "no_such_device", "There is no device “\(request.device)”.")
        }
        router.serverStream(ControlMethods.readLog) { request, _, writer in
            for number in 0..<request.limit {
                try await writer.write(.with { $0.time = UInt64(number) })
            }
            if request.acceptanceID == "fail" {
                throw BatonError(.dataLoss, reason: "damaged_log", "The log is damaged.")
            }
        }
        return router
    }

    @Test("A caller is known by its process")
    func callerIsKnown() async throws {
        try await LocalPlaneFixture.run(router: Self.router()) { fixture in
            let status = try await fixture.client.unary(ControlMethods.getStatus, .init(), timeout: .seconds(10))
            #expect(status.processID == UInt32(getpid()))
            #expect(status.home == (try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")))
        }
    }

    @Test("A task that prefers the client's executor calls and is answered on the event loop of the connections")
    func executor() async throws {
        try await LocalPlaneFixture.run(router: Self.router()) { fixture in
            let client = fixture.client.calling(as: AppClaim(bundleID: "com.example.a"))
            let executor = try #require(client.executor)
            let loops = try await Task(executorPreference: executor) {
                var loops = [MultiThreadedEventLoopGroup.currentEventLoop.map { ObjectIdentifier($0) }]
                for _ in 0..<2 {
                    _ = try await client.unary(ControlMethods.getStatus, .init(), timeout: .seconds(10))
                    loops.append(MultiThreadedEventLoopGroup.currentEventLoop.map { ObjectIdentifier($0) })
                }
                let request = Baton_Control_V1_ReadLogRequest.with { $0.limit = 2 }
                for try await _ in try await client.serverStream(ControlMethods.readLog, request) {
                    loops.append(MultiThreadedEventLoopGroup.currentEventLoop.map { ObjectIdentifier($0) })
                }
                return loops
            }.value
            #expect(loops.count == 5 && Set(loops).count == 1 && loops[0] != nil)
        }
    }

    @Test("A large message is taken apart and handled beside the event loop, which every other connection waits for")
    func largeMessages() async throws {
        var router = ConnectRouter()
        router.unary(ControlMethods.renameDevice) { request, _ in
            // Where the handler begins, the message was taken apart.
            let isOnLoop = MultiThreadedEventLoopGroup.currentEventLoop != nil
            throw BatonError(.notFound, reason: isOnLoop ? "on_loop" : "beside", "\(request.device.utf8.count)")
        }
        router.serverStream(ControlMethods.readLog) { _, _, writer in
            let isOnLoop = MultiThreadedEventLoopGroup.currentEventLoop != nil
            try await writer.write(.with { $0.time = isOnLoop ? 1 : 2 })
        }
        try await LocalPlaneFixture.run(router: router) { fixture in
            for (size, reason) in [(10, "on_loop"), (1 << 20, "beside")] {
                let error = await #expect(throws: BatonError.self) {
                    try await fixture.client.unary(
                        ControlMethods.renameDevice, .with { $0.device = String(repeating: "x", count: size) },
                        timeout: .seconds(10))
                }
                #expect(error?.reason == reason && error?.message == "\(size)")
            }
            let request = Baton_Control_V1_ReadLogRequest.with {
                $0.acceptanceID = String(repeating: "x", count: 1 << 20)
            }
            for try await event in try await fixture.client.serverStream(ControlMethods.readLog, request) {
                #expect(event.time == 2)
            }
        }
    }

    @Test("Apps' processes, however many, leave a quarter of the connections to the person's programs")
    func crowded() async throws {
        let isApp = Mutex(false)
        let isConfined: @Sendable (PeerProcess) -> Bool = { process in
            process.processID == getpid() && isApp.withLock { $0 }
        }
        try await LocalPlaneFixture.run(
            router: Self.router(), maximumConnections: 8, isConfined: isConfined
        ) { fixture in
            // Each keeps the connection of its call.
            let clients = (0..<8).map { _ in HTTPConnectClient(socketPath: fixture.socketPath) }
            func call(_ number: Int) async throws {
                _ = try await clients[number].unary(ControlMethods.getStatus, .init(), timeout: .seconds(10))
            }
            isApp.withLock { $0 = true }
            for number in 0..<6 { try await call(number) }
            await #expect(throws: BatonError.self) { try await call(6) }
            // One that is there goes on.
            try await call(0)
            isApp.withLock { $0 = false }
            try await call(6)
            withExtendedLifetime(clients) {}
        }
    }

    @Test("An error keeps its code, reason and sentence, and the connection stays usable")
    func errorsTravel() async throws {
        try await LocalPlaneFixture.run(router: Self.router()) { fixture in
            for _ in 0..<3 {
                let error = await #expect(throws: BatonError.self) {
                    try await fixture.client.unary(
                        ControlMethods.renameDevice, .with { $0.device = "Attic" }, timeout: .seconds(10))
                }
                #expect(error?.code == .notFound)
                #expect(error?.reason == "no_such_device")
                #expect(error?.message == "There is no device “Attic”.")
            }
        }
    }

    @Test("A method that this version lacks is refused clearly (H-98)")
    func unknownMethod() async throws {
        try await LocalPlaneFixture.run(router: Self.router()) { fixture in
            let error = await #expect(throws: BatonError.self) {
                try await fixture.client.unary(ControlMethods.quitApp, .init(), timeout: .seconds(10))
            }
            #expect(error?.code == .unimplemented)
        }
    }

    @Test("A stream delivers every message in order, and its error at the end", arguments: [0, 1, 7, 2000])
    func streams(count: Int) async throws {
        try await LocalPlaneFixture.run(router: Self.router()) { fixture in
            let whole = try await fixture.client.serverStream(
                ControlMethods.readLog, .with { $0.limit = UInt32(count) })
            var times: [UInt64] = []
            for try await record in whole { times.append(record.time) }
            #expect(times == (0..<UInt64(count)).map { $0 })

            let failing = try await fixture.client.serverStream(
                ControlMethods.readLog,
                .with {
                    $0.limit = UInt32(count)
                    $0.acceptanceID = "fail"
                })
            var seen = 0
            let error = await #expect(throws: BatonError.self) {
                for try await _ in failing { seen += 1 }
            }
            #expect(seen == count)
            #expect(error?.reason == "damaged_log")
        }
    }

    @Test("A caller that leaves ends its stream's handler")
    func leavingCancels() async throws {
        let (ended, signal) = AsyncStream.makeStream(of: Void.self)
        let (started, startSignal) = AsyncStream.makeStream(of: Void.self)
        var router = ConnectRouter()
        router.serverStream(ControlMethods.readLog) { _, _, writer in
            defer { signal.finish() }
            try await writer.write(.init())
            startSignal.finish()
            try await Task.sleep(for: .seconds(3600))
        }
        try await LocalPlaneFixture.run(router: router) { fixture in
            let task = Task {
                for try await _ in try await fixture.client.serverStream(ControlMethods.readLog, .init()) {}
            }
            for await _ in started {}
            task.cancel()
            for await _ in ended {}
            _ = await task.result
        }
    }

    @Test("A deadline is kept by the client and told to the server")
    func deadlines() async throws {
        let (ended, signal) = AsyncStream.makeStream(of: Bool.self)
        var router = ConnectRouter()
        router.unary(ControlMethods.quitApp) { _, context in
            signal.yield(context.deadline != nil)
            try await Task.sleep(for: .seconds(3600))
            return .init()
        }
        try await LocalPlaneFixture.run(router: router) { fixture in
            // Long enough for a busy machine to have sent the call before.
            let error = await #expect(throws: BatonError.self) {
                try await fixture.client.unary(ControlMethods.quitApp, .init(), timeout: .seconds(1))
            }
            #expect(error?.code == .deadlineExceeded)
            var iterator = ended.makeAsyncIterator()
            #expect(await iterator.next() == true)
        }
    }

    @Test("JSON serves curl and people")
    func json() async throws {
        try await LocalPlaneFixture.run(router: Self.router()) { fixture in
            let answer = try await RawHTTP.exchange(
                fixture.socketPath,
                "POST /baton.control.v1.ControlService/RenameDevice HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 29\r\nConnection: close\r\n\r\n{\"device\":\"A\",\"unknown\":true}")
            #expect(answer.hasPrefix("HTTP/1.1 404"))
            #expect(
                answer.contains(#"{"code":"not_found","message":"There is no device “A”.","reason":"no_such_device"}"#))
        }
    }

    @Test(
        "Malformed requests are refused with a code",
        arguments: [
            ("GET /baton.control.v1.ControlService/GetStatus HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "405"),
            ("GET /favicon.ico HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "404"),
            (
                "POST /baton.control.v1.ControlService/GetStatus HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n"
                    + "Content-Length: 0\r\nConnection: close\r\n\r\n", "415"
            ),
            (
                "POST /baton.control.v1.ControlService/GetStatus HTTP/1.1\r\nHost: x\r\nContent-Type: application/proto\r\n"
                    + "Content-Length: 3\r\nConnection: close\r\n\r\n\u{1}\u{1}\u{1}", "400"
            ),
            (
                "POST /baton.control.v1.ControlService/GetStatus HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 1\r\nConnection: close\r\n\r\n[", "400"
            ),
            (
                "POST /baton.control.v1.ControlService/GetStatus HTTP/1.1\r\nHost: x\r\nContent-Type: application/proto\r\n"
                    + "Content-Length: 999999999\r\n\r\n", "429"
            ),
            (
                "POST /baton.control.v1.ControlService/GetStatus HTTP/1.1\r\nHost: x\r\nContent-Type: application/proto\r\n"
                    + "Connect-Timeout-Ms: soon\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", "400"
            ),
            (
                "POST /baton.control.v1.ControlService/GetStatus HTTP/1.1\r\nHost: x\r\nContent-Type: application/proto\r\n"
                    + "Content-Encoding: gzip\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", "415"
            ),
            ("NONSENSE\r\n\r\n", "400"),
        ])
    func malformed(request: String, status: String) async throws {
        try await LocalPlaneFixture.run(router: Self.router()) { fixture in
            let answer = try await RawHTTP.exchange(fixture.socketPath, request)
            #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(answer)")
            // Others are served meanwhile and afterwards.
            _ = try await fixture.client.unary(ControlMethods.getStatus, .init(), timeout: .seconds(10))
        }
    }

    @Test("An endless chunked body is cut off at the limit")
    func endlessBody() async throws {
        try await LocalPlaneFixture.run(router: Self.router(), limits: .init(maximumMessageSize: 100_000)) { fixture in
            let chunk = "2710\r\n" + String(repeating: "x", count: 10_000) + "\r\n"
            let answer = try await RawHTTP.exchange(
                fixture.socketPath,
                "POST /baton.control.v1.ControlService/GetStatus HTTP/1.1\r\nHost: x\r\nContent-Type: application/proto\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n" + String(repeating: chunk, count: 50))
            #expect(answer.hasPrefix("HTTP/1.1 429"), "\(answer)")
        }
    }
}

/// A request as bytes, for what no proper client sends.
enum RawHTTP {
    /// On a thread of its own: it blocks.
    static func exchange(_ socketPath: String, _ request: String) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try exchangeBlocking(socketPath, request) })
            }
        }
    }

    private static func exchangeBlocking(_ socketPath: String, _ request: String) throws -> String {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var timeout = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(socketPath.utf8)) }
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(connected == 0)
        let bytes = Array(request.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { break }
            sent += count
        }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            answer += buffer[..<count]
        }
        return String(decoding: answer, as: UTF8.self)
    }
}
