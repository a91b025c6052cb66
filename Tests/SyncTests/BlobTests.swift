import BatonCore
import BatonTestSupport
import Foundation
import Synchronization
import Testing

@testable import Sync

@Suite("Blobs", .timeLimit(.minutes(1))) struct BlobTests {
    private let folder: TemporaryDirectory
    private let cloud: TestCloud
    private let vault = BlobVault()

    init() throws {
        folder = try TemporaryDirectory()
        cloud = try TestCloud()
    }

    private func replica(_ name: String, cacheBytes: UInt64 = 1 << 30) async throws -> TestReplica {
        try await TestReplica(name, cloud, vault, in: folder, cacheBytes: cacheBytes)
    }

    /// Not the same everywhere, so that chunks that were exchanged would show.
    private func bytes(_ count: Int, _ seed: UInt8 = 1) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: $0 / 251 + $0) ^ seed })
    }

    private func files(_ name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.file(name + "-blobs")).sorted()
    }

    @Test(
        "A stored blob is read again, any part of it, and its reference survives its bytes",
        arguments: [0, 1, 65_535, 65_536, 65_537, 200_000])
    func roundTrip(size: Int) async throws {
        let here = try await replica("here")
        let content = bytes(size)
        let pieces = stride(from: 0, to: size, by: 30_001).map { Data(content.dropFirst($0).prefix(30_001)) }
        let reference = try await here.blobs.put(
            AsyncStream { source in
                for piece in pieces { source.yield(piece) }
                source.finish()
            })
        #expect(try BlobReference(reference.bytes) == reference)
        let file = try await here.blobs.get(reference)
        #expect(try await file.read() == content)
        for range in [0..<10, 65_530..<65_540, 100_000..<131_073, UInt64(size)..<UInt64(size) + 5] {
            let part = range.clamped(to: 0..<UInt64(size))
            #expect(try await file.read(range) == content.dropFirst(Int(part.lowerBound)).prefix(part.count))
        }
        let path = folder.file("copy")
        try await file.copy(to: path)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == content)
        #expect(throws: BatonError.self) { try BlobReference(Data(reference.bytes.dropLast())) }
    }

    /// Says that everything that it removes has as many bytes as can be counted.
    private struct BoastingCloud: BlobCloud {
        func missing(_ blobs: [BlobID]) async throws -> [BlobID: UInt64] { [:] }
        func put(_ bytes: Data, at offset: UInt64, of blob: BlobID, size: UInt64) async throws {}
        func release(_ blobs: [BlobID]) async throws -> UInt64 { .max }
        func bytes(_ range: Range<UInt64>, of blob: BlobID) async throws -> Data { Data() }
    }

    @Test("A cloud that says impossible sizes of what it removes ends nothing")
    func boast() async throws {
        let here = try await replica("here")
        here.blobs.connected(to: BoastingCloud())
        let blobs = (0...BlobService.releasedAtOnce).compactMap { number in
            BlobID(withUnsafeBytes(of: number) { Data($0) } + Data(count: 24))
        }
        #expect(try await here.blobs.release(Set(blobs), areUnwritten: false) == .max)
    }

    @Test("What nothing names leaves the cloud when it is released, and what was never written leaves the disk too")
    func release() async throws {
        let here = try await replica("here")
        let reference = try await here.blobs.put(bytes(70_000))
        #expect(try await here.blobs.release([reference.id], areUnwritten: false) == 0)
        try await here.pullAll()
        here.source.set(["file": reference.bytes], stamp: 1, blobs: ["file": [reference.id]])
        _ = try await here.push()
        #expect(vault.isWhole(reference.id) && here.blobs.areDelivered([reference.id]))
        let freed = try await here.blobs.release([reference.id], areUnwritten: true)
        #expect(freed == reference.sealedSize)
        #expect(!vault.isWhole(reference.id) && !here.blobs.areDelivered([reference.id]))
        #expect(try await !here.blobs.isHere(reference.id))
        #expect(try files("here") == [])
    }

    @Test(
        "An item waits for its blobs; an upload that is cut goes on where it was; another device fetches and reads them"
    )
    func uploads() async throws {
        let (here, there) = (try await replica("here"), try await replica("there"))
        try await here.pullAll()
        let content = bytes(5 << 19)
        let reference = try await here.blobs.put(content)
        here.source.set(["file": reference.bytes], stamp: 1, blobs: ["file": [reference.id]])
        vault.state.withLock { $0.left = 1 }
        await #expect(throws: BatonError.self) { try await here.push() }
        #expect(here.source.hasPending && !vault.isWhole(reference.id))
        vault.state.withLock { $0.left = .max }
        #expect(try await here.push() == .written(newest: 1, count: 1))
        #expect(vault.state.withLock { $0.puts } == 3, "nothing was sent twice")
        try await there.sync()
        let told = try #require(there.source.contents["file"])
        #expect(there.source.entry("file")?.blobs == [reference.id])
        // A fetch that is cut goes on where it was, too.
        vault.state.withLock { $0.left = 2 }
        await #expect(throws: BatonError.self) { _ = try await there.blobs.get(BlobReference(told)) }
        vault.state.withLock { $0.left = .max }
        let steps = Mutex<[BlobProgress]>([])
        let file = try await there.blobs.get(BlobReference(told)) { step in steps.withLock { $0.append(step) } }
        #expect(try await file.read() == content)
        #expect(vault.state.withLock { $0.gets } == 3)
        #expect(steps.withLock { $0.map(\.done) } == [2 << 20, reference.sealedSize])
        // It is here now.
        there.blobs.disconnected()
        #expect(try await there.blobs.get(BlobReference(told)).read(5..<9) == content[5..<9])
    }

    @Test("Wrong bytes from the cloud are not taken for a blob; a missing blob is reported")
    func lies() async throws {
        let (here, there) = (try await replica("here"), try await replica("there"))
        let reference = try await here.blobs.put(bytes(100_000))
        _ = try await here.blobs.deliver([reference.id], to: here.cloud)
        vault.state.withLock { $0.blobs[reference.id]?[70_000] ^= 1 }
        let damaged = await #expect(throws: BatonError.self) { _ = try await there.blobs.get(reference) }
        #expect(damaged?.reason == "damaged_blob")
        #expect(try files("there").isEmpty)
        vault.state.withLock { $0.blobs[reference.id]?[70_000] ^= 1 }
        #expect(try await there.blobs.get(reference).read() == bytes(100_000))
        let unknown = BlobReference(
            id: try #require(BlobID(Data(count: 32))), key: Array(repeating: 0, count: 32), size: 3)
        let missing = await #expect(throws: BatonError.self) { _ = try await there.blobs.get(unknown) }
        #expect(missing?.reason == "unknown_blob")
        there.blobs.disconnected()
        let away = await #expect(throws: BatonError.self) { _ = try await there.blobs.get(unknown) }
        #expect(away?.reason == "cloud_away")
    }

    @Test("An item whose blob is nowhere holds up nothing else")
    func absent() async throws {
        let here = try await replica("here")
        try await here.pullAll()
        let nowhere = try #require(BlobID(Data(count: 32)))
        here.source.set(["lost": Data([1])], stamp: 1, blobs: ["lost": [nowhere]])
        here.source.set(["other": Data([2])], stamp: 1)
        #expect(try await here.push() == .written(newest: 1, count: 1))
        let error = await #expect(throws: BatonError.self) { try await here.push() }
        #expect(error?.reason == "blob_not_here")
    }

    @Test("A blob that the cloud has collected meanwhile is uploaded again")
    func collected() async throws {
        let here = try await replica("here")
        try await here.pullAll()
        let reference = try await here.blobs.put(bytes(1000))
        _ = try await here.blobs.deliver([reference.id], to: here.cloud)
        vault.state.withLock { $0.blobs = [:] }
        here.source.set(["file": Data([1])], stamp: 1, blobs: ["file": [reference.id]])
        let error = await #expect(throws: BatonError.self) { try await here.push() }
        #expect(error?.reason == "blob_missing")
        #expect(try await here.push() == .written(newest: 1, count: 1))
        #expect(vault.isWhole(reference.id))
    }

    @Test(
        "Copies that the cloud has too go when there are too many, the longest unused first; the only copy never does")
    func room() async throws {
        let here = try await replica("here", cacheBytes: 250_000)
        try await here.pullAll()
        var references: [BlobReference] = []
        for number in 0..<4 { references.append(try await here.blobs.put(bytes(100_000, UInt8(number)))) }
        #expect(try files("here").count == 4, "nobody else has them")
        for (number, reference) in references.enumerated() {
            here.source.set(["\(number)": Data([1])], stamp: 1, blobs: ["\(number)": [reference.id]])
        }
        try await here.sync()
        #expect(try files("here").count == 2)
        for (number, reference) in references.enumerated() {
            #expect(try await here.blobs.get(reference).read() == bytes(100_000, UInt8(number)))
        }
        #expect(try files("here").count == 2)
    }

    @Test("A stored blob that no item needs goes after a week; one that an item waits with, or that one names, stays")
    func unneeded() async throws {
        let time = Mutex<UInt64>(1_800_000_000_000)
        let clock = WallClock { Date(timeIntervalSince1970: Double(time.withLock { $0 }) / 1000) }
        let here = try await TestReplica("here", cloud, vault, in: folder, clock: clock)
        let kept = try await here.blobs.put(bytes(10))
        _ = try await here.blobs.put(bytes(20))
        // Another device has written its item meanwhile.
        let named = try await here.blobs.put(bytes(30))
        here.source.set(["file": Data([1])], stamp: 1, blobs: ["file": [kept.id]])
        let collect = {
            try await here.blobs.collect {
                try await here.source.neededBlobs(among: $0)
            } named: {
                $0.intersection([named.id])
            }
        }
        try await collect()
        #expect(try files("here").count == 3)
        time.withLock { $0 += BlobService.grace + 1 }
        try await collect()
        #expect(try files("here").sorted() == [kept.id.description, named.id.description].sorted())
    }

    @Test("A put that fails or is too large leaves nothing; files that a crash has left go at the start")
    func leftovers() async throws {
        let here = try await replica("here")
        await #expect(throws: CancellationError.self) {
            _ = try await here.blobs.put(
                AsyncThrowingStream<Data, any Error> { source in
                    source.yield(Data(count: 100_000))
                    source.finish(throwing: CancellationError())
                })
        }
        let piece = Data(count: 1 << 20)
        let error = await #expect(throws: BatonError.self) {
            _ = try await here.blobs.put(
                AsyncStream { source in
                    for _ in 0..<64 { source.yield(piece) }
                    source.finish()
                })
        }
        #expect(error?.reason == "blob_too_large")
        #expect(try files("here").isEmpty)
        let kept = try await here.blobs.put(bytes(10))
        for name in ["1.new", String(repeating: "a", count: 64)] {
            try Data([1]).write(to: URL(fileURLWithPath: folder.file("here-blobs/" + name)))
        }
        _ = try await replica("here")
        #expect(try files("here") == [kept.id.description])
    }
}
