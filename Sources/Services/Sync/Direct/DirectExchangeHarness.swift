import BatonCore
package import BatonTransport
import BatonWire
import Foundation
import SwiftProtobuf

/// Answers `SyncService` of the link plane.
package struct DirectExchangeHarness: Sendable {
    private let sync: SyncService

    package init(sync: SyncService) { self.sync = sync }

    /// - Parameter router: one that checks that callers are members of the account.
    package func register(on router: inout ConnectRouter) {
        router.unary(LinkMethods.compareZones) { [sync] request, context in
            let device = try context.device
            guard request.zones.count <= DirectExchange.zonesAtOnce else { throw Self.tooMany }
            var answer = Baton_Link_V1_CompareZonesResponse()
            for entry in request.zones {
                guard let (zone, source) = try? Self.zone(entry.zone, sync) else { continue }
                guard var digest = try await source.digest(of: zone) else { continue }
                if digest.isEmpty, entry.digest.isEmpty, sync.isFirst(before: device) {
                    try await source.caughtUp(zone, by: .device)
                    digest = try await source.digest(of: zone) ?? digest
                }
                if digest.isEmpty {
                    if entry.digest.isEmpty {
                        answer.undecided.append(entry.zone)
                    } else {
                        // The other one can tell it now: it is asked.
                        sync.changes.add(zone)
                    }
                } else if digest != entry.digest {
                    answer.differing.append(entry.zone)
                }
            }
            return answer
        }
        router.unary(LinkMethods.exchangeZone) { [sync] request, _ in
            let (zone, source) = try Self.zone(request.zone, sync)
            let theirs = Dictionary(request.stamps.map { ($0.name, $0.stamp) }) { _, last in last }
            let part = NameRange(after: request.after, through: request.through)
            let own = try await source.stamps(in: zone, meeting: Set(theirs.keys)).filter { part.contains($0.key) }
            let differing = own.filter { theirs[$0.key] != $0.value }.map(\.key).sorted()
            let (items, count) = try await source.items(differing, of: zone, atMost: DirectExchange.messageBytes)
            return .with {
                $0.items = items
                $0.more = count < differing.count
                $0.wanted = theirs.filter { own[$0.key] != $0.value }.map(\.key).sorted()
            }
        }
        router.unary(LinkMethods.giveItems) { [sync] request, _ in
            let (zone, source) = try Self.zone(request.zone, sync)
            try await sync.take(request.items, in: zone, source)
            return .init()
        }
    }

    private static func zone(
        _ message: Baton_Link_V1_ZoneName, _ sync: SyncService
    ) throws(BatonError) -> (ZoneName, any ZoneSource) {
        guard let zone = ZoneName(message), let source = sync.sources[zone.kind], sync.keeps(zone) else {
            throw BatonError(.notFound, reason: "unknown_zone", "This device does not keep that zone.")
        }
        return (zone, source)
    }

    private static let tooMany = BatonError(
        .invalidArgument, reason: "too_many_zones", "At most \(DirectExchange.zonesAtOnce) zones are compared at once.")
}
