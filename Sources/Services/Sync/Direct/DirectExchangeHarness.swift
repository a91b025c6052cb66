import BatonConcurrency
import BatonCore
package import BatonTransport
import BatonWire
import Foundation
import SwiftProtobuf

/// Answers `SyncService` of the link plane.
package struct DirectExchangeHarness: Sendable {
    /// Calls of each kind that one device has under way: an honest one has eight (``DirectExchange``), each of which may hold 3 MiB.
    /// Policy: more are refused.
    static let callsAtOnce = 16

    private let sync: SyncService
    private let peers: any SyncPeers

    package init(sync: SyncService, peers: any SyncPeers) {
        self.sync = sync
        self.peers = peers
    }

    /// - Parameter router: one that checks that callers are members of the account.
    package func register(on router: inout ConnectRouter) {
        Self.bound(SyncMethods.compareZones, on: &router) { [sync] request, device in
            guard request.zones.count <= DirectExchange.zonesAtOnce else { throw Self.tooMany }
            var answer = Baton_Link_V1_CompareZonesResponse()
            answer.time = sync.clock.milliseconds
            sync.heard(request.time, of: device)
            for entry in request.zones {
                guard let (zone, source) = try? Self.zone(entry.zone, sync) else {
                    if let zone = ZoneName(entry.zone), let source = sync.source(of: zone),
                        try await source.isAbsent(zone)
                    {
                        answer.absent.append(entry.zone)
                    }
                    continue
                }
                guard var digest = try await source.digest(of: zone) else { continue }
                if digest.isEmpty, entry.digest.isEmpty, sync.isFirst(before: device) {
                    try await source.didFinishInitialFetch(zone, by: .device)
                    digest = try await source.digest(of: zone) ?? digest
                }
                if digest.isEmpty {
                    if entry.digest.isEmpty {
                        answer.undecided.append(entry.zone)
                    } else {
                        // The other one can send it now: it is asked.
                        sync.changes.add(zone)
                    }
                } else if digest != entry.digest {
                    answer.differing.append(entry.zone)
                } else {
                    answer.same.append(entry.zone)
                    try await source.met(device, in: zone, digest: digest)
                }
            }
            return answer
        }
        Self.bound(SyncMethods.compareRanges, on: &router) { [sync] request, _ in
            let (zone, source) = try Self.zone(request.zone, sync)
            let ranges = try Self.ranges(request.ranges.map(\.range))
            guard request.ranges.allSatisfy({ $0.sums.count == 16 }), ranges.allSatisfy({ !$0.parts.isEmpty }) else {
                throw Self.malformedRange
            }
            let own = try await source.digests(of: ranges.flatMap(\.parts), in: zone)
            guard own.count == 16 * ranges.count else { throw Self.malformedRange }
            return .with {
                $0.differences = request.ranges.enumerated().map { index, range in
                    Self.difference(own[16 * index..<16 * index + 16], range.sums)
                }
            }
        }
        Self.bound(SyncMethods.exchangeZone, on: &router) { [sync] request, device in
            let (zone, source) = try Self.zone(request.zone, sync)
            let ranges = ItemRanges(try Self.ranges(request.ranges))
            let theirs = Dictionary(request.stamps.map { ($0.name, $0.stamp) }) { _, last in last }
                .filter { name, _ in ranges.contains(name) }
            let own = try await source.stamps(in: ranges.all, of: zone, meeting: Set(theirs.keys))
            let differing = own.filter { theirs[$0.key] != $0.value }.map(\.key).sorted()
            let (items, count) = try await source.items(differing, of: zone, atMost: DirectExchange.messageBytes)
            sync.largeExchanges.note(items.count, of: zone, with: device, .other)
            return .with {
                $0.items = items
                $0.more = count < differing.count
                $0.wanted = theirs.filter { own[$0.key] != $0.value }.map(\.key).sorted()
            }
        }
        Self.bound(SyncMethods.giveItems, on: &router) { [sync, peers] request, device in
            let (zone, source) = try Self.zone(request.zone, sync)
            sync.largeExchanges.note(request.items.count, of: zone, with: device, .other)
            try await sync.take(request.items, in: zone, source, from: device, peers)
            sync.largeExchanges.goOn(request.items.count, of: zone, with: device, .other)
            return .init()
        }
    }

    private static func bound<Request, Response>(
        _ method: ConnectMethod<Request, Response>, on router: inout ConnectRouter,
        _ answer: @escaping @Sendable (Request, DeviceID) async throws -> Response
    ) {
        let underWay = CallLimit<DeviceID>(callsAtOnce)
        router.unary(method) { request, context in
            let device = try context.device
            guard let response = try await underWay.run(for: device, { try await answer(request, device) }) else {
                throw tooManyCalls
            }
            return response
        }
    }

    private static func ranges(_ messages: [Baton_Link_V1_ItemRange]) throws(BatonError) -> [ItemRange] {
        guard messages.count <= DirectExchange.rangesAtOnce else {
            throw BatonError(
                .invalidArgument, reason: "too_many_ranges",
                "At most \(DirectExchange.rangesAtOnce) ranges are compared at once.")
        }
        let ranges = messages.compactMap(ItemRange.init)
        guard ranges.count == messages.count else { throw malformedRange }
        return ranges
    }

    private static func difference(_ own: ArraySlice<RangeDigest>, _ theirs: [UInt64]) -> Baton_Link_V1_RangeDifference
    {
        var difference = Baton_Link_V1_RangeDifference()
        for (number, (own, sum)) in zip(own, theirs).enumerated() where own.short != sum {
            difference.differing |= 1 << number
            if own.count > DirectExchange.fewItems { difference.large |= 1 << number }
            if own.count == 0 { difference.empty |= 1 << number }
        }
        return difference
    }

    private static let malformedRange = BatonError(
        .invalidArgument, reason: "malformed_range", "A range that cannot be was asked for.")

    private static func zone(
        _ message: Baton_Link_V1_ZoneName, _ sync: SyncService
    ) throws(BatonError) -> (ZoneName, any ZoneSource) {
        guard let zone = ZoneName(message), let source = sync.source(of: zone), sync.keeps(zone) else {
            throw BatonError(.notFound, reason: "unknown_zone", "This device does not keep that zone.")
        }
        return (zone, source)
    }

    private static let tooManyCalls = BatonError(
        .resourceExhausted, reason: "too_many_calls",
        "This device has as many such calls under way as one device may have. Ask again when one is answered.")
    private static let tooMany = BatonError(
        .invalidArgument, reason: "too_many_zones", "At most \(DirectExchange.zonesAtOnce) zones are compared at once.")
}
