import BackupFormat
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// This device's knowledge of one zone of backups: `backup/DEVICE`.
struct CloudBackupZone: Sendable {
    struct Stored: Sendable {
        /// Nil for one that is deleted, or cannot be opened here.
        var name: String?
        var object: CloudObject?
        /// For the next write.
        var version: UInt64
        var isUnreadable = false
    }

    let device: DeviceID
    let id: Data
    private var epoch = Data()
    private var head: UInt64?
    private var cursor = Data()
    /// By their blinded names.
    private(set) var items: [Data: Stored] = [:]
    /// Bytes in ``items``.
    private var bytes = 0
    /// Limit of items of a zone, and of the bytes that are in them.
    private static let maximumItems = 200_000
    private static let maximumBytes = 256 << 20

    init(device: DeviceID, id: Data) {
        self.device = device
        self.id = id
    }

    /// Something at this place cannot be read here, and may be any object.
    var hasUnreadable: Bool { items.values.contains(where: \.isUnreadable) }

    func version(of item: Data) -> UInt64 { items[item]?.version ?? 0 }

    mutating func set(_ item: Data, _ stored: Stored) { items[item] = stored }

    /// Learns what changed.
    /// - Parameter head: as the cloud reports it; nil where the zone is not there.
    mutating func refresh(
        _ head: Baton_Cloud_V1_ZoneHead?, _ keys: any BackupKeys, _ calls: any BackupCloudCalls
    ) async throws {
        guard let head else {
            forget()
            return
        }
        if head.epoch != epoch { forget() }
        guard head.head != self.head else { return }
        do {
            try await read(keys, calls)
        } catch let error as BatonError where error.code == .outOfRange {
            // Another time of the zone: all is read anew.
            forget()
            try await read(keys, calls)
        } catch let error as BatonError where error.reason == "unknown_zone" {
            forget()
            return
        }
        epoch = head.epoch
        self.head = head.head
    }

    private mutating func forget() {
        self = Self(device: device, id: id)
    }

    private mutating func read(_ keys: any BackupKeys, _ calls: any BackupCloudCalls) async throws {
        var taken = 0
        while true {
            let (zone, from) = (id, cursor)
            let page = try await calls.changes(
                .with {
                    $0.zoneID = zone
                    $0.cursor = from
                })
            for item in page.items { try take(item, keys) }
            cursor = page.cursor
            guard page.more else { return }
            // A cloud that sends the same pages for ever is stopped by nothing else.
            taken += page.items.count
            guard !page.items.isEmpty, page.cursor != from, taken <= Self.maximumItems else { throw Self.damaged }
        }
    }

    private mutating func take(_ item: Baton_Cloud_V1_Item, _ keys: any BackupKeys) throws {
        var stored = Stored(version: item.version)
        if item.hasContent {
            do {
                let (name, content) = try keys.open(item.content.sealed, item: item.itemID, zone: id)
                stored.object = try CloudObject(decoding: content)
                stored.name = name
                if case .inline(let content) = stored.object { bytes += content.count }
            } catch {
                stored.isUnreadable = true
            }
        }
        items[item.itemID] = stored
        guard items.count <= Self.maximumItems, bytes <= Self.maximumBytes else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_backup_objects",
                "The backups in the account's cloud have more parts than this device can look at. Forget old ones with “baton backup "
                    + "forget”.")
        }
    }

    private static let damaged = BatonError(
        .dataLoss, reason: "damaged_backup_object",
        "The account's cloud does not send the whole list of its backup objects. “baton cloud status” says which it is."
    )
}
