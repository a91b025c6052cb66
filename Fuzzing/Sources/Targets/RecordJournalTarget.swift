import Foundation
import GRDB
import RecordMirror

/// The journal of a mirrored database, to which every program with the file may have written: lines of operation, key, other key and mask.
enum RecordJournalTarget: FuzzTarget {
    static let name = "record-journal"

    private static let schema = """
        CREATE TABLE pages (id TEXT NOT NULL, part INTEGER NOT NULL, title TEXT, views INTEGER, PRIMARY KEY (id, part));
        INSERT INTO pages VALUES ('a', 1, 'One', 3), ('b', 2, NULL, -5), ('', 0, x'00', 9223372036854775807);
        """

    static func seeds() -> [[UInt8]] {
        [
            "1|'a',1||7", "2|'a',1||1\n7|'a',1||1:4\n7|'a',1||1:-2", "4|'b',2|'a',1|3", "3|'c',1||",
            "5|'',0||3\n6|'',0||1",
            "1|x'6161',1e3|NULL,NULL|1,2,3", "7|'a',1||1:9223372036854775807\n7|'a',1||1:9223372036854775807",
        ].map { Array($0.utf8) }
    }

    static func run(_ bytes: [UInt8]) {
        do {
            let database = try DatabaseQueue()
            try database.write { db in
                try db.execute(sql: schema)
                let shapes = try SchemaReader.read([MirrorTable("pages", counters: ["views"])], in: db)
                try MirrorTables.create(in: db)
                try CaptureTriggers.install(for: shapes, in: db)
                for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n").prefix(200) {
                    let parts = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
                    let mask = parts.count > 3 ? Int64(parts[3]).map(\.databaseValue) ?? parts[3].databaseValue : .null
                    try db.execute(
                        sql:
                            "INSERT INTO baton_journal (time, tbl, key, oldKey, op, mask) VALUES (?, 'pages', ?, ?, ?, ?)",
                        arguments: [
                            Int64(parts.count), parts.count > 1 ? parts[1] : "",
                            parts.count > 2 && !parts[2].isEmpty ? parts[2] : nil, Int64(parts[0]) ?? 0, mask,
                        ])
                }
                _ = try JournalBound.enforce(in: db)
                var reader = JournalReader(shapes)
                reader.maximumLines = 1 + bytes.count % 5
                var last: Int64 = 0
                while let reading = try reader.read(in: db) {
                    precondition(reading.sequence > last, "each reading goes on")
                    last = reading.sequence
                    for change in reading.groups.flatMap(\.changes) {
                        precondition(change.key.isWhole && change.key.values.count == 2, "a key is whole")
                        precondition(!change.isDeleted || change.values.isEmpty, "a deletion has no values")
                    }
                    try db.execute(sql: "DELETE FROM baton_journal WHERE seq <= ?", arguments: [reading.sequence])
                }
            }
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
