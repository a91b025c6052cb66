import BatonCore
import Crypto
import Foundation
import GRDB
import RecordMerge
import Sync

/// The zone's graves: a shard of ``Graveyard`` is an item, whose name no record can have.
enum RecordGraves {
    private static let prefix = "_"

    static func isName(_ name: String) -> Bool { shardName(name) != nil }

    /// The name of a shard, as ``Graveyard`` has it; nil for other items.
    static func shardName(_ name: String) -> String? {
        guard name.hasPrefix(prefix) else { return nil }
        let shard = String(name.dropFirst(prefix.count))
        return Graveyard.isName(shard) ? shard : nil
    }

    static func itemName(ofShard shard: String) -> String { prefix + shard }

    /// Names a record that is gone: its zone names it, and its name cannot be found from it elsewhere.
    static func id(of name: RecordName) -> Graveyard.Identifier {
        var hash = SHA256()
        hash.update(data: Data("baton-record-grave-v1".utf8))
        hash.update(data: Data(name.text.utf8))
        let bytes = Array(hash.finalize())
        return id(bytes)
    }

    static func id(_ bytes: some Collection<UInt8>) -> Graveyard.Identifier {
        func number(_ bytes: some Collection<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        return Graveyard.Identifier(high: number(bytes.prefix(8)), low: number(bytes.dropFirst(8).prefix(8)))
    }

    static func bytes(of id: Graveyard.Identifier) -> Data {
        var bytes = Data()
        for number in [id.high, id.low] { withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) } }
        return bytes
    }

    // MARK: On the disk

    static func read(_ shard: String, of zone: Int64, in db: Database) throws -> Graveyard {
        guard let number = Graveyard.shard(ofName: shard) else { return Graveyard() }
        let first = UInt8(number << 2)
        let rows = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT id, time FROM grave WHERE zone = ? AND id >= ? AND id <= ?"),
            arguments: [
                zone, Data([first] + [UInt8](repeating: 0, count: 15)),
                Data([first | 3] + [UInt8](repeating: 255, count: 15)),
            ])
        var graves: [Graveyard.Identifier: UInt64] = [:]
        for row in rows { graves[id(row["id"] as Data)] = UInt64(bitPattern: row["time"] as Int64) }
        var graveyard = Graveyard()
        _ = graveyard.bury(graves)
        return graveyard
    }

    /// For devices that are near.
    static func digests(of zone: Int64, in db: Database) throws -> [String: Data] {
        var digests: [String: Data] = [:]
        let shards = try String.fetchAll(
            db.cachedStatement(sql: "SELECT name FROM grave_shard WHERE zone = ?"), arguments: [zone])
        for shard in shards {
            guard let content = try read(shard, of: zone, in: db).content(ofName: shard) else { continue }
            digests[itemName(ofShard: shard)] = RecordCodec.digest(content)
        }
        return digests
    }
}
