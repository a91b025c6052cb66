package import BatonCore
package import BatonStore
import GRDB
import Synchronization

/// The person's choice for a scheme, a type or a domain.
package enum HandlerDefault: Sendable, Hashable {
    case app(BundleID)
    /// Only for a domain.
    case browser
}

/// The person's choices, in memory and in the database.
package final class HandlerDefaults: Sendable {
    package static let migrations = [
        DaemonDatabase.Migration("opening-1") { db in
            try db.execute(
                sql: """
                    -- Which app the person chose. A choice stays when the app goes, and counts again when it is back.
                    CREATE TABLE handler_default (
                        kind TEXT NOT NULL,
                        name TEXT NOT NULL,
                        -- Empty: the browser.
                        bundle_id TEXT NOT NULL,
                        PRIMARY KEY (kind, name)
                    ) STRICT;
                    """)
        }
    ]

    /// As many choices as are kept; more are refused.
    static let limit = 10_000

    package struct Entry: Sendable, Hashable {
        package let kind: String
        package let name: String
        package let choice: HandlerDefault
    }

    private struct Key: Hashable {
        var kind: String
        var name: String
    }

    private let database: DaemonDatabase
    private let choices: Mutex<[Key: HandlerDefault]>

    package init(database: DaemonDatabase) async throws {
        self.database = database
        let rows = try await database.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM handler_default").map { row in
                (row["kind"] as String, row["name"] as String, row["bundle_id"] as String)
            }
        }
        var choices: [Key: HandlerDefault] = [:]
        for (kind, name, bundleID) in rows {
            choices[Key(kind: kind, name: name)] =
                bundleID.isEmpty ? .browser : BundleID(rawValue: bundleID).map(HandlerDefault.app)
        }
        self.choices = Mutex(choices)
    }

    package func choice(for subject: OpeningSubject) -> HandlerDefault? {
        choices.withLock { $0[Key(kind: subject.kind, name: subject.name)] }
    }

    /// The chosen app; nil where nothing or the browser was chosen.
    package func app(for subject: OpeningSubject) -> BundleID? {
        if case .app(let bundleID) = choice(for: subject) { bundleID } else { nil }
    }

    /// By kind and name.
    package func all() -> [Entry] {
        choices.withLock { $0 }.map { Entry(kind: $0.key.kind, name: $0.key.name, choice: $0.value) }
            .sorted { ($0.kind, $0.name) < ($1.kind, $1.name) }
    }

    /// - Parameter choice: nil forgets it.
    package func set(_ choice: HandlerDefault?, for subject: OpeningSubject) async throws {
        let (kind, name) = (subject.kind, subject.name)
        let key = Key(kind: kind, name: name)
        guard choice == nil || choices.withLock({ $0[key] != nil || $0.count < Self.limit }) else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_choices", "More than \(Self.limit) choices are kept. Reset some.")
        }
        try await database.write { db in
            switch choice {
            case nil:
                try db.execute(
                    sql: "DELETE FROM handler_default WHERE kind = ? AND name = ?", arguments: [kind, name])
            case .app(let bundleID)?:
                try db.execute(
                    sql: "INSERT OR REPLACE INTO handler_default VALUES (?, ?, ?)",
                    arguments: [kind, name, bundleID.rawValue])
            case .browser?:
                try db.execute(
                    sql: "INSERT OR REPLACE INTO handler_default VALUES (?, ?, '')", arguments: [kind, name])
            }
        }
        choices.withLock { $0[key] = choice }
    }
}
