import BatonClient
import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

@testable import BatonCloud

/// Storage that is full, away or damaged: calls are refused with what it was, what was acknowledged stays, and when it is
/// well again the same server goes on.
@Suite("Failing storage of the cloud", .serialized) struct StorageFailureTests {
    private static let environment = ["env", "AWS_ACCESS_KEY_ID=id", "AWS_SECRET_ACCESS_KEY=secret"]

    /// Bytes that no database can press together.
    private static func noise(_ count: Int) -> Data {
        var generator = SeededGenerator(seed: UInt64(count))
        return Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    @Test("PostgreSQL's full disk refuses writes whole; what was acknowledged is there, and with space it goes on")
    func fullDatabase() async throws {
        let server = try await PostgreSQLServer(smallDisk: "24m")
        do {
            try await fullDatabase(server)
        } catch {
            Issue.record(error)
        }
        await server.end()
    }

    private func fullDatabase(_ server: PostgreSQLServer) async throws {
        let place = try await server.place(onSmallDisk: true)
        let store = try PostgreSQLItemStore(location: place, rules: StoreRules())
        defer { store.close() }
        try await server.query(
            "CREATE TABLE ballast AS SELECT sha256(n::text::bytea) AS b FROM generate_series(1, 80000) AS n", in: place)
        let account = AccountID(unchecked: String(repeating: "A", count: 26))
        let zone = ZoneID(unchecked: Data(repeating: 1, count: 32))
        _ = try await store.addAccount(account, rootKey: Data([4]), statements: [.sample], invitation: nil)
        let content = ItemContent(sealed: Self.noise(300_000))
        func batch(_ number: Int) -> WriteBatch {
            WriteBatch(
                key: Data(repeating: UInt8(number), count: 16),
                writes: [
                    ItemWrite(
                        ItemID(unchecked: Data(repeating: UInt8(number), count: 32)), replaces: 0, content: content)
                ])
        }
        var written = 0
        await expectRefusal("disk_full", .resourceExhausted) {
            while written < 100 {
                _ = try await store.write(batch(written + 1), to: zone, of: account)
                written += 1
            }
        }
        #expect(written > 0)
        #expect(try await store.usage(of: account).items == written)
        let page = try await store.changes(
            after: nil, in: zone, of: account, limit: PageLimit(items: 500, bytes: 100 << 20))
        #expect(page.items.count == written && page.items.allSatisfy { $0.content == content })
        #expect(try PostgreSQLVerification.findings(location: place) == [])
        try await server.query("DROP TABLE ballast", in: place)
        // The same batch, sent again.
        let outcome = try await store.write(batch(written + 1), to: zone, of: account)
        #expect(outcome == .written([UInt64(written + 1)]))
        #expect(try PostgreSQLVerification.findings(location: place) == [])
    }

    @Test("While S3 fails or brings wrong bytes, items go on, blobs are refused, and uploads go on afterwards")
    func failingBucket() async throws {
        let folder = try TemporaryDirectory()
        try await S3Server.with { bucket in
            let server = try await CloudProcess(
                data: folder.file("data"), ["--s3", bucket.url("failing", isSpoiled: true)], wrapper: Self.environment)
            defer { server.process.send(SIGKILL) }
            let client = try CloudClient(server, try TestAccount())
            try await client.register()
            let (first, second) = (Self.noise(200_000), Self.noise(600_000))
            #expect(try await client.putBlob(first, as: BlobHash(of: first)).status == 200)
            let half = second.count / 2
            let path = "/v1/blobs/\(BlobHash(of: first).hexadecimal)"
            #expect(
                try await client.putBlob(second.prefix(half), as: BlobHash(of: second), size: second.count).status
                    == 200)

            try await bucket.spoil("break", 10_000)
            let refused = try await client.putBlob(
                second.dropFirst(half), as: BlobHash(of: second), offset: half, size: second.count)
            #expect(refused.status == 503 && refused.body.contains("blob_storage_failed"), "\(refused)")
            #expect(try await client.curl(path).status == 503)
            try await client.put(1, "goes on")
            #expect(try await client.curl("/ready").status == 200)

            try await bucket.spoil("none")
            try await bucket.spoil("read", 10_000, "GET")
            let wrong = try await client.curl(path)
            #expect(wrong.status == 500 && String(decoding: wrong.body, as: UTF8.self).contains("blob_damaged"))
            try await bucket.spoil("none")
            #expect(try await client.curl(path).body == first)
            let missing = try await client.call(
                BlobMethods.findMissingBlobs, .with { $0.hashes = [BlobHash(of: second).bytes] })
            let received = Int(try #require(missing.missing.first).received)
            #expect(received >= half)
            let rest = try await client.putBlob(
                second.dropFirst(received), as: BlobHash(of: second), offset: received, size: second.count)
            #expect(rest.status == 200 && rest.body.contains(#""complete":true"#), "\(rest)")
            let metrics = String(decoding: try await client.curl("/metrics").body, as: UTF8.self)
            #expect(metrics.contains(#"baton_cloud_storage_errors_total{reason="blob_storage_failed"} 2"#))
            #expect(metrics.contains(#"baton_cloud_storage_errors_total{reason="blob_damaged"} 1"#))
            // curl hangs up as soon as it has its answer.
            #expect(metrics.contains(#"baton_cloud_calls_total{method="PutBlob",code="ok"} 3"#))
            #expect(metrics.contains(#"baton_cloud_calls_total{method="GetBlob",code="ok"} 1"#))
            await server.process.end()
            try await server.process.errors.waitForEnd()
            let log = server.process.errors.all
            #expect(!log.contains { $0.contains("A handler failed") })
            #expect(log.contains { $0.contains("detail=S3 500") && $0.contains("The storage failed") }, "\(log)")
        }
    }

    @Test("A damaged file is refused where it is met, counted, and named by verify; what is whole goes on")
    func damagedFile() async throws {
        let folder = try TemporaryDirectory()
        let data = folder.file("data")
        let account = try TestAccount()
        try await CloudProcess.with(data: data) { server in
            let client = try CloudClient(server, account)
            try await client.register()
            for number in 1...60 {
                try await client.put(number, String(repeating: "x", count: 30_000))
            }
        }
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: data + "/cloud.sqlite"))
        let size = try file.seekToEnd()
        for offset in stride(from: size / 2 / 4096 * 4096, to: size, by: 4096) {
            try file.seek(toOffset: offset)
            try file.write(contentsOf: Data(repeating: 0xA5, count: 64))
        }
        try file.close()
        try await CloudProcess.with(data: data) { server in
            let client = try CloudClient(server, account)
            try await client.authenticate()
            await expectRefusal("database_damaged", .dataLoss) { try await client.pull() }
            let usage = try await client.call(AccountMethods.getUsage, .init())
            #expect(usage.items == 60)
            let metrics = String(decoding: try await client.curl("/metrics").body, as: UTF8.self)
            // Once, and once more where the maintenance has met it already.
            #expect(metrics.contains(/baton_cloud_storage_errors_total\{reason="database_damaged"\} [12]\n/))
        }
        let verification = try ChildProcess([try Products.path("baton-cloud"), "verify", "--data", data])
        #expect(try await verification.status() == 1)
        try await verification.output.waitForEnd()
        try await verification.errors.waitForEnd()
        #expect(!verification.output.all.isEmpty)
        #expect(verification.errors.all.contains { $0.contains("Put back a copy of what is damaged") })
    }
}
