import BatonTestSupport
import Foundation
import Sync
import Testing

@Suite("Large zones through the cloud", .timeLimit(.minutes(2))) struct LargeCloudTests {
    @Test(
        "Large zones with blobs are read in pages and written in full batches; a change costs a page of its own"
    )
    func cloud() async throws {
        let count = Schedules.count(20_000, soak: 100_000)
        let folder = try TemporaryDirectory()
        let (cloud, vault) = (try TestCloud(pageItems: 500), BlobVault())
        let here = try await TestReplica("here", cloud, vault, in: folder)
        let there = try await TestReplica("there", cloud, vault, in: folder)
        var blobs: [BlobReference] = []
        for number in 0..<10 { blobs.append(try await here.blobs.put(Data(repeating: UInt8(number), count: 1000))) }
        let references = blobs
        here.source.fill((0..<count).lazy.map { "item \($0)" }, stamp: 1, isPending: true) { name in
            let reference = references[Int(name.utf8.last ?? 48) - 48]
            return (reference.bytes, [reference.id])
        }
        try await here.sync()
        try await there.pullAll()
        #expect(there.source.count == count)
        let read = there.cloud.bytes.total
        #expect(read < count * 200, "it took \(read) bytes")
        let told = try #require(there.source.contents["item 19999"])
        #expect(try await there.blobs.get(BlobReference(told)).read() == Data(repeating: 9, count: 1000))
        let before = there.cloud.bytes.total
        for number in 0..<10 { here.source.set(["item \(number * 1997)": Data([1])], stamp: 2) }
        #expect(try await here.push() == .written(newest: UInt64(count) + 10, count: 10))
        try await there.pullAll()
        #expect(there.source.entry("item 1997")?.content == Data([1]))
        let change = there.cloud.bytes.total - before
        #expect(change < 4096, "ten changes took \(change) bytes")
    }
}
