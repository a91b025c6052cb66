package import GRDB

/// The app's own triggers.
package enum OwnTriggers {
    /// Whether one of them writes to the table that it is of, as one does that sets a time of modification: it would fire itself
    /// for ever with `recursive_triggers`.
    package static func writeToThemselves(in db: Database) throws -> Bool {
        let triggers = try Row.fetchAll(
            db, sql: "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger' AND sql IS NOT NULL")
        return triggers.contains { row in
            let (name, table, sql): (String, String, String) = (row["name"], row["tbl_name"], row["sql"])
            return !name.hasPrefix(CaptureTriggers.prefix) && writes(sql, to: table)
        }
    }

    /// Too often rather than too seldom: the word after UPDATE or INTO in the body is the table's name.
    private static func writes(_ sql: String, to table: String) -> Bool {
        let words = sql.lowercased().split { " \t\n\r\"'`[](),;".contains($0) }.map(String.init)
        guard let begin = words.firstIndex(of: "begin") else { return false }
        let body = words[begin...]
        return zip(body, body.dropFirst()).contains { word, next in
            next == table.lowercased() && !["on", "from", "join", "select"].contains(word)
        }
    }
}
