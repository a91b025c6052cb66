import FileSync
import Foundation
import GRDB
import RecordMerge

/// A zone as its row says it.
struct ReplicaZone: Hashable, Sendable {
    enum State: Int, Sendable {
        case present = 0
        case deleted = 1
        case purged = 2
    }

    var id: Int64
    var name: RecordZoneName
    var identity: Data
    var state: State
    var sequence: Int64
    var tables: Data?
    var isComplete: Bool
    /// The last change that was removed with what was buried.
    var removed: Int64
    /// In an account without a cloud: the last change that a near device is known to have.
    var told: Int64

    init?(_ row: Row) {
        guard let name = RecordZoneName(synced: row["name"]), let state = State(rawValue: row["state"]) else {
            return nil
        }
        self.name = name
        self.state = state
        id = row["id"]
        identity = row["identity"]
        sequence = row["sequence"]
        tables = row["tables"]
        isComplete = row["is_complete"]
        removed = row["removed"]
        told = row["told"]
    }
}

/// A record with what this replica alone knows of it.
struct KeptRecord: Sendable {
    var record: RecordMerge.Record
    var digest: Data
    var sequence: Int64
    var version: Int64
    var pending: Int64
    var arrivals: DotArrivals
    /// It has a grave and is kept here only.
    var isBuried: Bool
    /// It was deleted for long enough, and has not changed since.
    var isDue: Bool
}

extension KeptRecord {
    /// - Parameter known: the record, where it need not be decoded.
    init(_ row: Row, known: RecordMerge.Record? = nil) throws {
        record =
            try known ?? RecordCodec.decode(RecordName(row["name"] as String), row["item"], from: .thisDevice)
        digest = row["digest"]
        sequence = row["sequence"]
        version = row["version"]
        pending = row["pending"]
        arrivals = DotArrivals(row["arrivals"])
        isBuried = row["is_buried"]
        isDue = row["is_due"]
    }

    /// Changes whenever the record does, and is the same on each device.
    var changeTag: String { Self.changeTag(digest) }

    static func changeTag(_ digest: Data) -> String {
        digest.prefix(10).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}

/// By which change each dot of a record came to this replica.
struct DotArrivals: Hashable, Sendable {
    private(set) var numbers: [Dot: Int64] = [:]

    init() {}

    init(_ bytes: Data) {
        let bytes = Array(bytes)
        func number(_ start: Int) -> UInt64 { bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        for start in stride(from: 0, to: bytes.count - 23, by: 24) {
            let dot = Dot(actor: ActorID(rawValue: number(start)), counter: number(start + 8))
            numbers[dot] = Int64(clamping: number(start + 16))
        }
    }

    subscript(dot: Dot) -> Int64? { numbers[dot] }

    /// Those that stay keep their number, new ones get this.
    func keeping(_ dots: Set<Dot>, sequence: Int64) -> DotArrivals {
        var result = DotArrivals()
        for dot in dots { result.numbers[dot] = numbers[dot] ?? sequence }
        return result
    }

    var bytes: Data {
        var bytes = Data()
        for (dot, number) in numbers.sorted(by: { $0.key < $1.key }) {
            for part in [dot.actor.rawValue, dot.counter, UInt64(clamping: number)] {
                withUnsafeBytes(of: part.bigEndian) { bytes.append(contentsOf: $0) }
            }
        }
        return bytes
    }
}
