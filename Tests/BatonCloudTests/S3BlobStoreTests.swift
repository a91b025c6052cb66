import BatonCore
import BatonTestSupport
import CloudConformance
import Foundation
import NIOCore
import NIOPosix
import Testing

@testable import BatonCloud

/// Blobs in an S3 server, as it should be and as it should not.
@Suite("Blobs in S3", .serialized) struct S3BlobStoreTests {
    private static let content = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })

    private func address(_ content: Data) throws -> BlobAddress {
        BlobAddress(space: try #require(BlobSpace("aa")), hash: BlobHash(of: content))
    }

    @Test("Blobs are kept by the rules")
    func conformance() async throws {
        try await S3Server.with { server in
            for (number, rule) in BlobStoreConformance.rules.enumerated() {
                do {
                    try await server.withStore("conformance\(number)") { try await rule.run($0) }
                } catch {
                    Issue.record("\(rule.name): \(error)")
                }
            }
        }
    }

    @Test("An upload that one node began goes on at another, and large blobs are stored in parts")
    func severalNodes() async throws {
        try await S3Server.with { server in
            let content = Self.content + Self.content + Self.content + Self.content
            let address = try address(content)
            let half = content.count / 2
            try await server.withStore("nodes") { first in
                try await server.withStore("nodes") { second in
                    try await first.append(content.prefix(half), to: address, at: 0)
                    #expect(try await second.received(address) == UInt64(half))
                    try await second.append(content.dropFirst(half), to: address, at: UInt64(half))
                    // The first does not know how far the second is, and brings some of it again, cut otherwise.
                    try await first.append(content.dropFirst(half).prefix(1000), to: address, at: UInt64(half))
                    try await first.append(
                        content.dropFirst(half + 1000).prefix(500), to: address, at: UInt64(half) + 1000)
                    #expect(try await first.received(address) == UInt64(content.count))
                    await expectRefusal("wrong_offset", .failedPrecondition) {
                        try await first.append(Data([1]), to: address, at: UInt64(half))
                    }
                    try await first.finish(address)
                    #expect(try await second.size(of: address) == UInt64(content.count))
                    let range = 8_000_000..<9_000_000 as Range<UInt64>
                    #expect(try await second.read(address, range: range) == content.subdata(in: 8_000_000..<9_000_000))
                    #expect(try await second.isWhole(address, size: UInt64(content.count)))
                }
            }
        }
    }

    @Test("An upload in very many pieces is joined, and stays what it is")
    func manyPieces() async throws {
        try await S3Server.with { server in
            let content = Data(Self.content.prefix(2150))
            let address = try address(content)
            try await server.withStore("pieces") { store in
                for start in stride(from: 0, to: content.count, by: 10) {
                    try await store.append(content.subdata(in: start..<start + 10), to: address, at: UInt64(start))
                }
                #expect(try await store.received(address) == 2150)
                try await store.finish(address)
                #expect(try await store.read(address, range: 0..<2150) == content)
            }
        }
    }

    @Test(
        "Errors for a moment, slow answers and cut connections are got over",
        arguments: ["fail", "break", "cut", "slow", "truncate", "read", "store"])
    func troubles(mode: String) async throws {
        try await S3Server.with { server in
            let address = try address(Self.content)
            try await server.withStore(mode, isSpoiled: true) { store in
                try await server.spoil(mode, 2, mode == "read" || mode == "truncate" ? "GET" : "PUT")
                try await store.append(Self.content, to: address, at: 0)
                try await store.finish(address)
                try await server.spoil(mode == "store" ? "none" : mode, 1, "GET")
                #expect(try await store.read(address, range: 0..<UInt64(Self.content.count)) == Self.content)
            }
        }
    }

    @Test("Bytes that are wrong for good are never given out, and a store that fails for good says so")
    func damage() async throws {
        try await S3Server.with { server in
            let address = try address(Self.content)
            try await server.withStore("damage", isSpoiled: true) { store in
                try await store.append(Self.content, to: address, at: 0)
                try await store.finish(address)
                try await server.spoil("read", 100, "GET")
                await expectRefusal("blob_damaged", .dataLoss) { try await store.read(address, range: 0..<10) }
                #expect(try await !store.isWhole(address, size: UInt64(Self.content.count)))
                try await server.spoil("none")
                #expect(try await store.read(address, range: 0..<10) == Self.content.prefix(10))
                try await server.spoil("refuse", 100)
                await expectRefusal("blob_storage_failed", .unavailable) { try await store.size(of: address) }
                try await server.spoil("none")
                try await server.spoil("full", 100)
                await expectRefusal("disk_full", .resourceExhausted) {
                    try await store.append(Data([1]), to: address, at: 0)
                }
                try await server.spoil("none")
                try await server.spoil("fail", 100)
                await expectRefusal("blob_storage_failed", .unavailable) { try await store.size(of: address) }
            }
        }
    }

    @Test("A bucket that does not answer is waited for a few seconds, which is said, and then refused")
    func silentAtStart() async throws {
        let folder = try TemporaryDirectory()
        // It takes connections, and says nothing.
        let silent = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(silent.localAddress?.port)
        let outcome = try await CloudCommand.run(
            [
                "serve", "--data", folder.file("data"), "--listen", "127.0.0.1:0", "--s3",
                "http://127.0.0.1:\(port)/bucket",
            ], wrapper: ["env", "AWS_ACCESS_KEY_ID=id", "AWS_SECRET_ACCESS_KEY=secret"])
        #expect(outcome.status == 1 && outcome.says("The bucket does not answer"), "\(outcome)")
        #expect(outcome.says("Waiting for the bucket"), "\(outcome)")
        try await silent.close()

        let store = S3BlobStore(
            try S3Location("http://127.0.0.1:\(port)/bucket"), S3Credentials(identifier: "id", secret: "secret"),
            clock: .system)
        let waited = Lines()
        await expectRefusal("bucket_unreachable", .unavailable) {
            try await store.check(within: .milliseconds(300), patience: .milliseconds(20)) { waited.add("waited") }
        }
        #expect(waited.all == ["waited"])
        await store.close()
    }

    @Test("A problem with a bucket is reported at the start, with what would help")
    func atStart() async throws {
        try await S3Server.with { server in
            let other = server.url("at-start").replacing("/bucket/", with: "/nobodys/")
            let store = S3BlobStore(
                try S3Location(other), S3Credentials(identifier: "id", secret: "secret"), clock: .system)
            await expectRefusal("bucket_refused", .failedPrecondition) { try await store.check() }
            await store.close()
        }
        for (status, code, advice) in [
            (404, "NoSuchBucket", "Make the bucket"), (403, "SignatureDoesNotMatch", "AWS_SECRET_ACCESS_KEY"),
            (400, "AuthorizationHeaderMalformed", "region"), (403, "RequestTimeTooSkewed", "clock"),
            (418, "<b>\n\u{7}x", "“bx”"),
        ] {
            let error = S3Client.Failure(status: status, code: code).atStart
            #expect(error.reason == "bucket_refused")
            #expect(error.message.contains(advice), "\(error)")
        }
        #expect(S3Client.Failure(status: 0, code: "").atStart.reason == "bucket_unreachable")
        #expect(S3Client.Failure(status: 503, code: "SlowDown").atStart.reason == "bucket_unreachable")
    }

    // MARK: Parts

    @Test("Requests are signed as in Amazon's examples")
    func signatures() throws {
        let signature = S3Signature(
            credentials: S3Credentials(
                identifier: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
            region: "us-east-1")
        let date = Date(timeIntervalSince1970: 1_369_353_600)
        func signed(
            _ method: String, _ path: String, _ query: [(String, String)] = [], _ headers: [(String, String)] = [],
            _ body: String = ""
        ) -> String? {
            signature.sign(
                method, host: "examplebucket.s3.amazonaws.com", path: path, query: query, headers: headers,
                bodyHash: S3Signature.hash(Data(body.utf8)), date: date
            ).first { $0.0 == "authorization" }.flatMap { $0.1.split(separator: "=").last.map(String.init) }
        }
        #expect(
            signed("GET", "/test.txt", [], [("Range", "bytes=0-9")])
                == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
        #expect(
            signed("GET", "/", [("lifecycle", "")])
                == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
        #expect(
            signed("GET", "/", [("max-keys", "2"), ("prefix", "J")])
                == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
        let headers = [("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")]
        #expect(
            signed("PUT", "/test%24file.text", [], headers, "Welcome to Amazon S3.")
                == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
    }

    @Test("Locations are read, and what is none is refused")
    func locations() throws {
        let location = try S3Location("https://s3.example.com:9000/bucket/a/b?region=eu-central-1")
        #expect(location.base == "https://s3.example.com:9000" && location.host == "s3.example.com:9000")
        #expect(location.bucket == "bucket" && location.prefix == "a/b/" && location.region == "eu-central-1")
        #expect(try S3Location("https://s3.example.com:443/bucket").host == "s3.example.com")
        for wrong in [
            "", "bucket", "ftp://a/b", "https://a", "https://user:secret@a/b", "https://a/b%20c", "https:///b",
        ] {
            #expect(throws: BatonError.self, "\(wrong)") { try S3Location(wrong) }
        }
    }

    @Test("The few elements that are needed are found in any text")
    func documents() {
        let text = "<A><Key>a&amp;amp;b</Key><Size>1</Size><Key/><Key>c</Key><Key>open"
        #expect(S3Document.all("Key", in: text) == ["a&amp;b", "c"])
        #expect(S3Document.first("Size", in: text) == "1" && S3Document.first("None", in: text) == nil)
        var random = SeededGenerator(seed: 7)
        for _ in 0..<2000 {
            let pieces = ["<Key>", "</Key>", "<", ">", "&lt;", "&", "x", "é"]
            let garbage = (0..<12).map { _ in pieces[Int.random(in: 0..<8, using: &random)] }.joined()
            _ = S3Document.all("Key", in: garbage)
        }
    }
}
