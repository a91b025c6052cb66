import BatonCore
import BatonStore
import FileSync
import Foundation
import GRDB

extension DocumentsStore {
    /// A planner's state as it was kept.
    struct Loaded: Sendable {
        var state = FileSyncState.Kept()
        /// The greatest number of an unsent entry.
        var lastUnsent: UInt64 = 0
    }

    func load(_ container: Container) throws -> Loaded {
        var (entries, base): ([Entry], [EntryID: BaseRecord]) = ([], [:])
        var loaded = try load(container, entry: { entry, _ in entries.append(entry) }, record: { base[$0] = $1 })
        (loaded.state.entries, loaded.state.base) = (entries, base)
        return loaded
    }

    /// The same without entries and records, which are given one after the other: all at once take ten times the memory of packed ones.
    /// - Parameter entry: takes an entry without the bytes of small contents, and what is kept of it.
    func load(
        _ container: Container, entry: (Entry, Data) -> Void, record: (EntryID, BaseRecord) -> Void
    ) throws -> Loaded {
        try database.readBlocking { db in
            var loaded = Loaded()
            loaded.state.lastTime = HybridTimestamp(rawValue: container.lastTime)
            loaded.state.isComplete = container.isComplete
            let entries = try Row.fetchCursor(
                db, sql: "SELECT content FROM documents_entry WHERE container = ?",
                arguments: [container.id])
            // By their numbers: a name is looked for in each row.
            while let row = try entries.next() {
                let content: Data = row[0]
                let found = try EntryCodec.decodeKept(content)
                entry(found, content)
            }
            let records = try Row.fetchCursor(
                db, sql: "SELECT id, record FROM documents_base WHERE container = ?", arguments: [container.id])
            while let row = try records.next() {
                record(try Self.entryID(row[0]), try StateCoder.baseRecord(row[1]))
            }
            for (id, record) in try Self.rows("documents_intent", "id", container.id, db) {
                loaded.state.intents[try Self.entryID(id)] = try StateCoder.intent(record)
            }
            for (handle, record) in try Self.rows("documents_displaced", "handle", container.id, db) {
                loaded.state.displaced[LocalHandle(handle)] = try StateCoder.displacedFile(record)
            }
            try Self.loadMarks(container.id, db, into: &loaded)
            return loaded
        }
    }

    private static func entryID(_ bytes: Data) throws(BatonError) -> EntryID {
        guard let id = EntryCodec.id(bytes) else { throw ByteReader.damaged }
        return id
    }

    private static func rows(
        _ table: String, _ key: String, _ container: Int64, _ db: Database
    ) throws -> [(Data, Data)] {
        try Row.fetchAll(
            db, sql: "SELECT \(key) AS key, record FROM \(table) WHERE container = ?", arguments: [container]
        ).map { ($0["key"], $0["record"]) }
    }

    private static func loadMarks(_ container: Int64, _ db: Database, into loaded: inout Loaded) throws {
        let rows = try Row.fetchCursor(
            db, sql: "SELECT kind, id, value FROM documents_mark WHERE container = ?", arguments: [container])
        var unsent: [(UInt64, EntryID)] = []
        while let row = try rows.next() {
            guard let kind = Mark.Kind(rawValue: row["kind"]) else { continue }
            let (bytes, value): (Data, Data) = (row["id"], row["value"])
            switch kind {
            case .unsent:
                let number = value.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                unsent.append((number, try entryID(bytes)))
            case .unstored:
                guard let hash = ContentHash(bytes) else { throw ByteReader.damaged }
                loaded.state.unstored.insert(hash)
            case .replaced:
                let id = try entryID(bytes)
                loaded.state.replaced[id] = try EntryCodec.replaced(value)
            case .evicted: loaded.state.evicted.insert(try entryID(bytes))
            case .leftForRoom: loaded.state.leftForRoom.insert(try entryID(bytes))
            case .kept: loaded.state.kept.insert(try entryID(bytes))
            case .held: loaded.state.held.insert(try entryID(bytes))
            }
        }
        unsent.sort { $0.0 < $1.0 }
        loaded.state.unsent = unsent.map(\.1)
        loaded.lastUnsent = unsent.last?.0 ?? 0
    }
}
