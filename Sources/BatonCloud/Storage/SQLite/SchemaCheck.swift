import BatonCore
import GRDB

/// Compares how tables and indexes say that they are made with how this version makes them.
///
/// SQLite believes those texts: where one bit of them was changed, a column has another name, and the file is whole all the
/// same. Nothing can be written then.
enum SchemaCheck {
    /// A table or an index.
    struct Part: Hashable {
        var kind: String
        var name: String
    }

    struct Definition: Equatable {
        var table: String?
        var text: String?
    }

    /// As an empty database has them. Blocks.
    static func made() throws(BatonError) -> [Part: Definition] {
        do {
            let queue = try DatabaseQueue()
            defer { try? queue.close() }
            try migrator().migrate(queue)
            return try queue.read { try definitions($0) }
        } catch {
            throw CloudDatabase.meaning(error)
        }
    }

    /// A sentence for each difference; none for a database that another version made, which may be a backup: what that must
    /// be is not known here.
    static func findings(_ database: Database, against made: [Part: Definition]) throws -> [String] {
        let migrator = migrator()
        let found = try definitions(database)
        guard try found.isEmpty || !migrator.appliedIdentifiers(database).isEmpty else {
            return ["the list of the steps that made the tables (grdb_migrations) is missing or empty"]
        }
        guard try migrator.hasCompletedMigrations(database), try !migrator.hasBeenSuperseded(database) else {
            return []
        }
        let parts = Set(made.keys).union(found.keys).sorted { ($0.name, $0.kind) < ($1.name, $1.kind) }
        return parts.compactMap { part -> String? in
            guard let definition = made[part] else {
                // Tables of replication tools or an operator's index do no harm. A trigger changes what is written.
                return part.kind == "trigger" ? "the trigger “\(part.name)” does not belong into the database" : nil
            }
            guard let kept = found[part] else { return "the \(part.kind) “\(part.name)” is missing" }
            return kept == definition ? nil : "the definition of the \(part.kind) “\(part.name)” is damaged"
        }
    }

    private static func migrator() -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        CloudSchema.register(in: &migrator)
        return migrator
    }

    /// But for what SQLite and GRDB make for themselves.
    private static func definitions(_ database: Database) throws -> [Part: Definition] {
        var definitions: [Part: Definition] = [:]
        for row in try database.rows("SELECT type, name, tbl_name, sql FROM sqlite_master") {
            // A damaged row may lack any column or have another type in it.
            let kind = String.fromDatabaseValue(row[0]) ?? "part"
            let name = String.fromDatabaseValue(row[1]) ?? ""
            guard !name.hasPrefix("sqlite_"), name != "grdb_migrations" else { continue }
            definitions[Part(kind: kind, name: name)] = Definition(
                table: String.fromDatabaseValue(row[2]), text: String.fromDatabaseValue(row[3]))
        }
        return definitions
    }
}
