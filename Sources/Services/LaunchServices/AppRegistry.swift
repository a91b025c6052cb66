import BatonCore
import BatonStore
import BatonTrust
import Foundation
import GRDB

/// Which apps are installed, and whose their containers are, in the database.
struct AppRegistry: Sendable {
    let database: DaemonDatabase

    static let migrations = [
        DaemonDatabase.Migration("launch-services-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE installed_app (
                        bundle_id TEXT NOT NULL PRIMARY KEY,
                        team BLOB NOT NULL,
                        name TEXT NOT NULL,
                        version TEXT NOT NULL,
                        build TEXT NOT NULL,
                        activity_types TEXT NOT NULL,
                        -- Below the applications directory: the bundle, and the executable within it.
                        bundle TEXT NOT NULL,
                        executable TEXT NOT NULL,
                        digest BLOB NOT NULL,
                        installed REAL NOT NULL
                    ) STRICT;
                    -- Outlives the app when its data is kept, so that no other team gets at it.
                    CREATE TABLE app_container (
                        bundle_id TEXT NOT NULL PRIMARY KEY,
                        team BLOB NOT NULL,
                        -- To be removed from the disk.
                        doomed INTEGER NOT NULL DEFAULT 0
                    ) STRICT;
                    """)
        },
        DaemonDatabase.Migration("launch-services-2") { db in
            try db.execute(
                sql: """
                    -- How the last process of an installed app ended.
                    CREATE TABLE app_exit (
                        bundle_id TEXT NOT NULL PRIMARY KEY,
                        description TEXT NOT NULL,
                        is_failure INTEGER NOT NULL,
                        time REAL NOT NULL
                    ) STRICT;
                    """)
        },
        DaemonDatabase.Migration("launch-services-3") { db in
            try db.execute(
                sql: """
                    -- Titles to which an app keeps of a type.
                    CREATE TABLE app_activity_titles (
                        bundle_id TEXT NOT NULL REFERENCES installed_app (bundle_id) ON DELETE CASCADE,
                        activity_type TEXT NOT NULL,
                        titles TEXT NOT NULL,
                        PRIMARY KEY (bundle_id, activity_type)
                    ) STRICT;
                    """)
        },
        DaemonDatabase.Migration("launch-services-4") { db in
            // A list in JSON: the entitlement com.apple.developer.associated-domains.
            try db.execute(
                sql: "ALTER TABLE installed_app ADD COLUMN associated_domains TEXT NOT NULL DEFAULT '[]'")
        },
        DaemonDatabase.Migration("launch-services-5") { db in
            // The entitlement for a key-value store behind the team, and the profile of what the store may hold.
            try db.execute(
                sql: """
                    ALTER TABLE installed_app ADD COLUMN key_value_store TEXT;
                    ALTER TABLE installed_app ADD COLUMN key_value_profile TEXT NOT NULL DEFAULT 'classic';
                    """)
        },
        DaemonDatabase.Migration("launch-services-6") { db in
            // The app's document types and schemes, in JSON.
            try db.execute(sql: "ALTER TABLE installed_app ADD COLUMN claims TEXT NOT NULL DEFAULT ''")
        },
        DaemonDatabase.Migration("launch-services-7") { db in
            // How the app is launched and shown, in JSON.
            try db.execute(sql: "ALTER TABLE installed_app ADD COLUMN traits TEXT NOT NULL DEFAULT ''")
        },
    ]

    /// One row, in the types of this module.
    struct Record: Sendable {
        var identity: AppIdentity
        var name: String
        var version: String
        var build: String
        var activityTypes: Set<ActivityType>
        var activityTitles: [ActivityType: Set<String>] = [:]
        var bundle: String
        var executable: String
        var digest: [UInt8]
        var installed: Date
        var associatedDomains: [String] = []
        var keyValueStore: BundleID?
        var keyValueProfile = KeyValueLimits.Profile.classic
        var claims = AppClaims()
        var traits = AppTraits()
    }

    /// The contents of the table: the apps, and the rows that cannot be understood.
    struct Contents: Sendable {
        var records: [Record] = []
        var damaged: [Damaged] = []
    }

    /// A row that cannot be understood, as it is.
    struct Damaged: Sendable {
        var bundleID: String
        var bundle: String
        var error: BatonError
    }

    /// One row that is damaged does not keep the others from being read.
    func all() async throws -> Contents {
        try await database.read { db in
            var contents = Contents()
            for row in try Row.fetchAll(db, sql: "SELECT * FROM installed_app ORDER BY bundle_id") {
                do {
                    var record = try Self.record(row)
                    record.activityTitles = try Self.activityTitles(record.identity.bundleID, db)
                    contents.records.append(record)
                } catch {
                    contents.damaged.append(
                        Damaged(
                            bundleID: row["bundle_id"], bundle: row["bundle"],
                            error: error as? BatonError ?? Self.damaged(error)))
                }
            }
            return contents
        }
    }

    private static func activityTitles(_ bundleID: BundleID, _ db: Database) throws -> [ActivityType: Set<String>] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT * FROM app_activity_titles WHERE bundle_id = ?", arguments: [bundleID.rawValue])
        return try rows.reduce(into: [:]) { titles, row in
            let (type, text) = (row["activity_type"] as String, row["titles"] as String)
            titles[try ActivityType(validating: type)] = Set(
                try JSONDecoder().decode([String].self, from: Data(text.utf8)))
        }
    }

    /// Registers an app in place of the one with its bundle identifier; the container becomes its team's.
    func register(_ record: Record) async throws {
        let types = String(decoding: try JSONEncoder().encode(record.activityTypes.sorted()), as: UTF8.self)
        let domains = String(decoding: try JSONEncoder().encode(record.associatedDomains), as: UTF8.self)
        let claims = String(decoding: try JSONEncoder().encode(record.claims), as: UTF8.self)
        let traits = String(decoding: try JSONEncoder().encode(record.traits), as: UTF8.self)
        try await database.write { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO installed_app VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    record.identity.bundleID.rawValue, Data(record.identity.team.fingerprint), record.name,
                    record.version, record.build, types, record.bundle, record.executable, Data(record.digest),
                    record.installed.timeIntervalSince1970, domains, record.keyValueStore?.rawValue,
                    record.keyValueProfile.rawValue, claims, traits,
                ])
            // Those of the app that was replaced went with it.
            for (type, titles) in record.activityTitles {
                try db.execute(
                    sql: "INSERT INTO app_activity_titles VALUES (?, ?, ?)",
                    arguments: [
                        record.identity.bundleID.rawValue, type.rawValue,
                        String(decoding: try JSONEncoder().encode(titles.sorted()), as: UTF8.self),
                    ])
            }
            try db.execute(
                sql: "INSERT OR REPLACE INTO app_container VALUES (?, ?, 0)",
                arguments: [record.identity.bundleID.rawValue, Data(record.identity.team.fingerprint)])
        }
    }

    /// Whose data there is for a bundle identifier, installed or not; nil also for data that is to be removed.
    func containerOwner(_ bundleID: BundleID) async throws -> TeamIdentity? {
        let fingerprint = try await database.read { db in
            try Data.fetchOne(
                db, sql: "SELECT team FROM app_container WHERE bundle_id = ? AND doomed = 0",
                arguments: [bundleID.rawValue])
        }
        return try fingerprint.map(Self.team)
    }

    /// For data that has no owner yet.
    func setContainerOwner(_ bundleID: BundleID, _ team: TeamIdentity) async throws {
        try await database.write { db in
            try db.execute(
                sql: "INSERT OR IGNORE INTO app_container VALUES (?, ?, 0)",
                arguments: [bundleID.rawValue, Data(team.fingerprint)])
        }
    }

    /// Whether any row names it: of an app, or of data, damaged or to be removed as it may be.
    func isKnown(_ bundleID: BundleID) async throws -> Bool {
        try await database.read { db in
            try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM installed_app WHERE bundle_id = :id)
                        OR EXISTS (SELECT 1 FROM app_container WHERE bundle_id = :id)
                    """, arguments: ["id": bundleID.rawValue]) ?? false
        }
    }

    func isDoomed(_ bundleID: BundleID) async throws -> Bool {
        try await database.read { db in
            try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM app_container WHERE bundle_id = ? AND doomed = 1)",
                arguments: [bundleID.rawValue]) ?? false
        }
    }

    func unregister(_ bundleID: BundleID, keepData: Bool) async throws {
        try await database.write { db in
            try db.execute(sql: "DELETE FROM installed_app WHERE bundle_id = ?", arguments: [bundleID.rawValue])
            try db.execute(sql: "DELETE FROM app_exit WHERE bundle_id = ?", arguments: [bundleID.rawValue])
            if !keepData {
                try db.execute(
                    sql: "UPDATE app_container SET doomed = 1 WHERE bundle_id = ?", arguments: [bundleID.rawValue])
            }
        }
    }

    func exits() async throws -> [BundleID: AppExit] {
        let rows = try await database.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM app_exit").map { row in
                (
                    row["bundle_id"] as String,
                    AppExit(
                        description: row["description"], isFailure: row["is_failure"],
                        time: Date(timeIntervalSince1970: row["time"]))
                )
            }
        }
        return rows.reduce(into: [:]) { exits, row in
            if let bundleID = BundleID(rawValue: row.0) { exits[bundleID] = row.1 }
        }
    }

    /// Blocks. Nothing is kept of an app that was uninstalled meanwhile.
    func setExit(_ exit: AppExit, of bundleID: BundleID) throws {
        try database.writeBlocking { db in
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO app_exit SELECT bundle_id, ?, ?, ? FROM installed_app WHERE bundle_id = ?
                    """,
                arguments: [exit.description, exit.isFailure, exit.time.timeIntervalSince1970, bundleID.rawValue])
        }
    }

    func doomedContainers() async throws -> [BundleID] {
        let names = try await database.read { db in
            try String.fetchAll(db, sql: "SELECT bundle_id FROM app_container WHERE doomed = 1")
        }
        return names.compactMap(BundleID.init(rawValue:))
    }

    /// After its directory is gone.
    func forgetContainer(_ bundleID: BundleID) async throws {
        try await database.write { db in
            try db.execute(
                sql: "DELETE FROM app_container WHERE bundle_id = ? AND doomed = 1", arguments: [bundleID.rawValue])
        }
    }

    private static func record(_ row: Row) throws -> Record {
        let types: String = row["activity_types"]
        let team: Data = row["team"]
        let digest: Data = row["digest"]
        let domains: String = row["associated_domains"]
        let claims: String = row["claims"]
        let traits: String = row["traits"]
        return Record(
            identity: AppIdentity(bundleID: try BundleID(validating: row["bundle_id"]), team: try self.team(team)),
            name: row["name"], version: row["version"], build: row["build"],
            activityTypes: Set(try JSONDecoder().decode([ActivityType].self, from: Data(types.utf8))),
            bundle: row["bundle"], executable: row["executable"], digest: Array(digest),
            installed: Date(timeIntervalSince1970: row["installed"]),
            associatedDomains: try JSONDecoder().decode([String].self, from: Data(domains.utf8)),
            keyValueStore: try (row["key_value_store"] as String?).map { try BundleID(validating: $0) },
            keyValueProfile: KeyValueLimits.Profile(rawValue: row["key_value_profile"]) ?? .classic,
            claims: claims.isEmpty ? AppClaims() : try JSONDecoder().decode(AppClaims.self, from: Data(claims.utf8)),
            traits: traits.isEmpty ? AppTraits() : try JSONDecoder().decode(AppTraits.self, from: Data(traits.utf8)))
    }

    private static func team(_ fingerprint: Data) throws(BatonError) -> TeamIdentity {
        guard fingerprint.count == 32 else { throw damaged(nil) }
        return TeamIdentity(fingerprint: Array(fingerprint))
    }

    private static func damaged(_ cause: (any Error)?) -> BatonError {
        BatonError(
            .dataLoss, reason: "database_damaged",
            "The database's record of the app is damaged. Uninstall the app, which removes its data, and install it "
                + "again.", cause: cause)
    }
}
