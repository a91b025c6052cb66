import Foundation
import KeyValue
import Sync

/// A source of as many zones as one likes, which never change.
struct ManyZones: ZoneSource {
    let count: Int

    var kind: ZoneName.Kind { .keyValue }

    func zones() async throws -> [ZoneName] { (0..<count).map { ZoneName(kind: kind, name: "\($0)") } }

    func pending(in zone: ZoneName, limit: Int) async throws -> [OutgoingItem] { [] }
    func written(_ items: [(item: OutgoingItem, version: UInt64)], in zone: ZoneName) async throws {}
    func received(_ items: [IncomingItem], in zone: ZoneName) async throws {}
    func startedOver(_ zone: ZoneName, holding names: Set<String>) async throws {}
    func zoneReset(of zone: ZoneName) async throws {}
    func didFinishInitialFetch(_ zone: ZoneName, by origin: SyncOrigin) async throws {}
    func digest(of zone: ZoneName) async throws -> Data? { Data([1]) }
}
