import BatonClient
import BatonCloud
import BatonCore
import BatonTestSupport
import BatonWire
import Crypto
import Foundation
import Glibc
import SwiftProtobuf
import Testing

/// The answers of a real server to bad input: a code and a reason, and nothing is changed.
@Suite("Hostile calls of the cloud", .serialized) struct HostileCallTests {
    /// A server with one registered device that has written one item.
    private func withServer(_ body: (CloudClient, CloudProcess) async throws -> Void) async throws {
        let folder = try TemporaryDirectory()
        try await CloudProcess.with(data: folder.file("data")) { server in
            let client = try CloudClient(server, try TestAccount())
            try await client.register()
            try await client.put(1, "one")
            try await body(client, server)
            let items = try await client.pull()
            #expect(items.values.map(\.version) == [1])
            #expect(items.values.map { String(decoding: $0.content.sealed, as: UTF8.self) } == ["one"])
        }
    }

    @Test("An authentication that is replayed, forged, late or for another server is refused")
    func authentication() async throws {
        try await withServer { client, server in
            func attempt(_ request: Baton_Cloud_V1_AuthenticateRequest) async throws -> Data {
                try await client.call(AccountMethods.authenticate, request).token
            }
            let good = try client.authentication(challenge: try await client.challenge())
            _ = try await attempt(good)
            await expectRefusal("used_already", .permissionDenied) { try await attempt(good) }

            let stranger = P256.Signing.PrivateKey()
            let challenge = try await client.challenge()
            await expectRefusal("wrong_signature", .unauthenticated) {
                try await attempt(try client.authentication(challenge: challenge, signer: stranger))
            }
            await expectRefusal("wrong_signature", .unauthenticated) {
                var request = try client.authentication(challenge: challenge)
                request.signature = Data([1, 2, 3])
                return try await attempt(request)
            }
            for wrong in [Data(), challenge.dropLast(), Data(challenge.reversed()), challenge + Data([0])] {
                await expectRefusal("unknown_challenge", .unauthenticated) {
                    try await attempt(try client.authentication(challenge: wrong))
                }
            }
            let another = try CloudClient(server, client.account, TestIdentity())
            let foreign = try await another.challenge()
            await expectRefusal("unknown_challenge", .unauthenticated) {
                try await attempt(try client.authentication(challenge: foreign))
            }
            await expectRefusal("not_a_member", .permissionDenied) { try await another.authenticate() }
            await expectRefusal("other_server", .permissionDenied) {
                try await attempt(try client.authentication(challenge: challenge) { $0.authority = "evil.example:443" })
            }
            await expectRefusal("other_certificate", .permissionDenied) {
                try await attempt(
                    try client.authentication(challenge: challenge) {
                        $0.serverCertificate = Data(repeating: 1, count: 32)
                    })
            }
            await expectRefusal("malformed_authentication", .invalidArgument) {
                try await attempt(.with { $0.statement = Data([0xFF, 0xFF]) })
            }
            await expectRefusal("message_too_large", .resourceExhausted) {
                try await attempt(.with { $0.statement = Data(count: 65 << 10) })
            }
            await expectRefusal("invalid_identifier", .invalidArgument) {
                try await attempt(try client.authentication(challenge: challenge) { $0.accountID = "../../etc" })
            }
            // The challenge was not used up by what was refused.
            _ = try await attempt(try client.authentication(challenge: challenge))
        }
    }

    @Test("An account can only be registered by its own members, with its own key")
    func registration() async throws {
        try await withServer { client, server in
            let (victim, thief) = (try CloudClient(server, try TestAccount()), try TestAccount())
            let authentication = try victim.authentication(challenge: try await victim.challenge())
            await expectRefusal("malformed_root_key", .invalidArgument) {
                try await victim.call(
                    AccountMethods.register,
                    .with {
                        $0.authentication = authentication
                        $0.rootPublicKey = thief.rootKey.publicKey.x963Representation
                        $0.membership = thief.statements
                    })
            }
            await expectRefusal("invalid_genesis", .invalidArgument) {
                try await victim.call(
                    AccountMethods.register,
                    .with {
                        $0.authentication = authentication
                        $0.rootPublicKey = victim.account.rootKey.publicKey.x963Representation
                        $0.membership = thief.statements
                    })
            }
            let outsider = try CloudClient(server, client.account, TestIdentity())
            await expectRefusal("not_a_member", .permissionDenied) { try await outsider.register() }
        }
    }

    @Test("A token that is missing, forged or another's opens nothing")
    func tokens() async throws {
        try await withServer { client, server in
            let good = try #require(client.bearer)
            var forged = Array(good.utf8)
            forged[20] = forged[20] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            let bad = ["", "x", String(good.dropLast()), good + "AAAA", String(decoding: forged, as: UTF8.self)]
            for token in bad {
                client.use(token: token)
                await expectRefusal("invalid_token", .unauthenticated) { try await client.pull() }
                await expectRefusal("invalid_token", .unauthenticated) {
                    for try await _ in try await client.subscribe() {}
                }
                #expect(try await client.putBlob(Data("a".utf8), as: BlobHash(of: Data("a".utf8))).status == 401)
            }
            client.use(token: nil)
            await expectRefusal("no_token", .unauthenticated) { try await client.put(2, "two") }
            client.use(token: good)

            // Another account: its zones are its own, whatever they are called.
            let other = try CloudClient(server, try TestAccount())
            try await other.register()
            await expectRefusal("unknown_zone", .notFound) { try await other.pull() }
            await expectRefusal("unknown_zone", .notFound) {
                try await other.call(
                    ZoneMethods.fetchItems,
                    .with {
                        $0.zoneID = CloudClient.name(1)
                        $0.itemIds = [CloudClient.name(1)]
                    })
            }
            _ = try await other.call(ZoneMethods.deleteZone, .with { $0.zoneID = CloudClient.name(1) })
            await expectRefusal("other_account", .invalidArgument) {
                try await other.call(
                    AccountMethods.deleteAccount, .with { $0.accountID = client.account.id.rawValue })
            }
        }
    }

    @Test("A write that is stale, doubled, malformed or over a limit is refused whole")
    func writes() async throws {
        try await withServer { client, _ in
            func write(
                _ writes: [(item: Int, text: String, replaces: UInt64)], key: Data? = nil,
                _ change: (inout Baton_Cloud_V1_WriteItemsRequest) -> Void = { _ in }
            ) async throws -> Baton_Cloud_V1_WriteItemsResponse {
                var request = CloudClient.batch(writes, key: key)
                change(&request)
                return try await client.call(ZoneMethods.writeItems, request)
            }
            let stale = try await write([(2, "two", 0), (1, "stale", 0)])
            #expect(stale.versions.isEmpty && stale.conflicts.map(\.version) == [1])
            let key = StoreRules.systemRandom(16)
            let large = String(repeating: "x", count: 2 << 20 + 1)
            await expectRefusal("item_too_large", .resourceExhausted) { try await write([(2, large, 0)]) }
            await expectRefusal("batch_too_large", .resourceExhausted) {
                try await write((2..<4).map { ($0, String(large.dropLast()), 0) } + [(4, "x", 0)])
            }
            await expectRefusal("too_many_items", .resourceExhausted) {
                try await write((2..<503).map { ($0, "", 0) })
            }
            await expectRefusal("item_twice", .invalidArgument) { try await write([(2, "a", 0), (2, "b", 0)]) }
            await expectRefusal("empty_batch", .invalidArgument) { try await write([]) }
            await expectRefusal("malformed_key", .invalidArgument) { try await write([(2, "a", 0)], key: Data([1])) }
            await expectRefusal("malformed_name", .invalidArgument) {
                try await write([(2, "a", 0)]) { $0.zoneID = Data([1]) }
            }
            await expectRefusal("malformed_name", .invalidArgument) {
                try await write([(2, "a", 0)]) { $0.writes[0].itemID = Data() }
            }
            await expectRefusal("malformed_write", .invalidArgument) {
                try await write([(2, "a", 0)]) { $0.writes[0].kind = nil }
            }
            await expectRefusal("blob_missing", .failedPrecondition) {
                try await write([(2, "a", 0)], key: key) { $0.writes[0].put.blobs = [Data(repeating: 1, count: 32)] }
            }
            await expectRefusal("message_too_large", .resourceExhausted) {
                try await write([(2, String(repeating: "x", count: 6 << 20), 0)])
            }
        }
    }

    @Test("A cursor that is no cursor, of the future or of another zone is refused")
    func cursors() async throws {
        try await withServer { client, _ in
            func fetch(_ cursor: Data, zone: Int = 1) async throws -> Baton_Cloud_V1_FetchChangesResponse {
                try await client.call(
                    ZoneMethods.fetchChanges,
                    .with {
                        $0.zoneID = CloudClient.name(zone)
                        $0.cursor = cursor
                    })
            }
            let good = try await fetch(Data()).cursor
            for bad in [Data([1]), good.dropLast(), good + Data([0]), Data([9]) + good.dropFirst()] {
                await expectRefusal("malformed_cursor", .invalidArgument) { try await fetch(bad) }
            }
            var future = try ZoneCursor(decoding: good)
            future.position = .max
            await expectRefusal("cursor_from_the_future", .outOfRange) { try await fetch(future.encoded) }
            await expectRefusal("unknown_zone", .notFound) { try await fetch(Data(), zone: 2) }
            await expectRefusal("cursor_of_another_time", .outOfRange) { try await fetch(good, zone: 2) }
            #expect(try await fetch(good).items.isEmpty)
        }
    }

    @Test("Blobs come in parts, are read in ranges, and wrong bytes are dropped")
    func blobs() async throws {
        try await withServer { client, server in
            let content = Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 9) })
            let hash = BlobHash(of: content)
            func missing() async throws -> [UInt64] {
                try await client.call(BlobMethods.findMissingBlobs, .with { $0.hashes = [hash.bytes] })
                    .missing.map(\.received)
            }
            #expect(try await missing() == [0])
            let first = try await client.putBlob(content.prefix(300_000), as: hash, size: 700_000)
            #expect(first.status == 200 && first.body.contains(#""complete":false"#))
            #expect(try await missing() == [300_000])
            let wrong = try await client.putBlob(content.prefix(10), as: hash, offset: 10, size: 700_000)
            #expect(wrong.status == 400 && wrong.body.contains("wrong_offset"))
            // The rest, but not what it should be.
            let other = Data(repeating: 1, count: 400_000)
            let mismatch = try await client.putBlob(other, as: hash, offset: 300_000, size: 700_000)
            #expect(mismatch.status == 400 && mismatch.body.contains("blob_mismatch"))
            #expect(try await missing() == [0])
            #expect(try await client.curl("/v1/blobs/\(hash.hexadecimal)").status == 404)
            let whole = try await client.putBlob(content, as: hash)
            #expect(whole.status == 200 && whole.body.contains(#""complete":true"#), "\(whole)")
            #expect(try await missing() == [])
            #expect(try await client.putBlob(content, as: hash).status == 200)

            let path = "/v1/blobs/\(hash.hexadecimal)"
            for query in [
                "", "?size=", "?offset=0", "?size=700000&offset=", "?size=700000&offset=-1", "?size=700000&offset=%2B1",
                "?size=+700000", "?size=700000&size=1", "?size=700000&offset", "?size=0x1",
                "?size=99999999999999999999",
            ] {
                let refused = try await client.curl(path + query, ["-X", "PUT", "-d", "x"])
                #expect(refused.status == 400, "\(query)")
                #expect(String(decoding: refused.body, as: UTF8.self).contains("malformed_query"), "\(query)")
            }
            // Without an offset it is 0.
            #expect(try await client.curl(path + "?size=700000", ["-X", "PUT", "-d", ""]).status == 200)
            let begun = Data("begun".utf8)
            let beginning = "/v1/blobs/\(BlobHash(of: begun).hexadecimal)?size=5"
            #expect(try await client.curl(beginning, ["-X", "PUT", "-d", "beg"]).status == 200)
            let twice = try await client.curl(beginning, ["-X", "PUT", "-d", "un"])
            #expect(twice.status == 400 && String(decoding: twice.body, as: UTF8.self).contains("wrong_offset"))
            #expect(try await client.curl(path).body == content)
            let part = try await client.curl(path, ["-r", "299990-300009"])
            #expect(part.status == 206 && part.body == content[299_990..<300_010])
            #expect(try await client.curl(path, ["-r", "-5"]).body == content.suffix(5))
            #expect(try await client.curl(path, ["-r", "700000-"]).status == 416)
            let over = try await client.putBlob(Data("ab".utf8), as: BlobHash(of: Data("a".utf8)), size: 1)
            #expect(over.status == 400 && over.body.contains("too_many_bytes"))
            let huge = try await client.putBlob(Data("a".utf8), as: BlobHash(of: Data("z".utf8)), size: 1 << 40)
            #expect(huge.status == 429 && huge.body.contains("blob_too_large"))
            #expect(try await client.curl("/v1/blobs/../../etc/passwd", ["--path-as-is"]).status == 400)
            #expect(try await client.curl("/v1/blobs/\(hash.hexadecimal.uppercased())").status == 400)

            // Another account neither sees it nor can name it.
            let stranger = try CloudClient(server, try TestAccount())
            try await stranger.register()
            #expect(try await stranger.curl(path).status == 404)
            await expectRefusal("blob_missing", .failedPrecondition) {
                var request = CloudClient.batch([(1, "a", 0)])
                request.writes[0].put.blobs = [hash.bytes]
                return try await stranger.call(ZoneMethods.writeItems, request)
            }
        }
    }

    @Test("A device may not call or subscribe without end")
    func rates() async throws {
        let folder = try TemporaryDirectory()
        try await CloudProcess.with(data: folder.file("data"), ["--calls-per-second", "5"]) { server in
            let client = try CloudClient(server, try TestAccount())
            try await client.register()
            await expectRefusal("rate_limited", .resourceExhausted) {
                for _ in 0..<100 { _ = try await client.call(AccountMethods.getUsage, .init()) }
            }
        }
        try await withServer { client, _ in
            var streams: [ConnectResponses<Baton_Cloud_V1_SubscribeEvent>.AsyncIterator] = []
            for _ in 0..<8 {
                var stream = try await client.subscribe().makeAsyncIterator()
                _ = try await stream.next()
                streams.append(stream)
            }
            await expectRefusal("too_many_subscriptions", .resourceExhausted) {
                for try await _ in try await client.subscribe() {}
            }
            streams = []
        }
    }

    @Test("Connections that prove nothing keep nobody out, however many there are")
    func idleStrangers() async throws {
        let folder = try TemporaryDirectory()
        let file = folder.file("cloud.yaml")
        try "limits: {connections: 40}".write(toFile: file, atomically: true, encoding: .utf8)
        try await CloudProcess.with(data: folder.file("data"), ["--config", file]) { server in
            let client = try CloudClient(server, try TestAccount())
            try await client.register()
            let program = """
                ssl, socket, sys = (__import__(name) for name in ("ssl", "socket", "sys"))
                context, held = ssl._create_unverified_context(), []
                for number in range(200):
                    try: held.append(context.wrap_socket(socket.create_connection(("127.0.0.1", \(server.port)))))
                    except OSError: pass
                print("held", flush=True)
                sys.stdin.read()
                """
            let strangers = try ChildProcess(["python3", "-c", program])
            defer { strangers.send(SIGKILL) }
            let held = try await within(.seconds(30), "the strangers to connect") {
                try await strangers.output.first { $0 == "held" ? true : nil }
            }
            #expect(held != nil, "\(strangers.errors.all)")
            try await client.put(1, "one")
            // Another connection, too.
            let other = try CloudClient(server, client.account)
            try await other.authenticate()
            #expect(try await other.pull().count == 1)
        }
    }

    @Test("A caller that sends thousands of signatures to check may do so seldom, and the others are served")
    func manyStatements() async throws {
        try await withServer { client, server in
            let stranger = try CloudClient(server, try TestAccount())
            let account = stranger.account
            func register() async throws {
                let authentication = try stranger.authentication(challenge: try await stranger.challenge())
                _ = try await stranger.call(
                    AccountMethods.register,
                    .with {
                        $0.authentication = authentication
                        $0.rootPublicKey = account.rootKey.publicKey.x963Representation
                        $0.membership = account.statements
                        for number in 0..<3000 {
                            $0.membership.append(.with { $0.statement = Data("none \(number)".utf8) })
                        }
                    })
            }
            await expectRefusal("rate_limited", .resourceExhausted) { for _ in 0..<10 { try await register() } }
            #expect(try await client.call(AccountMethods.getUsage, .init()).items == 1)
        }
    }
}
