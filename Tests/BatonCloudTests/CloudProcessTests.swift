import BatonClient
import BatonCore
import BatonTestSupport
import BatonWire
import Crypto
import Foundation
import Glibc
import SwiftProtobuf
import Synchronization
import Testing

@testable import BatonCloud

/// Real `baton-cloud` processes, called over TLS on the loopback.
@Suite("baton-cloud", .serialized) struct CloudProcessTests {
    @Test("Two devices of an account write, pull and hear of each other, with no configuration")
    func twoDevices() async throws {
        let folder = try TemporaryDirectory()
        try await CloudProcess.with(data: folder.file("data")) { server in
            let account = try TestAccount()
            let first = try CloudClient(server, account)
            try await first.register()
            let second = try CloudClient(server, account, try account.admit())
            await expectRefusal("not_a_member", .permissionDenied) { try await second.authenticate() }
            _ = try await first.call(AccountMethods.mergeMembership, .with { $0.statements = account.statements })
            try await second.authenticate()

            var events = try await second.subscribe().makeAsyncIterator()
            try await first.put(1, "one")
            let event = try #require(try await events.next())
            #expect(event.head.zoneID == CloudClient.name(1) && event.head.head == 1)
            let pulled = try await second.pull().values.map { String(decoding: $0.content.sealed, as: UTF8.self) }
            #expect(pulled == ["one"])
            try await second.put(1, "two", replaces: 1)
            #expect(try await events.next()?.head.head == 2)
            let conflict = try await first.call(ZoneMethods.writeItems, CloudClient.batch([(1, "three", 1)]))
            #expect(conflict.versions.isEmpty && conflict.conflicts.map(\.version) == [2])

            let zones = try await first.call(ZoneMethods.listZones, .init()).zones
            #expect(zones.map(\.head) == [2] && zones.allSatisfy { $0.epoch.count == 16 })
            let usage = try await first.call(AccountMethods.getUsage, .init())
            #expect(usage.items == 1 && usage.zones == 1 && usage.quotaBytes == 10 << 30)
            _ = try await first.call(ZoneMethods.deleteZone, .with { $0.zoneID = CloudClient.name(1) })
            #expect(try await events.next()?.gone.zoneID == CloudClient.name(1))
        }
    }

    @Test("The server describes itself without a token, and keeps its files to itself")
    func pages() async throws {
        let folder = try TemporaryDirectory()
        try await CloudProcess.with(data: folder.file("data")) { server in
            let client = try CloudClient(server, try TestAccount())
            let description = try await client.call(AccountMethods.getServer, .init())
            #expect(description.registration == .open && description.limits.itemsPerBatch == 500)
            for path in ["/health", "/ready"] { #expect(try await client.curl(path).status == 200) }
            #expect(try await client.curl("/health", ["--head"]).status == 200)
            for (path, method) in [("/health", "DELETE"), ("/ready", "POST"), ("/metrics", "PUT")] {
                let refused = try await client.curl(path, ["-X", method, "-D", folder.file("head")])
                #expect(refused.status == 405, "\(method) \(path)")
                let head = try String(contentsOfFile: folder.file("head"), encoding: .utf8).lowercased()
                #expect(head.contains("allow: get, head\r\n"), "\(head)")
            }
            try await client.register()
            let metrics = String(decoding: try await client.curl("/metrics").body, as: UTF8.self)
            #expect(metrics.contains(#"baton_cloud_calls_total{method="Register",code="ok"} 1"#))
            #expect(!metrics.contains(client.account.id.rawValue))
            for file in ["data/cloud.sqlite", "data/key.pem"] { #expect(folder.permissions(file) == 0o600) }
            let other = try ChildProcess([try Products.path("baton-cloud"), "serve", "--data", folder.file("data")])
            #expect(try await other.status() == 1)
            try await other.errors.waitForEnd()
            #expect(other.errors.all.contains { $0.contains("runs with the folder") })
            let neighbour = try ChildProcess([
                try Products.path("baton-cloud"), "serve", "--data", folder.file("other"), "--listen", server.authority,
            ])
            #expect(try await neighbour.status() == 1)
            try await neighbour.errors.waitForEnd()
            #expect(neighbour.errors.all.contains { $0.contains("cannot listen on port \(server.port)") })
        }
        // The certificate stays, and with it the fingerprint that devices know.
        let certificate = try String(contentsOfFile: folder.file("data/certificate.pem"), encoding: .utf8)
        try await CloudProcess.with(data: folder.file("data")) { server in
            let path = folder.file("data/certificate.pem")
            let now = try String(contentsOfFile: path, encoding: .utf8)
            let fingerprint = try ServerIdentity.fingerprint(certificatePath: path)
            #expect(now == certificate && fingerprint == server.fingerprint)
        }
    }

    @Test("Killed under load, it has lost no write that it acknowledged, and answers repetitions as before")
    func killed() async throws {
        let folder = try TemporaryDirectory()
        let account = try TestAccount()
        let log = AcknowledgedWrites()
        for round in 1...3 {
            let server = try await CloudProcess(data: folder.file("data"))
            let client = try CloudClient(server, account)
            try await client.register()
            try await log.check(against: client)
            await withTaskGroup(of: Void.self) { group in
                for writer in 0..<6 {
                    group.addTask {
                        // Ends when the server is gone.
                        while await log.write(writer, by: client) {}
                    }
                }
                group.addTask {
                    // Large enough that the end comes in the middle of one.
                    var number = 0
                    while true {
                        number += 1
                        let content = Data("\(round)-\(number)".utf8) + Data(count: 2_000_000)
                        let answer = try? await client.putBlob(content, as: BlobHash(of: content))
                        guard answer?.status == 200 else { return }
                    }
                }
                group.addTask {
                    await log.waitForAcknowledgements(round * 150)
                    await server.process.kill()
                }
            }
        }
        try await CloudProcess.with(data: folder.file("data")) { server in
            let client = try CloudClient(server, account)
            try await client.register()
            try await log.check(against: client)
            #expect(log.count >= 450)
        }
        let verification = try ChildProcess([try Products.path("baton-cloud"), "verify", "--data", folder.file("data")])
        #expect(try await verification.status() == 0, "\(verification.output.all) \(verification.errors.all)")
    }

    @Test("A device that is revoked hears it in its stream, and is out at once")
    func revoked() async throws {
        let folder = try TemporaryDirectory()
        try await CloudProcess.with(data: folder.file("data")) { server in
            let account = try TestAccount()
            let second = try account.admit()
            let (first, thief) = (try CloudClient(server, account), try CloudClient(server, account, second))
            for client in [first, thief] { try await client.register() }
            try await first.put(1, "one")
            var own = try await first.subscribe().makeAsyncIterator()
            var stolen = try await thief.subscribe().makeAsyncIterator()
            #expect(try await own.next()?.head.head == 1)
            #expect(try await stolen.next()?.head.head == 1)
            try account.revoke(second)
            let known = try await first.call(
                AccountMethods.mergeMembership, .with { $0.statements = account.statements })
            #expect(known.statements.count == 3)
            await expectRefusal("device_revoked", .permissionDenied) { try await stolen.next() }
            #expect(try await own.next()?.membership == .init())
            await expectRefusal("device_revoked", .permissionDenied) { try await thief.put(2, "two") }
            await expectRefusal("device_revoked", .permissionDenied) { try await thief.pull() }
            await expectRefusal("device_revoked", .permissionDenied) { try await thief.authenticate() }
            #expect(try await thief.curl("/v1/blobs/\(BlobHash(of: Data()).hexadecimal)").status == 403)
            #expect(try await first.pull().count == 1)
        }
    }

    @Test("An upload of a device that is revoked meanwhile is answered so and cut off, and becomes no blob")
    func revokedUploading() async throws {
        let folder = try TemporaryDirectory()
        try await CloudProcess.with(data: folder.file("data")) { server in
            let account = try TestAccount()
            let second = try account.admit()
            let (first, thief) = (try CloudClient(server, account), try CloudClient(server, account, second))
            for client in [first, thief] { try await client.register() }
            let content = Data(repeating: 7, count: 3_000_000)
            let hash = BlobHash(of: content)
            try content.write(to: URL(fileURLWithPath: folder.file("content")))
            let upload = try ChildProcess([
                "curl", "--silent", "--insecure", "--limit-rate", "500k", "-H", "Expect:", "-H",
                "Authorization: Bearer \(thief.bearer ?? "")", "-X", "PUT", "--data-binary",
                "@" + folder.file("content"), "-o", folder.file("answer"), "-w", "%{http_code}\n",
                "https://127.0.0.1:\(server.port)/v1/blobs/\(hash.hexadecimal)?size=\(content.count)",
            ])
            try await within(.seconds(30), "the first bytes") {
                while true {
                    let missing = try await first.call(
                        BlobMethods.findMissingBlobs, .with { $0.hashes = [hash.bytes] })
                    if (missing.missing.first?.received ?? 0) > 0 { return }
                }
            }
            try account.revoke(second)
            _ = try await first.call(AccountMethods.mergeMembership, .with { $0.statements = account.statements })
            _ = try await within(.seconds(20), "curl to end") { try await upload.status() }
            try await upload.output.waitForEnd()
            #expect(upload.output.all == ["403"])
            let answer = try String(contentsOfFile: folder.file("answer"), encoding: .utf8)
            #expect(answer.contains("device_revoked"), "\(answer)")
            let missing = try await first.call(BlobMethods.findMissingBlobs, .with { $0.hashes = [hash.bytes] })
            #expect(missing.missing.count == 1)
        }
    }

    @Test("Invitations let one account in each, and a closed server lets none in")
    func registration() async throws {
        let folder = try TemporaryDirectory()
        let data = folder.file("data")
        let known = try TestAccount()
        try await CloudProcess.with(data: data, ["--registration", "invitation"]) { server in
            let client = try CloudClient(server, known)
            await expectRefusal("invitation_needed", .permissionDenied) { try await client.register() }
            let command = try ChildProcess([try Products.path("baton-cloud"), "invite", "--data", data])
            #expect(try await command.status() == 0)
            try await command.output.waitForEnd()
            let invitation = try #require(command.output.all.first)
            // The whole command, for the invited person.
            let line = try #require(command.output.all.last)
            let print = try ServerIdentity.fingerprint(certificatePath: data + "/certificate.pem").hexadecimal
            #expect(line.hasPrefix("baton cloud login https://") && line.contains(" --fingerprint \(print) "))
            #expect(line.hasSuffix(" --invitation \(invitation)"))
            // Nothing on the command line says where the server listens.
            #expect(command.output.all.contains { $0.contains("name it with --url") })
            let named = try ChildProcess([
                try Products.path("baton-cloud"), "invite", "--data", data, "--url", "https://cloud.example.com",
            ])
            #expect(try await named.status() == 0)
            try await named.output.waitForEnd()
            #expect(!named.output.all.contains { $0.contains("name it with --url") })
            #expect(named.output.all.last?.hasPrefix("baton cloud login https://cloud.example.com ") == true)
            await expectRefusal("invitation_needed", .permissionDenied) {
                try await client.register(invitation: String(invitation.reversed()))
            }
            try await client.register(invitation: invitation)
            try await client.register()
            let other = try CloudClient(server, try TestAccount())
            await expectRefusal("used_already", .permissionDenied) { try await other.register(invitation: invitation) }
        }
        try await CloudProcess.with(data: data, ["--registration", "closed"]) { server in
            let other = try CloudClient(server, try TestAccount())
            await expectRefusal("registration_closed", .permissionDenied) { try await other.register() }
            try await CloudClient(server, known).register()
        }
    }

    @Test(
        "An operator lists the accounts, sees what each keeps, gives one a quota of its own, and deletes one while no server runs"
    )
    func accounts() async throws {
        let folder = try TemporaryDirectory()
        let data = folder.file("data")
        let (kept, deleted) = (try TestAccount(), try TestAccount())
        func run(_ arguments: String...) async throws -> (status: Int32, lines: [String]) {
            let command = try ChildProcess(
                [try Products.path("baton-cloud"), "accounts"] + arguments + ["--data", data])
            let status = try await command.status()
            try await command.output.waitForEnd()
            try await command.errors.waitForEnd()
            return (status, command.output.all + command.errors.all)
        }
        try await CloudProcess.with(data: data, ["--registration", "open"]) { server in
            for account in [kept, deleted] { try await CloudClient(server, account).register() }
            let list = try await run()
            #expect(list.status == 0 && list.lines.count == 3 && list.lines.last?.hasPrefix("2 accounts, ") == true)
            // While the server runs, for one account only.
            let client = try CloudClient(server, kept)
            try await client.register()
            #expect(try await run("quota", kept.id.rawValue, "much").status == 64)
            #expect(try await run("quota", kept.id.rawValue, "5").status == 64)
            let quota = try await run("quota", String(kept.id.rawValue.prefix(10)), "1048576")
            #expect(quota.lines == ["Account \(kept.id.rawValue) may keep 1 MiB."], "\(quota)")
            #expect(try await client.call(AccountMethods.getUsage, .init()).quotaBytes == 1 << 20)
            let text = String(repeating: "x", count: 60 << 10)
            await expectRefusal("quota_exceeded", .resourceExhausted) {
                for number in 1...20 { try await client.put(number, text) }
            }
            let used = try await run("usage", kept.id.rawValue)
            #expect(used.lines.contains { $0.contains("of 1 MiB (a quota of its own)") }, "\(used)")
            #expect(try await run("quota", kept.id.rawValue, "none").status == 0)
            for number in 31...50 { try await client.put(number, text) }
            #expect(try await run("quota", kept.id.rawValue, "default").status == 0)
            #expect(try await client.call(AccountMethods.getUsage, .init()).quotaBytes == 10 << 30)

            let refused = try await run("delete", deleted.id.rawValue, "--yes")
            #expect(refused.status == 1 && refused.lines.contains { $0.contains("A server runs with the folder") })
        }
        let usage = try await run("usage", String(deleted.id.rawValue.prefix(10)))
        #expect(usage.status == 0 && usage.lines.first == "Account  \(deleted.id.rawValue)")
        #expect(try await run("delete", "nobody", "--yes").status == 1)
        #expect(try await run("delete", deleted.id.rawValue).status == 64)
        #expect(try await run("delete", deleted.id.rawValue, "--yes").status == 0)
        try await CloudProcess.with(data: data, ["--registration", "closed"]) { server in
            try await CloudClient(server, kept).register()
            await expectRefusal("registration_closed", .permissionDenied) {
                try await CloudClient(server, deleted).register()
            }
        }
    }

    @Test("An account that is deleted is gone, and its devices with it")
    func deletion() async throws {
        let folder = try TemporaryDirectory()
        try await CloudProcess.with(data: folder.file("data")) { server in
            let client = try CloudClient(server, try TestAccount())
            try await client.register()
            try await client.put(1, "one")
            await expectRefusal("other_account", .invalidArgument) {
                try await client.call(AccountMethods.deleteAccount, .init())
            }
            var events = try await client.subscribe().makeAsyncIterator()
            #expect(try await events.next()?.head.head == 1)
            _ = try await client.call(
                AccountMethods.deleteAccount, .with { $0.accountID = client.account.id.rawValue })
            await expectRefusal("unknown_account", .unauthenticated) {
                while try await events.next() != nil {}
            }
            await expectRefusal("unknown_account", .unauthenticated) { try await client.pull() }
            try await client.register()
            await expectRefusal("unknown_zone", .notFound) { try await client.pull() }
        }
    }

    @Test("The address that it prints can be called: the machine's name where it listens on every address")
    func address() async throws {
        let folder = try TemporaryDirectory()
        for (listen, machine) in [
            ("127.0.0.1:0", "127.0.0.1"), ("[::1]:0", "[::1]"), (":0", ProcessInfo.processInfo.hostName),
        ] {
            // Where it listens on every address, on a network of its own. The last --listen counts.
            let wrapper = listen == ":0" ? ["unshare", "--net"] : []
            let server = try await CloudProcess(
                data: folder.file("data"), ["--listen", listen], wrapper: wrapper)
            let line = try #require(server.process.output.all.first { $0.contains(" answers at ") })
            await server.process.end()
            #expect(line == "baton-cloud answers at https://\(machine):\(server.port)")
        }
        #expect(ServeCommand.callable("0.0.0.0", machine: "cloud") == "cloud")
        #expect(ServeCommand.callable(nil, machine: "2001:db8::7") == "[2001:db8::7]")
        #expect(ServeCommand.callable("::", machine: "cloud") == "cloud")
        #expect(ServeCommand.callable(nil, machine: "cloud") == "cloud")
        #expect(ServeCommand.callable("fd77::1", machine: "cloud") == "[fd77::1]")
    }

    @Test("It prints an address that other machines can use, and says where they cannot")
    func reachable() async throws {
        let folder = try TemporaryDirectory()
        let network = """
            ip link add one type veth peer name two && ip address add 198.51.100.7/24 dev one && ip link set one up \
            && ip link set two up && exec "$0" "$@"
            """
        let server = try await CloudProcess(
            data: folder.file("data"), ["--listen", ":0"], wrapper: ["unshare", "--net", "sh", "-c", network])
        await server.process.end()
        try await server.process.output.waitForEnd()
        #expect(server.process.output.all.first == "baton-cloud answers at https://198.51.100.7:\(server.port)")
        #expect(!server.process.output.all.contains { $0.contains("Only this machine") })

        for (arguments, text) in [
            ([], "Only this machine reaches it there. For others, name another address with --listen."),
            (["--authority", "cloud.example"], "devices call it https://cloud.example:443"),
        ] {
            try await CloudProcess.with(data: folder.file("data"), arguments) { server in
                _ = try await within(.seconds(60), text) {
                    try await server.process.output.expect { $0 == text ? true : nil }
                }
            }
        }
    }

    @Test("With no configuration the first account is let in, and others by invitation")
    func firstAccount() async throws {
        let folder = try TemporaryDirectory()
        let data = folder.file("data")
        try await CloudProcess.with(data: data, registration: nil) { server in
            let first = try CloudClient(server, try TestAccount())
            let other = try CloudClient(server, try TestAccount())
            #expect(try await first.call(AccountMethods.getServer, .init()).registration == .open)
            try await first.register()
            #expect(try await first.call(AccountMethods.getServer, .init()).registration == .invitation)
            // Its own devices come as before.
            try await CloudClient(server, first.account, try first.account.admit()).register()
            await expectRefusal("invitation_needed", .permissionDenied) { try await other.register() }
            let command = try ChildProcess([try Products.path("baton-cloud"), "invite", "--data", data])
            #expect(try await command.status() == 0)
            try await command.output.waitForEnd()
            try await other.register(invitation: try #require(command.output.all.first))
            for client in [first, other] {
                _ = try await client.call(
                    AccountMethods.deleteAccount, .with { $0.accountID = client.account.id.rawValue })
            }
            // As in the beginning.
            try await CloudClient(server, try TestAccount()).register()
        }
    }

    @Test("Behind a proxy, what is signed must name the proxy")
    func proxy() async throws {
        let folder = try TemporaryDirectory()
        let arguments = ["--plain-http", "--authority", "cloud.example:443"]
        try await CloudProcess.with(data: folder.file("data"), arguments) { server in
            let client = try CloudClient(server, try TestAccount(), isPlain: true)
            await expectRefusal("other_server", .permissionDenied) { try await client.register() }
            let authentication = try client.authentication(challenge: try await client.challenge()) {
                $0.authority = "Cloud.Example:443"
            }
            _ = try await client.call(
                AccountMethods.register,
                .with {
                    $0.authentication = authentication
                    $0.rootPublicKey = client.account.rootKey.publicKey.x963Representation
                    $0.membership = client.account.statements
                })
        }
    }

    @Test("It stops in order while subscribers listen")
    func stopping() async throws {
        let folder = try TemporaryDirectory()
        let server = try await CloudProcess(data: folder.file("data"))
        let client = try CloudClient(server, try TestAccount())
        try await client.register()
        try await client.put(1, "one")
        var events = try await client.subscribe().makeAsyncIterator()
        _ = try await events.next()
        server.process.send(SIGTERM)
        await expectRefusal("shutting_down", .unavailable) { while try await events.next() != nil {} }
        client.http.closeIdleConnections()
        #expect(try await within(.seconds(20), "the server to stop") { try await server.process.status() } == 0)
    }

    @Test("A full disk refuses writes and loses nothing; with space, it goes on")
    func fullDisk() async throws {
        let folder = try TemporaryDirectory()
        let mount = folder.file("mount")
        let script = """
            mkdir \(mount) && mount -t tmpfs -o size=4m tmpfs \(mount) && head -c 1500000 /dev/zero > \(mount)/ballast \
            && exec "$0" "$@"
            """
        let server = try await CloudProcess(
            data: mount + "/data", wrapper: ["unshare", "--mount", "--propagation", "private", "sh", "-c", script])
        defer { server.process.send(SIGKILL) }
        let client = try CloudClient(server, try TestAccount())
        try await client.register()
        var written = 0
        let text = String(repeating: "x", count: 200 << 10)
        await expectRefusal("disk_full", .resourceExhausted) {
            while true {
                try await client.put(written + 1, text)
                written += 1
            }
        }
        #expect(written > 0)
        #expect(try await client.pull().count == written)
        let blob = Data(repeating: 9, count: 1 << 20)
        let refused = try await client.putBlob(blob, as: BlobHash(of: blob))
        #expect(refused.status == 429 && refused.body.contains("disk_full"), "\(refused)")
        // Clients can still log in to read or remove items, though the login cannot be recorded.
        for _ in 0..<60 { try await client.authenticate() }
        let once = try client.authentication(challenge: try await client.challenge())
        _ = try await client.call(AccountMethods.authenticate, once)
        await expectRefusal("used_already", .permissionDenied) {
            try await client.call(AccountMethods.authenticate, once)
        }
        #expect(try await client.pull().count == written)
        let free = try ChildProcess(
            ["nsenter", "-t", "\(server.process.processID)", "-m", "rm", mount + "/ballast"])
        #expect(try await free.status() == 0)
        try await client.put(written + 1, text)
        #expect(try await client.pull().count == written + 1)
        let small = Data(repeating: 9, count: 100_000)
        #expect(try await client.putBlob(small, as: BlobHash(of: small)).status == 200)
        await server.process.end()
    }
}
