import BatonClient
import BatonCloud
import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Glibc
import Testing

/// The memory and connections that callers can use up in a real server.
@Suite("Bounds of the cloud", .serialized) struct BoundsTests {
    /// 360 connections of 36 addresses, each with an unfinished body of 4.9 MB: then “sent”, and what they were answered.
    /// - Parameter patience: how long to wait, in seconds, for an answer to the head.
    private static func bodies(
        _ server: CloudProcess, path: String, bearer: String = "", patience: Double
    ) -> String {
        """
        from sys import argv; import socket, ssl, sys, threading
        context = ssl._create_unverified_context()
        lock, held, answers = threading.Lock(), [], {}
        head = (b"POST \(path) HTTP/1.1\\r\\nHost: \(server.authority)\\r\\nContent-Type: application/proto\\r\\n"
                b"Content-Length: 4900000\\r\\nAuthorization: Bearer \(bearer)\\r\\n\\r\\n")
        def attack(number):
            for _ in range(10):
                answer = b""
                try:
                    plain = socket.create_connection(("127.0.0.1", \(server.port)), 60, (f"127.0.1.{number + 1}", 0))
                    connection = context.wrap_socket(plain)
                    with lock: held.append(connection)
                    connection.sendall(head)
                    connection.settimeout(\(patience))
                    for _ in range(74):
                        try: answer = connection.recv(4096)
                        except TimeoutError: answer = b""
                        if answer: break
                        connection.settimeout(60)
                        connection.sendall(bytes(65536))
                        connection.settimeout(0.001)
                    # The head of the answer comes first.
                    connection.settimeout(60)
                    while answer and b"}" not in answer:
                        more = connection.recv(4096)
                        if not more: break
                        answer += more
                except OSError: pass
                reason = next((name for name in \(Self.reasons) if name.encode() in answer), "none")
                with lock: answers[reason] = answers.get(reason, 0) + 1
        threads = [threading.Thread(target=attack, args=(number,)) for number in range(36)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        print("sent", *(f"{name}={count}" for name, count in answers.items()), flush=True)
        sys.stdin.read()
        """
    }

    private static let reasons = [
        "registration_closed", "too_much_at_once", "overloaded", "rate_limited", "too_many_connections",
    ]

    /// - Returns: how often they were answered with each reason.
    private func sent(_ attackers: ChildProcess) async throws -> [String: Int] {
        let line = try await within(.seconds(240), "the bodies to be sent") {
            try await attackers.output.first { $0.hasPrefix("sent") ? $0 : nil }?.0
        }
        let words = try #require(line, "\(attackers.errors.all)").split(separator: " ").dropFirst()
        return words.reduce(into: [:]) { counts, word in
            let pair = word.split(separator: "=")
            counts[String(pair[0])] = Int(pair[1])
        }
    }

    /// In MiB: `VmRSS`, or `VmHWM` for the most that it was.
    private static func memory(_ server: CloudProcess, _ field: String = "VmRSS") throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(server.process.processID)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(field + ":") })
        return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }) / 1024
    }

    // In the quiet lane, since it measures memory.
    @Test(
        "Hundreds of unfinished registrations hold little memory, keep nobody out, and what they held goes back",
        arguments: ["open", "closed"])
    func registrations(_ registration: String) async throws {
        let folder = try TemporaryDirectory()
        let account = try TestAccount()
        try await CloudProcess.with(data: folder.file("data")) { server in
            try await CloudClient(server, account).register()
        }
        try await CloudProcess.with(data: folder.file("data"), registration: registration) { server in
            let client = try CloudClient(server, account)
            try await client.authenticate()
            try await client.put(1, "one")
            let before = try Self.memory(server)
            let attackers = try ChildProcess([
                "python3", "-c",
                Self.bodies(
                    server, path: AccountMethods.register.path, patience: registration == "closed" ? 60 : 1),
            ])
            defer { attackers.send(SIGKILL) }
            let answers = try await sent(attackers)
            // All were refused by their heads, or all but as many as fit.
            if registration == "closed" { #expect(answers == ["registration_closed": 360]) }
            let most = try Self.memory(server, "VmHWM")
            #expect(most < before + 400, "\(before) MiB became \(most): \(answers)")
            // Members are still served.
            let other = try CloudClient(server, account, try account.admit())
            try await other.register()
            try await other.put(2, "two")
            #expect(try await client.pull().count == 2)
            attackers.send(SIGKILL)
            try await within(.seconds(60), "the memory to go back") {
                while try Self.memory(server) > before + 100 {
                    try await Task.sleep(for: .milliseconds(100))  // sleeps: memory causes no event
                }
            }
        }
    }

    // In the quiet lane, since it waits for hundreds of bodies to be sent.
    @Test("One account's unfinished bodies hold a quarter of what there is for devices, and others write on")
    func members() async throws {
        let folder = try TemporaryDirectory()
        try await CloudProcess.with(data: folder.file("data")) { server in
            let (client, other) = (
                try CloudClient(server, try TestAccount()), try CloudClient(server, try TestAccount())
            )
            for client in [client, other] { try await client.register() }
            let attackers = try ChildProcess([
                "python3", "-c",
                Self.bodies(
                    server, path: ZoneMethods.writeItems.path, bearer: try #require(client.bearer), patience: 0.5),
            ])
            defer { attackers.send(SIGKILL) }
            let answers = try await sent(attackers)
            // 13 of 4.9 MB are in 64 MiB; those that were cut off let others in.
            #expect(answers["too_much_at_once", default: 0] > 100, "\(answers)")
            let metrics = String(decoding: try await other.curl("/metrics").body, as: UTF8.self)
            let held = metrics.split(separator: "\n").first { $0.hasPrefix("baton_cloud_held_bytes ") }
            #expect(held.flatMap { Int($0.split(separator: " ")[1]) }.map { $0 <= 64 << 20 } == true, "\(held ?? "")")
            try await other.put(1, String(repeating: "x", count: 2 << 20))
            #expect(try await other.pull().count == 1)
        }
    }

    @Test(
        "Unfinished bodies of five accounts fill what there is for devices, and another account writes on",
        arguments: [0, 4_800_000])
    func manyAccounts(_ sent: Int) async throws {
        let folder = try TemporaryDirectory()
        try await CloudProcess.with(data: folder.file("data")) { server in
            let clients = try (0..<6).map { _ in try CloudClient(server, try TestAccount()) }
            for client in clients { try await client.register() }
            let bearers = clients.dropLast().map { "b\"\($0.bearer ?? "")\"" }.joined(separator: ", ")
            let program = """
                socket, ssl, sys = map(__import__, ("socket", "ssl", "sys"))
                context, held = ssl._create_unverified_context(), []
                for bearer in [\(bearers)]:
                    for _ in range(12):
                        try:
                            plain = socket.create_connection(("127.0.0.1", \(server.port)), 60)
                            connection = context.wrap_socket(plain)
                            held.append(connection)
                            connection.sendall(b"POST \(ZoneMethods.writeItems.path) HTTP/1.1\\r\\n"
                                b"Host: \(server.authority)\\r\\nContent-Type: application/proto\\r\\n"
                                b"Content-Length: 4900000\\r\\nAuthorization: Bearer " + bearer + b"\\r\\n\\r\\n"
                                + bytes(\(sent)))
                        except OSError: pass
                print("held", len(held), flush=True)
                sys.stdin.read()
                """
            let attackers = try ChildProcess(["python3", "-c", program])
            defer { attackers.send(SIGKILL) }
            _ = try await within(.seconds(60), "the bodies to be sent") {
                try await attackers.output.expect { $0.hasPrefix("held") ? $0 : nil }
            }
            try await clients[5].put(1, String(repeating: "x", count: 1 << 20))
            try await clients[5].put(2, "small")
            #expect(try await clients[5].pull().count == 2)
        }
    }

    @Test("Connections of one account keep no other out, however many there are, and its own go on")
    func connections() async throws {
        let folder = try TemporaryDirectory()
        let file = folder.file("cloud.yaml")
        try "limits: {connections: 40}".write(toFile: file, atomically: true, encoding: .utf8)
        try await CloudProcess.with(data: folder.file("data"), ["--config", file]) { server in
            let client = try CloudClient(server, try TestAccount())
            try await client.register()
            let program = """
                from sys import argv; import socket, ssl, sys
                context, held = ssl._create_unverified_context(), []
                for number in range(200):
                    try:
                        connection = context.wrap_socket(socket.create_connection(("127.0.0.1", \(server.port))))
                        connection.sendall(b"GET /v1/blobs/\(String(repeating: "a", count: 64)) HTTP/1.1\\r\\n"
                            b"Host: \(server.authority)\\r\\nAuthorization: Bearer \(client.bearer ?? "")\\r\\n\\r\\n")
                        connection.recv(4096)
                        held.append(connection)
                    except OSError: pass
                print("held", len(held), flush=True)
                sys.stdin.read()
                """
            let devices = try ChildProcess(["python3", "-c", program])
            defer { devices.send(SIGKILL) }
            let held = try await within(.seconds(60), "the connections") {
                try await devices.output.first { $0.hasPrefix("held") ? $0 : nil }?.0
            }
            // Each was answered: an older one made room for it.
            #expect(held == "held 200", "\(devices.errors.all)")
            let metrics = String(decoding: try await client.curl("/metrics").body, as: UTF8.self)
            let line = metrics.split(separator: "\n").first { $0.hasPrefix("baton_cloud_connections ") }
            // Half of 40, and those of the test itself.
            #expect(line.flatMap { Int($0.split(separator: " ")[1]) }.map { $0 <= 24 } == true, "\(line ?? "")")
            let other = try CloudClient(server, try TestAccount())
            try await other.register()
            try await other.put(1, "one")
            let again = try CloudClient(server, client.account)
            try await again.authenticate()
            try await again.put(1, "one")
        }
    }
}
