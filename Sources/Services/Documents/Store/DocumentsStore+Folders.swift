import BatonCore
import BatonStore
import Foundation
import GRDB

/// Where the person's folders are on this device. Every method blocks.
extension DocumentsStore {
    func folders() throws -> [ContainerName: String] {
        try database.readBlocking { db in
            var folders: [ContainerName: String] = [:]
            for row in try Row.fetchAll(db, sql: "SELECT name, path FROM documents_folder") {
                if let name = ContainerName.folder(row["name"]) { folders[name] = row["path"] }
            }
            return folders
        }
    }

    /// Those that only receive on this device.
    func readOnlyFolders() throws -> Set<ContainerName> {
        try database.readBlocking { db in
            let names = try String.fetchAll(db, sql: "SELECT name FROM documents_folder WHERE read_only")
            return Set(names.compactMap { ContainerName.folder($0) })
        }
    }

    func addFolder(_ name: String, path: String, isReadOnly: Bool) throws {
        try database.writeBlocking { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO documents_folder (name, path, read_only) VALUES (?, ?, ?)",
                arguments: [name, path, isReadOnly])
        }
    }

    /// Forgets the folder, and all that is known of its tree. Files on the disk stay.
    func removeFolder(_ name: ContainerName) throws {
        try database.writeBlocking { db in
            try db.execute(sql: "DELETE FROM documents_folder WHERE name = ?", arguments: [name.folderName])
            try db.execute(
                sql: "DELETE FROM documents_container WHERE team = ? AND identifier = ?",
                arguments: [Data(name.team.fingerprint), name.identifier])
        }
    }
}
