import BatonCore
import Files
import Foundation
import Glibc

/// The directory by which a folder of the person is known, and in which files of its sync wait. Where it is missing the folder is away:
/// its disk is not mounted, say. Every function blocks.
enum FolderMark {
    static func path(in folder: String) -> String { "\(folder)/\(IgnoreRules.folderMarkName)" }

    static func isThere(_ folder: String) -> Bool {
        let attributes = (try? FileManager.default.attributesOfItem(atPath: path(in: folder))) ?? [:]
        return attributes[.type] as? FileAttributeType == .typeDirectory
            && (attributes[.ownerAccountID] as? NSNumber)?.uint32Value == geteuid()
    }

    static func make(in folder: String) throws {
        guard mkdir(path(in: folder), 0o700) == 0 || errno == EEXIST, isThere(folder) else {
            throw DiskFailure("make “\(IgnoreRules.folderMarkName)” in the folder")
        }
    }

    /// - Throws: `failed_precondition` (`folder_away`) where the folder is not.
    static func staging(of folder: String) throws -> String {
        guard isThere(folder) else { throw away(folder) }
        let staging = path(in: folder) + "/staging"
        guard mkdir(staging, 0o700) == 0 || errno == EEXIST else { throw DiskFailure("make the folder's staging") }
        return staging
    }

    static func away(_ folder: String) -> BatonError {
        BatonError(
            .failedPrecondition, reason: "folder_away",
            "The folder “\(folder)” is not there, or something else is. Nothing is deleted on other devices. Mount its disk, or "
                + "leave it with “baton folder leave”.")
    }

    /// Identifies the tree that the folder holds. The roots of two disks may have the same handle, so that is not enough. Nil
    /// where it is not known.
    static func identity(of folder: String) -> Data? {
        guard isThere(folder) else { return nil }
        // Another disk may have anything there: a pipe, or a file of any size.
        return (try? AtomicFile.read(path(in: folder) + "/identity", limit: 64)).flatMap { $0 }.map { Data($0) }
    }

    /// It is durable when this returns: a folder without its identity would be another one.
    static func set(_ identity: Data, of folder: String) throws {
        try AtomicFile.write(Array(identity), to: path(in: folder) + "/identity")
    }

    /// A directory with waiting files stays, and with it the mark.
    static func remove(from folder: String) {
        guard isThere(folder) else { return }
        unlink(path(in: folder) + "/identity")
        // Contents that this device kept for others, which are not among the person's files here.
        try? FileManager.default.removeItem(
            atPath: path(in: folder) + "/staging/" + String(decoding: ContentShelf.name, as: UTF8.self))
        rmdir(path(in: folder) + "/staging")
        rmdir(path(in: folder))
    }
}
