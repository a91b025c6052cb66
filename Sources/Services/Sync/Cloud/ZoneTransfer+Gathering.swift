import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// Pages that are given to a source at once. A source keeps what it is given on the disk, which takes the longer the less it is given.
extension ZoneTransfer {
    /// How much of a zone one operation reads.
    struct Gathering: Sendable {
        /// Pages are added up until they have so many items, or so many sealed bytes.
        var items: Int
        var bytes: Int
        /// So often in one operation. The next pages are fetched and opened while the source takes those before.
        var rounds: Int

        /// A page at a time.
        static let none = Self(items: 0, bytes: 0, rounds: 1)
        /// In memory are the items of two rounds: those that the source takes, and the next.
        static let standard = Self(items: 2_000, bytes: 3 << 20, rounds: 16)
    }

    /// Pages that follow each other.
    struct Pages {
        var items: [Baton_Cloud_V1_Item] = []
        var opened = Opened()
        var cursor = Data()
        var more = true
        /// The greatest version; nil for none.
        var newest: UInt64?
        /// The version that is still to be asked about: ``ZoneRecord/known``.
        var known: UInt64 = 0

        var ids: Set<Data> { Set(items.lazy.map(\.itemID)) }
        var bytes: Int { items.reduce(0) { $0 + $1.content.sealed.count } }

        mutating func add(
            _ page: Baton_Cloud_V1_FetchChangesResponse, for request: Baton_Cloud_V1_FetchChangesRequest
        ) {
            items += page.items
            (cursor, more) = (page.cursor, page.more)
            newest = page.items.last?.version ?? newest
            // Without a cursor nothing was asked about it.
            known = request.cursor.isEmpty ? request.known : 0
        }
    }

    /// - Parameter record: the place before them.
    /// - Throws: where the first page cannot be had. A fault of a later one is found when that is the first.
    func pages(
        from record: ZoneRecord, of zone: ZoneName, _ policy: ZonePolicy, head: SyncStateMachine.ZoneHead?
    ) async throws -> Pages {
        var request = Baton_Cloud_V1_FetchChangesRequest.with {
            $0.zoneID = codec.zoneID(of: zone)
            $0.cursor = record.cursor
            $0.known = record.known
        }
        var pages = Pages()
        var page = try await page(request, after: record.position, zone, head)
        pages.add(page, for: request)
        while page.more, pages.items.count < gathering.items, pages.bytes < gathering.bytes {
            (request.cursor, request.known) = (pages.cursor, pages.known)
            async let opening = opened(page.items, zone, policy)
            let following = try? await self.page(request, after: pages.newest ?? record.position, zone, head)
            pages.opened.add(await opening)
            // One that has an item once more, since it was written again meanwhile, is another answer.
            guard let following, pages.ids.isDisjoint(with: following.items.lazy.map(\.itemID)) else { return pages }
            page = following
            pages.add(page, for: request)
        }
        pages.opened.add(opened(page.items, zone, policy))
        return pages
    }

    private func page(
        _ request: Baton_Cloud_V1_FetchChangesRequest, after position: UInt64, _ zone: ZoneName,
        _ head: SyncStateMachine.ZoneHead?
    ) async throws -> Baton_Cloud_V1_FetchChangesResponse {
        let page = try await cloud.changes(request)
        try Self.checkProgress(page, after: position)
        try await check(page.items.last?.version, zone, head)
        return page
    }
}
