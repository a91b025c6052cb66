import BatonCore
import BatonTransport
import BatonWire
import Foundation
import SwiftProtobuf

/// Items of a device that is near, with those that have to be taken in together with them: near devices exchange states of items, and
/// not groups, so half of a swap may come alone.
extension SyncService {
    /// How often a device is asked for more, and what may wait in memory meanwhile. Policy: then what came is taken in as it is.
    private static let mostQuestions = 100
    private static let mostBytes = 4 * DirectExchange.messageBytes
    /// For all questions, and for each: well below the time of the call that brought the items.
    private static let patience = DirectExchange.timeout / 4

    /// - Parameter asked: items of which the device has sent what it has.
    func take(
        _ items: [Baton_Link_V1_DirectItem], in zone: ZoneName, _ source: any ZoneSource, from device: DeviceID,
        _ peers: any SyncPeers, asked: Set<String> = []
    ) async throws {
        guard !items.isEmpty else { return }
        var contents = Self.contents(of: items)
        var asked = asked.union(contents.keys)
        var questions = 0
        let begin = ContinuousClock.now
        while questions < Self.mostQuestions, begin.duration(to: .now) < Self.patience,
            contents.values.reduce(0, { $0 + $1.count }) <= Self.mostBytes
        {
            let names = try await exchanged(contents, in: zone, source, asked: asked)
            guard !names.isEmpty else { return }
            let answer: Baton_Link_V1_ExchangeZoneResponse
            do {
                answer = try await ask(for: names, of: zone, source, device, peers)
            } catch {
                try Task.checkCancellation()
                // It may take no connections: what came is taken in as it is.
                break
            }
            contents.merge(Self.contents(of: answer.items.filter { names.contains($0.name) })) { first, _ in first }
            asked.formUnion(answer.settled(among: names))
            questions += 1
        }
        _ = try await exchanged(contents, in: zone, source, asked: nil)
    }

    private static func contents(of items: [Baton_Link_V1_DirectItem]) -> [String: Data] {
        Dictionary(items.map { ($0.name, $0.content) }) { _, last in last }
    }

    private func ask(
        for names: Set<String>, of zone: ZoneName, _ source: any ZoneSource, _ device: DeviceID, _ peers: any SyncPeers
    ) async throws -> Baton_Link_V1_ExchangeZoneResponse {
        let ranges = names.sorted().map(ItemRange.init(of:))
        let stamps = try await source.stamps(in: ranges, of: zone, meeting: [])
        return try await peers.call(
            SyncMethods.exchangeZone, .init(zone, stamps: stamps, in: ranges), device, Self.patience)
    }
}

extension Baton_Link_V1_ExchangeZoneRequest {
    /// - Parameter stamps: of all items that are here in the ranges, by name.
    init(_ zone: ZoneName, stamps: [String: Data], in ranges: [ItemRange]) {
        self = .with {
            $0.zone = zone.message
            $0.stamps = stamps.map { name, stamp in
                .with {
                    $0.name = name
                    $0.stamp = stamp
                }
            }
            $0.ranges = ranges.map(\.message)
        }
    }
}

extension Baton_Link_V1_ExchangeZoneResponse {
    /// The items of the request of which the device has sent what it has: all of them, or those up to the last one that has come.
    func settled(among names: some Collection<String>) -> Set<String> {
        guard more, let last = items.map(\.name).max() else { return Set(names) }
        return Set(names.filter { $0 <= last })
    }
}
