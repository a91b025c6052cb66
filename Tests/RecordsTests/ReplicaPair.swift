import BatonCore
import BatonStore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Sync
import Testing

@testable import Records

/// One device's databases of records, without a daemon.
struct RecordsDevice {
    static let container = RecordContainer(team: .development, identifier: "iCloud.com.example.lists")
    static let account = AccountID(unchecked: String(repeating: "A", count: 26))

    let service: RecordsService
    let zones: RecordZones

    /// - Parameter name: a letter.
    static func id(_ name: String) -> DeviceID {
        let letter = String(
            name.uppercased().unicodeScalars.compactMap { UnicodeScalar($0.value + 1) }.map(Character.init))
        return DeviceID(unchecked: String(repeating: letter, count: 26))
    }

    init(
        _ directory: TemporaryDirectory, _ name: String, peers: any SyncPeers = NobodyNear(), clock: WallClock = .system
    ) async throws {
        let database = try DaemonDatabase(path: directory.file(name + ".sqlite"), migrations: SyncStore.migrations)
        service = RecordsService(
            directory: directory.file(name + "-records"),
            blobs: try await BlobService(database: database, path: directory.file(name + "-blobs")),
            peers: peers, recorder: NullEventRecorder(), clock: clock)
        zones = RecordZones(service)
        await service.accountChanged(to: RecordsAccount(account: Self.account, device: Self.id(name)), left: [])
    }

    var replica: RecordReplica {
        get async throws { try await service.open(#require(Self.container)) }
    }

    func save(
        _ records: [Baton_App_V1_RecordSave], deleting: [String] = [], zone: String = "Z",
        policy: Baton_App_V1_RecordSavePolicy = .unspecified, atomic: Bool = true
    ) async throws -> Baton_App_V1_ModifyRecordsResponse {
        let request = Baton_App_V1_ModifyRecordsRequest.with {
            $0.save = records
            $0.delete = deleting.map { name in
                .with {
                    $0.recordName = name
                    $0.zone.zoneName = zone
                }
            }
            $0.policy = policy
            $0.atomic = atomic
        }
        let replica = try await replica
        return try await replica.perform { try $0.modify(request, user: "_me", isFull: replica.isFull) }
    }

    func makeZone(_ name: String = "Z") async throws {
        let request = Baton_App_V1_ModifyZonesRequest.with { $0.save = [.with { $0.zoneName = name }] }
        let answer = try await replica.perform { try $0.modifyZones(request) }
        #expect(answer.saved.allSatisfy { !$0.hasProblem })
    }

    func fetch(_ name: String, zone: String = "Z") async throws -> Baton_App_V1_RecordResult {
        let request = Baton_App_V1_FetchRecordsRequest.with {
            $0.records = [
                .with {
                    $0.recordName = name
                    $0.zone.zoneName = zone
                }
            ]
        }
        return try #require(try await replica.perform { try $0.fetch(request) }.records.first)
    }

    func changes(since token: Data = Data(), zone: String = "Z") async throws -> Baton_App_V1_FetchZoneChangesResponse {
        let request = Baton_App_V1_FetchZoneChangesRequest.with {
            $0.zone.zoneName = zone
            $0.token = token
        }
        return try await replica.perform { try $0.changes(request) }
    }

    /// Gives all that this device has to another one, as near devices do.
    func give(to other: RecordsDevice) async throws {
        for _ in 0..<2 {
            for zone in try await zones.zones() where try await other.zones.keeps(zone) {
                let names = Array(try await zones.stamps(in: zone).keys)
                try await other.zones.exchanged(try await zones.contents(of: names, in: zone), in: zone)
            }
        }
    }

    static func record(
        _ name: String, tag: String = "", zone: String = "Z", parent: String? = nil, _ fields: [String: String]
    ) -> Baton_App_V1_RecordSave {
        .with { save in
            save.record.id.recordName = name
            save.record.id.zone.zoneName = zone
            save.record.recordType = "Note"
            save.record.changeTag = tag
            save.record.fields = fields.sorted { $0.key < $1.key }.map { key, text in
                .with {
                    $0.name = key
                    $0.value.text = text
                }
            }
            if let parent {
                save.record.parent = parent
                save.parentChanged = true
            }
        }
    }
}

extension Baton_App_V1_Record {
    var texts: [String: String] {
        Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.value.text) })
    }
}
