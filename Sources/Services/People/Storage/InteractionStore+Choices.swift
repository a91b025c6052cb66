import BatonCore
import BatonStore
import BatonWire
import Foundation
import GRDB
import SwiftProtobuf

/// The person's choices, and the offers of apps.
extension InteractionStore {
    /// By person, the ways by actions.
    func defaults() async throws -> [String: [PersonAction: String]] {
        try await database.read { db in
            var defaults: [String: [PersonAction: String]] = [:]
            for row in try Row.fetchAll(db, sql: "SELECT person, action, way FROM person_default") {
                guard let action = PersonAction(rawValue: row["action"]) else { continue }
                defaults[row["person"], default: [:]][action] = row["way"]
            }
            return defaults
        }
    }

    func setDefault(_ way: String, for person: String, _ action: PersonAction) async throws {
        let maximum = limits.defaults
        try await database.write { db in
            try db.execute(
                sql: "DELETE FROM person_default WHERE person = ? AND action = ?", arguments: [person, action.rawValue])
            try db.execute(
                sql: "INSERT INTO person_default (person, action, way) VALUES (?, ?, ?)",
                arguments: [person, action.rawValue, way])
            try db.execute(
                sql: """
                    DELETE FROM person_default WHERE id IN
                        (SELECT id FROM person_default ORDER BY id DESC LIMIT -1 OFFSET ?)
                    """, arguments: [maximum])
        }
    }

    /// - Returns: how many choices went.
    func resetDefaults(of person: String) async throws -> Int {
        try await database.write { db in
            try db.execute(sql: "DELETE FROM person_default WHERE person = ?", arguments: [person])
            return db.changesCount
        }
    }

    // MARK: Shortcuts

    func setShortcuts(_ request: Baton_App_V1_OfferShortcutsRequest, of app: AppIdentity) async throws {
        let owner = AppOwner(app)
        let isEmpty = request.shortcuts.isEmpty && request.predictionModes.isEmpty
        let content = isEmpty ? nil : Data(try request.serializedBytes() as [UInt8])
        try await database.write { db in
            try db.execute(
                sql: "DELETE FROM offered_shortcuts WHERE team = ? AND bundle_id = ? AND list = ?",
                arguments: [owner.team, owner.bundleID, request.list.rawValue])
            guard let content else { return }
            try db.execute(
                sql: "INSERT INTO offered_shortcuts (team, bundle_id, list, content) VALUES (?, ?, ?, ?)",
                arguments: [owner.team, owner.bundleID, request.list.rawValue, content])
        }
    }

    func shortcuts() async throws -> [(app: AppIdentity, offer: Baton_App_V1_OfferShortcutsRequest)] {
        try await database.read { db in
            try Row.fetchAll(db, sql: "SELECT team, bundle_id, content FROM offered_shortcuts").compactMap { row in
                guard let app = AppOwner(row).app,
                    let offer = try? Baton_App_V1_OfferShortcutsRequest(
                        serializedBytes: Array(row["content"] as Data))
                else { return nil }
                return (app, offer)
            }
        }
    }
}

/// The owner of a row: the whole fingerprint counts, never the Team ID alone (H-3).
struct AppOwner: Hashable, Sendable {
    var team: Data
    var bundleID: String

    init(_ row: Row) { (team, bundleID) = (row["team"], row["bundle_id"]) }

    init(_ app: AppIdentity) { (team, bundleID) = (Data(app.team.fingerprint), app.bundleID.rawValue) }

    /// Nil when this version cannot read it.
    var app: AppIdentity? {
        guard let bundleID = BundleID(rawValue: bundleID), team.isEmpty || team.count == 32 else { return nil }
        return AppIdentity(
            bundleID: bundleID, team: team.isEmpty ? .development : TeamIdentity(fingerprint: Array(team)))
    }
}
