import BatonConcurrency
import BatonCore
import BatonTransport
import BatonWire
import Foundation
import SwiftProtobuf

/// Answers `ZoneService` and `BlobService`.
struct ZoneHarness: Sendable {
    let store: any ItemStore
    let blobs: CloudBlobs
    let hub: ChangeHub
    let authorizer: RequestAuthorizer
    let limits: CloudLimits

    func register(on router: inout ConnectRouter) {
        unary(ZoneMethods.listZones, "ListZones", on: &router) { request, caller, _ in
            try limits.check(request.zoneIds.count, limits.zonesPerAccount, "too_many_zones", "A call", "zones")
            let asked = Set(try request.zoneIds.map { try ZoneID($0) })
            let heads = try await store.zones(of: caller.account).filter { asked.isEmpty || asked.contains($0.zone) }
            return .with { $0.zones = heads.map(Self.message) }
        }
        unary(ZoneMethods.writeItems, "WriteItems", on: &router, write)
        unary(ZoneMethods.fetchItems, "FetchItems", on: &router, fetchItems)
        unary(ZoneMethods.fetchChanges, "FetchChanges", on: &router, fetchChanges)
        unary(ZoneMethods.deleteZone, "DeleteZone", on: &router) { request, caller, _ in
            try await store.removeZone(try ZoneID(request.zoneID), of: caller.account)
            return .init()
        }
        router.unary(BlobMethods.findMissingBlobs) { request, context in
            try await authorizer.metrics.measure("FindMissingBlobs") { try await findMissing(request, context) }
        }
        unary(BlobMethods.releaseBlobs, "ReleaseBlobs", on: &router) { request, caller, _ in
            try limits.check(request.hashes.count, limits.blobsPerItem, "too_many_blobs", "A call", "blobs")
            let bytes = try await blobs.release(try request.hashes.map { try BlobHash($0) }, of: caller.account)
            return .with { $0.bytes = bytes }
        }
        router.serverStream(ZoneMethods.subscribe) { request, context, writer in
            try await authorizer.metrics.measure("Subscribe") { try await subscribe(request, context, writer) }
        }
    }

    private func unary<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ name: String, on router: inout ConnectRouter,
        _ handler: @escaping @Sendable (Request, CloudCaller, CallContext) async throws -> Response
    ) {
        router.unary(method) { request, context in
            try await authorizer.metrics.measure(name) {
                try await handler(request, try await authorizer.admit(context).0, context)
            }
        }
    }

    // MARK: Items

    private func write(
        _ request: Baton_Cloud_V1_WriteItemsRequest, _ caller: CloudCaller, _ context: CallContext
    ) async throws -> Baton_Cloud_V1_WriteItemsResponse {
        let zone = try ZoneID(request.zoneID)
        let writes = try request.writes.map(Self.write)
        try limits.check(writes, key: request.idempotencyKey.count)
        let batch = WriteBatch(key: request.idempotencyKey, writes: writes)
        let outcome = try await authorizer.accounts.writing(caller) { revision in
            var batch = batch
            batch.membership = revision
            return try await store.write(batch, to: zone, of: caller.account)
        }
        switch outcome {
        case .written(let versions):
            authorizer.metrics.count(writes)
            return .with { $0.versions = versions }
        case .conflicts(let items):
            authorizer.metrics.count(nil)
            try context.share?.hold(answer: items.reduce(0) { $0 + $1.byteCount })
            return .with { $0.conflicts = items.map(Self.message) }
        }
    }

    private static let itemsAtOnce = 4

    private func fetchItems(
        _ request: Baton_Cloud_V1_FetchItemsRequest, _ caller: CloudCaller, _ context: CallContext
    ) async throws -> Baton_Cloud_V1_FetchItemsResponse {
        try limits.check(request.itemIds.count, limits.itemsPerPage, "too_many_items", "A call", "items")
        let ids = Array(Set(try request.itemIds.map { try ItemID($0) }))
        let zone = try ZoneID(request.zoneID)
        var items: [StoredItem] = []
        var bytes = 0
        // A few at a time, so that no more is read than may be answered.
        for start in stride(from: 0, to: max(1, ids.count), by: Self.itemsAtOnce) {
            let some = try await store.items(
                Array(ids[start..<min(start + Self.itemsAtOnce, ids.count)]), in: zone, of: caller.account)
            bytes += some.reduce(0) { $0 + $1.byteCount }
            try limits.check(
                bytes, limits.pageBytes, "answer_too_large", "An answer", "bytes", "Ask for fewer items.")
            try context.share?.hold(answer: bytes)
            items += some
        }
        let answer = items
        return .with { $0.items = answer.map(Self.message) }
    }

    private func fetchChanges(
        _ request: Baton_Cloud_V1_FetchChangesRequest, _ caller: CloudCaller, _ context: CallContext
    ) async throws -> Baton_Cloud_V1_FetchChangesResponse {
        let limit = request.limit == 0 ? limits.itemsPerPage : min(Int(request.limit), limits.itemsPerPage)
        var cursor = request.cursor.isEmpty ? nil : try ZoneCursor(decoding: request.cursor)
        cursor?.known = request.known
        let page = try await store.changes(
            after: cursor, in: try ZoneID(request.zoneID), of: caller.account,
            limit: PageLimit(items: limit, bytes: limits.pageBytes))
        try context.share?.hold(answer: page.items.reduce(0) { $0 + $1.byteCount })
        return .with {
            $0.items = page.items.map(Self.message)
            $0.cursor = page.cursor.encoded
            $0.more = page.hasMore
        }
    }

    private func findMissing(
        _ request: Baton_Cloud_V1_FindMissingBlobsRequest, _ context: CallContext
    ) async throws -> Baton_Cloud_V1_FindMissingBlobsResponse {
        let (caller, space) = try await authorizer.admit(context)
        try limits.check(request.hashes.count, limits.blobsPerItem, "too_many_blobs", "A call", "blobs")
        let hashes = try request.hashes.map { try BlobHash($0) }
        let missing = try await blobs.missing(hashes, of: caller.account, in: space)
        return .with {
            $0.missing = missing.map { hash, received in
                .with {
                    $0.hash = hash.bytes
                    $0.received = received
                }
            }
        }
    }

    // MARK: Subscribing

    private func subscribe(
        _ request: Baton_Cloud_V1_SubscribeRequest, _ context: CallContext,
        _ writer: ConnectWriter<Baton_Cloud_V1_SubscribeEvent>
    ) async throws {
        let subscription = try await inChild { try await list(request, context) }
        defer { hub.leave(subscription) }
        var known = try await inChild { try await tell(subscription, writer, context) }
        while true {
            let events = try await subscription.next().filter { !known.contains($0) }
            try await inChild { try await send(events, writer, context) }
            // The first batch of events may repeat the initial state.
            known = []
        }
    }

    /// A task gives its memory back when it ends, and a subscription's own waits for days.
    private func inChild<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        async let value = operation()
        return try await value
    }

    private func list(
        _ request: Baton_Cloud_V1_SubscribeRequest, _ context: CallContext
    ) async throws -> Subscription {
        let (caller, _) = try await authorizer.admit(context)
        try limits.check(
            request.zoneIds.count, limits.zonesPerAccount, "too_many_zones", "A subscription", "zones")
        return try hub.subscribe(caller, zones: Set(try request.zoneIds.map { try ZoneID($0) }))
    }

    /// Sends all zones as they are.
    private func tell(
        _ subscription: Subscription, _ writer: ConnectWriter<Baton_Cloud_V1_SubscribeEvent>, _ context: CallContext
    ) async throws -> Set<Subscription.Event> {
        // Once it is listed: a device that was revoked meanwhile was not found there.
        try await authorizer.accounts.check(subscription.caller)
        let events = try await store.zones(of: subscription.caller.account)
            .filter { subscription.concerns($0.zone) }.map { Subscription.Event.zone(.moved($0)) }
        try await send(events, writer, context)
        return Set(events)
    }

    /// How long a subscriber may take to read one event, which has hardly a hundred bytes.
    private static let patience = Duration.seconds(60)

    /// A subscriber that does not read at all is cut off; it is caught up when it comes again.
    private func send(
        _ events: [Subscription.Event], _ writer: ConnectWriter<Baton_Cloud_V1_SubscribeEvent>, _ context: CallContext
    ) async throws {
        for event in events {
            let timer = DeadlineTimer.shared.schedule(after: Self.patience, context.abandon)
            defer { DeadlineTimer.shared.cancel(timer) }
            try await writer.write(Self.message(event))
            authorizer.metrics.count(event)
        }
    }

    // MARK: Messages

    private static func write(_ message: Baton_Cloud_V1_ItemWrite) throws(BatonError) -> ItemWrite {
        let id = try ItemID(message.itemID)
        switch message.kind {
        case .put(let content):
            var blobs: [BlobHash] = []
            for hash in content.blobs { blobs.append(try BlobHash(hash)) }
            return ItemWrite(
                id, replaces: message.replaces, content: ItemContent(sealed: content.sealed, blobs: blobs))
        case .delete(let deletion):
            return ItemWrite(
                id, replaces: message.replaces, content: nil,
                tombstone: deletion.sealed.isEmpty ? nil : deletion.sealed)
        case nil:
            throw BatonError(
                .invalidArgument, reason: "malformed_write", "A write says neither what to put nor to delete.")
        }
    }

    private static func message(_ item: StoredItem) -> Baton_Cloud_V1_Item {
        .with {
            $0.itemID = item.id.bytes
            $0.version = item.version
            $0.written = item.written
            if let content = item.content {
                $0.content.sealed = content.sealed
                $0.content.blobs = content.blobs.map(\.bytes)
            } else if let tombstone = item.tombstone {
                $0.deletion.sealed = tombstone
            }
        }
    }

    private static func message(_ head: ZoneHead) -> Baton_Cloud_V1_ZoneHead {
        .with {
            $0.zoneID = head.zone.bytes
            $0.epoch = head.epoch
            $0.head = head.head
        }
    }

    private static func message(_ event: Subscription.Event) -> Baton_Cloud_V1_SubscribeEvent {
        .with {
            switch event {
            case .zone(.moved(let head)): $0.head = message(head)
            case .zone(.gone(let zone)): $0.gone.zoneID = zone.bytes
            case .membership: $0.membership = .init()
            case .keepAlive: $0.keepAlive = .init()
            }
        }
    }
}
