import BatonCore
import BatonStore
import Foundation
import GRDB

/// The apps for which a person has switched documents off on this device. Every method blocks.
extension DocumentsStore {
    func switchedOff() throws -> Set<AppIdentity> {
        try database.readBlocking { db in
            var apps: Set<AppIdentity> = []
            for row in try Row.fetchAll(db, sql: "SELECT team, bundle FROM documents_off") {
                let team: Data = row["team"]
                let identity =
                    team.isEmpty
                    ? TeamIdentity.development : team.count == 32 ? TeamIdentity(fingerprint: Array(team)) : nil
                guard let identity, let bundleID = try? BundleID(validating: row["bundle"] as String) else { continue }
                apps.insert(AppIdentity(bundleID: bundleID, team: identity))
            }
            return apps
        }
    }

    func set(_ app: AppIdentity, off: Bool) throws {
        try database.writeBlocking { db in
            try db.execute(
                sql: off
                    ? "INSERT OR IGNORE INTO documents_off (team, bundle) VALUES (?, ?)"
                    : "DELETE FROM documents_off WHERE team = ? AND bundle = ?",
                arguments: [Data(app.team.fingerprint), app.bundleID.rawValue])
        }
    }
}
