import BatonCore
import BatonTestSupport
import Foundation
import Synchronization
import Testing

@testable import Sync

/// Blobs that devices near by bring (D-1).
@Suite("Blobs from near devices", .timeLimit(.minutes(1))) struct NearBlobTests {
    /// A device that has the files of another replica.
    private final class Holder: BlobHolder {
        struct State {
            /// Parts that it gives yet.
            var left = Int.max
            var lies = false
            var ranges: [Range<UInt64>] = []
        }

        let state = Mutex(State())
        private let blobs: BlobService

        init(_ replica: TestReplica, left: Int = .max, lies: Bool = false) {
            blobs = replica.blobs
            state.withLock { state in
                state.left = left
                state.lies = lies
            }
        }

        func bytes(_ range: Range<UInt64>, of blob: BlobID) async throws -> Data {
            let lies = try state.withLock { state in
                guard state.left > 0 else { throw BatonError(.unavailable, reason: "not_connected", "It is gone.") }
                state.left -= 1
                state.ranges.append(range)
                return state.lies
            }
            var bytes = try await blobs.sealedBytes(range, of: blob)
            if lies { bytes[bytes.startIndex] ^= 1 }
            return bytes
        }

        var asked: [Range<UInt64>] { state.withLock { $0.ranges } }
    }

    private let folder: TemporaryDirectory
    private let cloud: TestCloud
    private let vault = BlobVault()
    private let content = Data((0..<5 << 19).map { UInt8(truncatingIfNeeded: $0 / 251 + $0) })

    init() throws {
        folder = try TemporaryDirectory()
        cloud = try TestCloud()
    }

    private func replica(_ name: String, cacheBytes: UInt64 = 1 << 30) async throws -> TestReplica {
        try await TestReplica(name, cloud, vault, in: folder, cacheBytes: cacheBytes)
    }

    private var gets: Int { vault.state.withLock { $0.gets } }

    @Test("What a near device has is read from it, and nothing from the cloud; without a cloud too (D-1)")
    func nearFirst() async throws {
        let (here, there) = (try await replica("here"), try await replica("there"))
        let reference = try await here.blobs.put(content)
        _ = try await here.blobs.deliver([reference.id], to: here.cloud)
        let holder = Holder(here)
        #expect(try await there.blobs.get(reference, near: NearBlobs(holders: [holder])).read() == content)
        #expect(gets == 0)
        #expect(holder.asked.map(\.count).reduce(0, +) == Int(reference.sealedSize), "no part came twice")
        let third = try await replica("third")
        third.blobs.disconnected()
        let first = Holder(here)
        #expect(try await third.blobs.get(reference, near: NearBlobs(holders: [first])).read() == content)
        // It is here now.
        #expect(try await third.blobs.get(reference).read(5..<9) == content[5..<9])
    }

    @Test("A fetch that a device has cut goes on at another one, then in the cloud, and no part comes twice (D-1)")
    func cut() async throws {
        let (here, there) = (try await replica("here"), try await replica("there"))
        there.blobs.disconnected()
        let reference = try await here.blobs.put(content)
        let (one, two) = (Holder(here, left: 1), Holder(here, left: 1))
        let away = await #expect(throws: BatonError.self) {
            _ = try await there.blobs.get(reference, near: NearBlobs(holders: [one, two]))
        }
        #expect(away?.reason == "cloud_away")
        let part = UInt64(BlobService.partSize)
        #expect(one.asked == [0..<part] && two.asked == [part..<2 * part])
        _ = try await here.blobs.deliver([reference.id], to: here.cloud)
        there.blobs.connected(to: there.cloud)
        #expect(try await there.blobs.get(reference).read() == content)
        #expect(gets == 1)
    }

    @Test("A device that sends something else is not believed: another one, or the cloud, brings all of it (D-1)")
    func lies() async throws {
        let (here, there) = (try await replica("here"), try await replica("there"))
        there.blobs.disconnected()
        let reference = try await here.blobs.put(content)
        let (liar, honest) = (Holder(here, lies: true), Holder(here))
        let damaged = await #expect(throws: BatonError.self) {
            _ = try await there.blobs.get(reference, near: NearBlobs(holders: [liar]))
        }
        #expect(damaged?.reason == "damaged_blob")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("there-blobs")).isEmpty)
        let both = NearBlobs(holders: [liar, honest])
        #expect(try await there.blobs.get(reference, near: both).read() == content)
        // A piece from a liar does not spoil those of an honest device.
        let third = try await replica("third")
        third.blobs.disconnected()
        let gone = Holder(here, left: 1, lies: true)
        await #expect(throws: BatonError.self) {
            _ = try await third.blobs.get(reference, near: NearBlobs(holders: [gone]))
        }
        let last = NearBlobs(holders: [Holder(here)])
        #expect(try await third.blobs.get(reference, near: last).read() == content)
        _ = try await here.blobs.deliver([reference.id], to: here.cloud)
        let fourth = try await replica("fourth")
        let lying = NearBlobs(holders: [Holder(here, lies: true)])
        #expect(try await fourth.blobs.get(reference, near: lying).read() == content)
    }

    @Test("What only devices have is kept however much there is; what the cloud has too goes when there is much (D-1)")
    func kept() async throws {
        let (here, there) = (try await replica("here"), try await replica("there", cacheBytes: 1000))
        let reference = try await here.blobs.put(content)
        let near = NearBlobs(holders: [Holder(here)], isOnlyHere: true)
        _ = try await there.blobs.get(reference, near: near)
        #expect(try await there.blobs.isHere(reference))
        try await there.blobs.shared([reference.id])
        #expect(try await !there.blobs.isHere(reference))
        _ = try await there.blobs.get(reference, near: NearBlobs(holders: [Holder(here)]))
        #expect(try await !there.blobs.isHere(reference))
    }
}
