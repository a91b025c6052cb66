import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// Checks of a cloud's answers. Without them a faulty cloud could keep the device from hearing of anything else, or
/// busy for ever.
extension ZoneTransfer {
    /// Each page brings what is newer than the one before.
    static func checkProgress(
        _ page: Baton_Cloud_V1_FetchChangesResponse, after position: UInt64
    ) throws(BatonError) {
        let versions = page.items.map(\.version)
        guard zip([position] + versions, versions).allSatisfy(<), !page.more || !versions.isEmpty else {
            throw malformed("makes no progress: it repeats changes or sends none")
        }
    }

    /// No version is greater than the zone's head: everything after would count as older, and never be read.
    /// - Parameters:
    ///   - newest: nil where none was reported.
    ///   - head: the last reported one. Another device may have written since: then it is requested.
    func check(
        _ newest: UInt64?, _ zone: ZoneName, _ head: SyncStateMachine.ZoneHead?
    ) async throws {
        guard let newest, newest > head?.version ?? 0 else { return }
        guard let fresh = try await cloud.head(of: codec.zoneID(of: zone)) else { throw Self.moved }
        if let head, head.epoch != fresh.epoch { throw Self.moved }
        guard newest <= fresh.head else {
            throw BatonError(
                .internal, reason: "versions_beyond_head",
                "The cloud sent changes newer than its own head. It is faulty, or lies: none of them was accepted. "
                    + "Have its operator run “baton-cloud verify”.")
        }
    }

    /// From now on the cloud is asked whether it still knows of this version.
    func keep(_ newest: UInt64, _ zone: ZoneName) async throws {
        guard var record = try await records.record(of: zone), newest > max(record.known, record.position) else {
            return
        }
        record.known = newest
        try await records.save(record, of: zone, parking: [], unparking: [])
    }

    static func malformed(_ problem: String) -> BatonError {
        BatonError(.internal, reason: "malformed_answer", "The cloud's answer \(problem). Have its operator update it.")
    }

    private static let moved = BatonError(
        .aborted, reason: "zone_replaced", "The cloud has just recreated the zone, or removed it. It is read again.")
}
