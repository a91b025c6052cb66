import BatonClient
import BatonCloud
import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Glibc
import SwiftProtobuf
import Testing

/// Real `baton-cloud` processes that share PostgreSQL and S3.
@Suite("Nodes of baton-cloud", .serialized) struct CloudNodesTests {
    /// Two nodes and what they share.
    private struct Nodes: Sendable {
        var places: [String]
        var bucket: String
        var folder: TemporaryDirectory

        /// Each shows the certificate of the first.
        func start(_ name: String, registration: String? = "open") async throws -> CloudProcess {
            var arguments = places.flatMap { ["--postgres", $0] } + ["--s3", bucket]
            if name != "first" {
                arguments += [
                    "--certificate", folder.file("first/certificate.pem"), "--key", folder.file("first/key.pem"),
                ]
            }
            return try await CloudProcess(
                data: folder.file(name), arguments,
                wrapper: ["env", "AWS_ACCESS_KEY_ID=id", "AWS_SECRET_ACCESS_KEY=secret"],
                registration: registration)
        }
    }

    private func withNodes(
        of database: PostgreSQLServer, registration: String? = "open",
        _ body: (Nodes, CloudProcess, CloudProcess) async throws -> Void
    ) async throws {
        try await S3Server.with { bucket in
            let nodes = Nodes(
                places: [try await database.place(), try await database.place()], bucket: bucket.url("cloud"),
                folder: try TemporaryDirectory())
            let first = try await nodes.start("first", registration: registration)
            let second: CloudProcess
            do {
                second = try await nodes.start("second", registration: registration)
            } catch {
                await first.process.end()
                throw error
            }
            do {
                try await body(nodes, first, second)
            } catch {
                Issue.record(error)
            }
            await first.process.end()
            await second.process.end()
            let verification = try ChildProcess(
                [try Products.path("baton-cloud"), "verify", "--s3", nodes.bucket]
                    + nodes.places.flatMap { ["--postgres", $0] },
                environment: ["AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "secret"])
            #expect(try await verification.status() == 0, "\(verification.output.all) \(verification.errors.all)")
        }
    }

    @Test("Writes and revocations at one node are read and announced at the other")
    func together() async throws {
        try await withNodes(of: try await PostgreSQLServer.shared.value) { _, first, second in
            let account = try TestAccount()
            let other = try account.admit()
            let (here, there) = (try CloudClient(first, account), try CloudClient(second, account, other))
            try await here.register()
            try await there.authenticate()
            // Devices may call any node, with a token of any.
            let wandering = try CloudClient(second, account)
            wandering.use(token: here.bearer)

            var events = try await there.subscribe().makeAsyncIterator()
            try await here.put(1, "one")
            #expect(try await events.next()?.head.head == 1)
            let version = try await wandering.put(1, "two", replaces: 1)
            #expect(try await events.next()?.head.head == version)
            #expect(try await here.pull().values.map(\.content.sealed) == [Data("two".utf8)])

            let content = Data(repeating: 5, count: 2_500_000)
            let hash = BlobHash(of: content)
            let half = content.count / 2
            #expect(try await here.putBlob(content.prefix(half), as: hash, size: content.count).status == 200)
            let rest = try await there.putBlob(content.dropFirst(half), as: hash, offset: half, size: content.count)
            #expect(rest.status == 200)
            #expect(try await wandering.curl("/v1/blobs/\(hash.hexadecimal)").body == content)

            try account.revoke(other)
            _ = try await here.call(AccountMethods.mergeMembership, .with { $0.statements = account.statements })
            await expectRefusal("device_revoked", .permissionDenied) {
                while try await events.next() != nil {}
            }
            await expectRefusal("device_revoked", .permissionDenied) { try await there.pull() }
            _ = try await here.call(AccountMethods.deleteAccount, .with { $0.accountID = account.id.rawValue })
            await expectRefusal("unknown_account", .unauthenticated) {
                // The other node hears of it in a moment.
                try await within(.seconds(20), "the account to go") { while true { _ = try await wandering.pull() } }
            }
        }
    }

    @Test("When two accounts register at two nodes at once, one is the first, and the other needs an invitation")
    func firstAccount() async throws {
        try await withNodes(of: try await PostgreSQLServer.shared.value, registration: nil) { _, first, second in
            let clients = [try CloudClient(first, try TestAccount()), try CloudClient(second, try TestAccount())]
            let reasons = await withTaskGroup(of: String.self) { group in
                for client in clients {
                    group.addTask {
                        do {
                            try await client.register()
                            return ""
                        } catch {
                            return (error as? BatonError)?.reason ?? "\(error)"
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(reasons.sorted() == ["", "invitation_needed"])
            for client in clients {
                #expect(try await client.call(AccountMethods.getServer, .init()).registration == .invitation)
            }
        }
    }

    @Test("Once one node has answered a revocation, no other takes a write of that device, heard of it or not")
    func revokedElsewhere() async throws {
        try await withNodes(of: try await PostgreSQLServer.shared.value) { _, first, second in
            let account = try TestAccount()
            let here = try CloudClient(first, account)
            try await here.register()
            for number in 1...25 {
                let device = try account.admit()
                let there = try CloudClient(second, account, device)
                try await there.register()
                try await there.put(number, "a member's")
                try account.revoke(device)
                _ = try await here.call(AccountMethods.mergeMembership, .with { $0.statements = account.statements })
                await expectRefusal("device_revoked", .permissionDenied) { try await there.put(100 + number, "late") }
            }
            #expect(try await here.pull().count == 25)
        }
    }

    @Test(
        "Nodes and the database killed or restarted under load lose no acknowledged write, and the other node's subscribers hear"
    )
    func killed() async throws {
        let database = try await PostgreSQLServer()
        try await withNodes(of: database) { nodes, first, second in
            let account = try TestAccount()
            let log = AcknowledgedWrites()
            var (first, second) = (first, second)
            defer { for node in [first, second] { node.process.send(SIGKILL) } }
            for (round, victim) in ["second", "database", "first", "restart"].enumerated() {
                let clients = [try CloudClient(first, account), try CloudClient(second, account)]
                for client in clients { try await client.register() }
                try await log.check(against: clients[round % 2])
                let isOver = Flag()
                await withTaskGroup(of: Void.self) { group in
                    for writer in 0..<6 {
                        group.addTask {
                            while await log.write(writer, by: clients[writer % 2]), !isOver.isSet {}
                        }
                    }
                    group.addTask { [first, second] in
                        await log.waitForAcknowledgements(log.count + 120)
                        switch victim {
                        case "first": await first.process.kill()
                        case "second": await second.process.kill()
                        default: try? await database.stop(victim == "restart" ? "INT" : "QUIT")
                        }
                        isOver.set()
                    }
                }
                switch victim {
                case "first": first = try await nodes.start("first")
                case "second": second = try await nodes.start("second")
                default: try await database.start()
                }
            }
            let (here, there) = (try CloudClient(first, account), try CloudClient(second, account))
            for client in [here, there] { try await client.register() }
            try await log.check(against: here)
            try await log.check(against: there)
            #expect(log.count >= 480)
            try await within(.seconds(30), "a write to be heard of") {
                try await Self.hear(at: there, writing: here)
            }
            await first.process.end()
            await second.process.end()
        }
        await database.end()
    }

    /// Returns once a subscriber of one node has heard of a write at the other. A node that has found its database again
    /// only now ends its streams, and one subscribes again.
    private static func hear(at listener: CloudClient, writing writer: CloudClient) async throws {
        for item in 100... {
            do {
                var events = try await listener.subscribe().makeAsyncIterator()
                _ = try await events.next()
                let version = try await writer.put(item, "end")
                while let event = try await events.next() { if event.head.head >= version { return } }
            } catch let error as BatonError where error.reason == "notifications_interrupted" {}
        }
    }

    @Test("Flags that do not go together, and databases that are not there, are told in a sentence")
    func flags() async throws {
        let folder = try TemporaryDirectory()
        let program = try Products.path("baton-cloud")
        for (arguments, text) in [
            (["--postgres", "postgresql:///x"], "--postgres needs --s3"),
            (["--s3", "https://s3.example.com/b"], "AWS_ACCESS_KEY_ID"),
            (["--s3", "nonsense"], "An S3 store is named as in"),
        ] {
            let process = try ChildProcess(
                [program, "serve", "--data", folder.file("data"), "--listen", "127.0.0.1:0"] + arguments,
                environment: ["AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""])
            #expect(try await process.status() != 0)
            try await process.errors.waitForEnd()
            #expect(process.errors.all.contains { $0.contains(text) }, "\(process.errors.all)")
        }
        let process = try ChildProcess(
            [
                program, "serve", "--data", folder.file("data"), "--listen", "127.0.0.1:0", "--s3",
                "http://127.0.0.1:1/bucket", "--postgres", "postgresql://nobody@/none?host=\(folder.path)",
            ], environment: ["AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "secret"])
        #expect(try await process.status() == 1)
        try await process.errors.waitForEnd()
        #expect(process.errors.all.contains { $0.contains("The database does not answer") }, "\(process.errors.all)")
    }
}
