import BatonConcurrency
package import BatonCore
import BatonStore
import BatonWire
import Foundation
import GRDB
import SwiftProtobuf

/// A person that an app has donated, and the last interaction with them in one way.
package struct Donation: Sendable, Hashable {
    package var app: AppIdentity
    package var className: String
    package var action: PersonAction?
    package var person: DonatedPerson
    /// The app's name for its service.
    package var service: String?
    /// Milliseconds since 1970.
    package var time: UInt64

    package init(
        app: AppIdentity, className: String, action: PersonAction?, person: DonatedPerson, service: String? = nil,
        time: UInt64
    ) {
        self.app = app
        self.className = className
        self.action = action
        self.person = person
        self.service = service
        self.time = time
    }
}

/// An interaction as it is kept.
struct StoredInteraction: Sendable {
    var app: AppIdentity
    var message: Baton_Value_V1_Interaction
    var time: UInt64
}

/// Donated interactions in the daemon's database, with the people involved, and the person's choices.
struct InteractionStore: Sendable {
    let database: DaemonDatabase
    let limits: InteractionLimits

    static let migrations = [
        DaemonDatabase.Migration("people-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE interaction (
                        id INTEGER PRIMARY KEY,
                        -- SHA-256 of the team's key; empty for programs in development.
                        team BLOB NOT NULL,
                        bundle_id TEXT NOT NULL,
                        -- The app's.
                        identifier TEXT NOT NULL,
                        group_identifier TEXT NOT NULL,
                        -- Apple's name of the intent.
                        class TEXT NOT NULL,
                        -- A baton.value.v1.Interaction.
                        content BLOB NOT NULL,
                        -- When it happened, and when it was donated: milliseconds since 1970.
                        time INTEGER NOT NULL,
                        donated INTEGER NOT NULL,
                        UNIQUE (team, bundle_id, identifier)
                    ) STRICT;
                    CREATE INDEX interaction_by_age ON interaction (team, bundle_id, id);
                    CREATE INDEX interaction_by_class ON interaction (class, time);
                    -- With whom it was done.
                    CREATE TABLE interaction_person (
                        interaction INTEGER NOT NULL REFERENCES interaction (id) ON DELETE CASCADE,
                        -- A DonatedPerson in JSON.
                        person TEXT NOT NULL,
                        -- Empty for none that the daemon knows.
                        action TEXT NOT NULL,
                        service TEXT NOT NULL
                    ) STRICT;
                    CREATE INDEX interaction_person_by_interaction ON interaction_person (interaction);
                    -- How the person reached somebody last, where they said how.
                    CREATE TABLE person_default (
                        id INTEGER PRIMARY KEY,
                        person TEXT NOT NULL,
                        action TEXT NOT NULL,
                        way TEXT NOT NULL,
                        UNIQUE (person, action)
                    ) STRICT;
                    -- Lists of what apps could do next.
                    CREATE TABLE offered_shortcuts (
                        team BLOB NOT NULL,
                        bundle_id TEXT NOT NULL,
                        list INTEGER NOT NULL,
                        -- A baton.app.v1.OfferShortcutsRequest.
                        content BLOB NOT NULL,
                        PRIMARY KEY (team, bundle_id, list)
                    ) STRICT;
                    """)
        }
    ]

    // MARK: Donating

    /// In place of the app's with the same identifier; the app's oldest go where it has too many.
    func save(
        _ interaction: Baton_Value_V1_Interaction, _ intent: DonatedIntent, of app: AppIdentity, time: UInt64,
        now: UInt64
    ) async throws {
        let content = Data(try interaction.serializedBytes() as [UInt8])
        let (owner, limits) = (AppOwner(app), limits)
        let encoder = JSONEncoder()
        // Equal persons are equal texts.
        encoder.outputFormatting = .sortedKeys
        let persons = try intent.persons.map { String(decoding: try encoder.encode($0.person), as: UTF8.self) }
        let action = intent.action?.rawValue ?? ""
        try await database.write { db in
            try db.execute(
                sql: "DELETE FROM interaction WHERE team = ? AND bundle_id = ? AND identifier = ?",
                arguments: [owner.team, owner.bundleID, interaction.identifier])
            try db.execute(
                sql: """
                    INSERT INTO interaction (team, bundle_id, identifier, group_identifier, class, content, time, donated)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    owner.team, owner.bundleID, interaction.identifier, interaction.groupIdentifier, intent.className,
                    content, Int64(clamping: time), Int64(clamping: now),
                ])
            let row = db.lastInsertedRowID
            for person in persons {
                try db.execute(
                    sql: "INSERT INTO interaction_person (interaction, person, action, service) VALUES (?, ?, ?, ?)",
                    arguments: [row, person, action, intent.service ?? ""])
            }
            try Self.removeOldest(db, of: owner, limits: limits)
        }
    }

    private static func removeOldest(_ db: Database, of owner: AppOwner, limits: InteractionLimits) throws {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT id, length(content) AS size, person
                FROM interaction LEFT JOIN interaction_person ON interaction_person.interaction = interaction.id
                WHERE team = ? AND bundle_id = ? ORDER BY id DESC
                """, arguments: [owner.team, owner.bundleID])
        var (count, bytes, mentions) = (0, 0, 0)
        var persons: Set<String> = []
        var (last, oldest): (Int64?, Int64?)
        while let row = try rows.next() {
            let id: Int64 = row["id"]
            if id != last {
                last = id
                count += 1
                bytes += row["size"] as Int
            }
            if let person: String = row["person"] {
                mentions += 1
                persons.insert(person)
            }
            guard
                count > limits.count || bytes > limits.bytes || mentions > limits.mentions
                    || persons.count > limits.distinctPersons
            else { continue }
            oldest = id
            break
        }
        guard let oldest else { return }
        try db.execute(
            sql: "DELETE FROM interaction WHERE team = ? AND bundle_id = ? AND id <= ?",
            arguments: [owner.team, owner.bundleID, oldest])
    }

    // MARK: Reading

    /// Each person of each app once for each class and action, with the last time.
    func donations() async throws -> [Donation] {
        try await database.read { db in
            let decoder = JSONDecoder()
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT team, bundle_id, class, person, action, service, max(time) AS time
                    FROM interaction JOIN interaction_person ON interaction_person.interaction = interaction.id
                    GROUP BY team, bundle_id, class, person, action, service ORDER BY time DESC
                    """
            ).compactMap { row in
                guard let app = AppOwner(row).app,
                    let person = try? decoder.decode(DonatedPerson.self, from: Data((row["person"] as String).utf8))
                else { return nil }
                let (time, service): (Int64, String) = (row["time"], row["service"])
                return Donation(
                    app: app, className: row["class"], action: PersonAction(rawValue: row["action"]), person: person,
                    service: service.isEmpty ? nil : service, time: UInt64(clamping: time))
            }
        }
    }

    /// Those with one of these persons of an app, the newest first.
    func interactions(
        of app: AppIdentity, with persons: Set<DonatedPerson>, limit: Int
    ) async throws -> [StoredInteraction] {
        let owner = AppOwner(app)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let texts = try persons.prefix(500).map { String(decoding: try encoder.encode($0), as: UTF8.self) }
        guard !texts.isEmpty else { return [] }
        return try await database.read { db in
            let marks = Array(repeating: "?", count: texts.count).joined(separator: ", ")
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM interaction WHERE team = ? AND bundle_id = ? AND id IN
                        (SELECT interaction FROM interaction_person WHERE person IN (\(marks)))
                    ORDER BY time DESC, id DESC LIMIT ?
                    """,
                arguments: [owner.team, owner.bundleID] + StatementArguments(texts) + [limit]
            ).compactMap(Self.interaction)
        }
    }

    /// Those of a class, the newest first.
    func interactions(ofClass name: String, of app: AppIdentity?, limit: Int) async throws -> [StoredInteraction] {
        try await database.read { db in
            var sql = "SELECT * FROM interaction WHERE class = ?"
            var arguments: StatementArguments = [name]
            if let owner = app.map(AppOwner.init) {
                sql += " AND team = ? AND bundle_id = ?"
                arguments += [owner.team, owner.bundleID]
            }
            arguments += [limit]
            return try Row.fetchAll(db, sql: sql + " ORDER BY time DESC, id DESC LIMIT ?", arguments: arguments)
                .compactMap(Self.interaction)
        }
    }

    func interaction(_ identifier: String, of app: AppIdentity) async throws -> StoredInteraction? {
        let owner = AppOwner(app)
        return try await database.read { db in
            try Row.fetchOne(
                db, sql: "SELECT * FROM interaction WHERE team = ? AND bundle_id = ? AND identifier = ?",
                arguments: [owner.team, owner.bundleID, identifier]
            ).flatMap(Self.interaction)
        }
    }

    /// Nil for a row that this version cannot read.
    private static func interaction(_ row: Row) -> StoredInteraction? {
        let (content, time): (Data, Int64) = (row["content"], row["time"])
        guard let app = AppOwner(row).app,
            let message = try? Baton_Value_V1_Interaction(serializedBytes: Array(content))
        else { return nil }
        return StoredInteraction(app: app, message: message, time: UInt64(clamping: time))
    }

    // MARK: Deleting

    /// Which of an app's interactions go.
    enum Which: Sendable {
        case identifiers([String])
        case group(String)
        case all
    }

    func delete(_ which: Which, of app: AppIdentity) async throws {
        let owner = AppOwner(app)
        let own = "DELETE FROM interaction WHERE team = ? AND bundle_id = ?"
        try await database.write { db in
            switch which {
            case .identifiers(let identifiers):
                for identifier in identifiers {
                    try db.execute(
                        sql: own + " AND identifier = ?", arguments: [owner.team, owner.bundleID, identifier])
                }
            case .group(let group):
                try db.execute(
                    sql: own + " AND group_identifier = ?", arguments: [owner.team, owner.bundleID, group])
            case .all: try db.execute(sql: own, arguments: [owner.team, owner.bundleID])
            }
        }
    }

    /// - Parameter bundleID: nil for all apps.
    /// - Returns: how many went.
    func forget(bundleID: String?, donatedSince time: UInt64) async throws -> Int {
        let count = try await database.write { db in
            // Deleted rows are overwritten.
            try db.execute(sql: "PRAGMA secure_delete = ON")
            defer { try? db.execute(sql: "PRAGMA secure_delete = OFF") }
            let filter = bundleID == nil ? "" : " AND bundle_id = ?"
            var arguments: StatementArguments = [Int64(clamping: time)]
            if let bundleID { arguments += [bundleID] }
            try db.execute(sql: "DELETE FROM interaction WHERE donated >= ?" + filter, arguments: arguments)
            let count = db.changesCount
            if let bundleID {
                try db.execute(sql: "DELETE FROM offered_shortcuts WHERE bundle_id = ?", arguments: [bundleID])
                try db.execute(sql: "DELETE FROM person_default WHERE way = ?", arguments: [bundleID])
            } else if time == 0 {
                try db.execute(sql: "DELETE FROM offered_shortcuts")
                try db.execute(sql: "DELETE FROM person_default")
            }
            return count
        }
        try await BlockingQueue("development.baton.people").run { [database] in try database.truncateLog() }
        return count
    }

    /// Deletes what apps have left that are gone.
    /// - Parameter isKept: asked within the transaction, so that an app that comes meanwhile loses nothing.
    /// - Returns: how many interactions went.
    func removeAbandoned(isKept: @escaping @Sendable (AppIdentity) -> Bool) async throws -> Int {
        try await database.write { db in
            var count = 0
            let owners = try Row.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT team, bundle_id FROM interaction UNION SELECT team, bundle_id FROM offered_shortcuts
                    """)
            for owner in owners.map(AppOwner.init) {
                if let app = owner.app, isKept(app) { continue }
                let arguments: StatementArguments = [owner.team, owner.bundleID]
                try db.execute(
                    sql: "DELETE FROM interaction WHERE team = ? AND bundle_id = ?", arguments: arguments)
                count += db.changesCount
                try db.execute(
                    sql: "DELETE FROM offered_shortcuts WHERE team = ? AND bundle_id = ?", arguments: arguments)
            }
            return count
        }
    }
}
