import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Synchronization
import Testing

@testable import Sync

/// The cloud's pages have three items.
@Suite("Pages that a source is given at once") struct GatheringTests {
    private let folder: TemporaryDirectory
    private let cloud: TestCloud
    private let vault = BlobVault()

    init() throws {
        folder = try TemporaryDirectory()
        cloud = try TestCloud()
    }

    /// A cloud that gives so many pages.
    private final class ShortCloud: ZoneCloud {
        let cloud: CountedCloud
        let left: Mutex<Int>

        init(_ cloud: CountedCloud, pages: Int) {
            self.cloud = cloud
            left = Mutex(pages)
        }

        var server: String { cloud.server }
        func head(of zone: Data) async throws -> Baton_Cloud_V1_ZoneHead? { try await cloud.head(of: zone) }
        func items(_ request: Baton_Cloud_V1_FetchItemsRequest) async throws -> Baton_Cloud_V1_FetchItemsResponse {
            try await cloud.items(request)
        }
        func write(_ request: Baton_Cloud_V1_WriteItemsRequest) async throws -> Baton_Cloud_V1_WriteItemsResponse {
            try await cloud.write(request)
        }
        func changes(
            _ request: Baton_Cloud_V1_FetchChangesRequest
        ) async throws -> Baton_Cloud_V1_FetchChangesResponse {
            let isThere = left.withLock { left in
                left -= 1
                return left >= 0
            }
            guard isThere else { throw BatonError(.unavailable, reason: "gone", "The cloud is gone.") }
            return try await cloud.changes(request)
        }
    }

    private func replica(_ name: String) async throws -> TestReplica {
        try await TestReplica(name, cloud, vault, in: folder)
    }

    /// Fourteen items, the last five of them a group.
    private func filled() async throws -> TestReplica {
        let here = try await replica("here")
        try await here.sync()
        for number in 0..<9 { here.source.set(["a\(number)": Data([UInt8(number)])], stamp: 1) }
        try await here.sync()
        here.source.set(["b0": Data([1]), "b1": Data([1])], stamp: 2, isGroup: true)
        here.source.set(["c0": Data([1]), "c1": Data([1]), "c2": Data([1])], stamp: 3, isGroup: true)
        try await here.sync()
        return here
    }

    @Test("Pages are added up to the bound, in several rounds, and a group that they hold whole waits nowhere")
    func rounds() async throws {
        let (here, there) = (try await filled(), try await replica("there"))
        there.gathering.withLock { $0 = .init(items: 5, bytes: 1 << 20, rounds: 2) }
        #expect(try await there.pull() == .page(newest: 12, more: true))
        #expect(there.source.received.map(\.count) == [6, 5], "the last item of the second round waits for its group")
        #expect(try await there.records.held(in: ItemSource.zone, reaching: 0).count == 1)
        #expect(try await there.pull() == .page(newest: 14, more: false))
        #expect(there.source.contents == here.source.contents)
        #expect(try await there.records.held(in: ItemSource.zone, reaching: 0).isEmpty)
    }

    @Test("Bytes bound them as well")
    func bytes() async throws {
        let there = try await replica("there")
        _ = try await filled()
        there.gathering.withLock { $0 = .init(items: 100, bytes: 1, rounds: 1) }
        #expect(try await there.pull() == .page(newest: 3, more: true))
    }

    @Test(
        "Where a later page does not come, those before it are taken, and reading goes on after them", arguments: 1...4)
    func missing(pages: Int) async throws {
        let (here, there) = (try await filled(), try await replica("there"))
        there.gathering.withLock { $0 = .init(items: 6, bytes: 1 << 20, rounds: 3) }
        let short = there.transfer(ShortCloud(there.cloud, pages: pages))
        let pulled = try await short.pull(ItemSource.zone, nil, head: nil, into: there.source)
        #expect(pulled == .page(newest: UInt64(3 * pages), more: true))
        try await there.pullAll()
        #expect(there.source.received.flatMap(\.self).count == 14, "no item comes twice")
        #expect(there.source.contents == here.source.contents)
    }
}
