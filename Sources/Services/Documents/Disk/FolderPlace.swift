import BatonCore
import Foundation
import Glibc

/// Where a folder of the person may be. Blocks.
enum FolderPlace {
    /// - Parameters:
    ///   - path: absolute.
    ///   - makes: makes the folder where there is none.
    ///   - others: folders that it must neither be in nor hold.
    /// - Returns: the path without links.
    static func prepare(_ path: String, makes: Bool, apartFrom others: [String]) throws(BatonError) -> String {
        guard path.hasPrefix("/"), path.utf8.count <= 4096, !path.utf8.contains(0),
            !path.split(separator: "/").contains("..")
        else {
            throw BatonError(.invalidArgument, reason: "bad_path", "The folder must be an absolute path without “..”.")
        }
        if makes {
            var parent = ""
            for part in path.split(separator: "/") {
                parent += "/" + part
                mkdir(parent, 0o755)
            }
        }
        guard let place = resolved(path) else {
            throw BatonError(
                .notFound, reason: "no_folder", "There is no folder “\(path)”, or you may not read it. Make it first.")
        }
        let attributes = (try? FileManager.default.attributesOfItem(atPath: place)) ?? [:]
        guard attributes[.type] as? FileAttributeType == .typeDirectory else {
            throw BatonError(.invalidArgument, reason: "no_folder", "“\(path)” is not a folder.")
        }
        guard (attributes[.ownerAccountID] as? NSNumber)?.uint32Value == geteuid(),
            access(place, R_OK | W_OK | X_OK) == 0
        else {
            throw BatonError(
                .permissionDenied, reason: "not_your_folder",
                "“\(path)” does not belong to you, or you may not write to it. Choose a folder of your own.")
        }
        for other in others {
            let other = resolved(other) ?? other
            guard place != other, !place.hasPrefix(other + "/"), !other.hasPrefix(place == "/" ? place : place + "/")
            else {
                let finding =
                    place == other
                    ? "Baton keeps “\(path)” already: “baton folder list” shows your folders."
                    : "“\(path)” is in “\(other)”, or holds it, which Baton keeps by itself."
                throw BatonError(
                    .invalidArgument, reason: "folder_overlaps", "\(finding) Choose another folder.")
            }
        }
        return place
    }

    /// A folder that only receives begins empty.
    static func checkIsEmpty(_ path: String) throws(BatonError) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [path]
        let own = [IgnoreRules.folderMarkName, IgnoreRules.revertedName]
        guard names.allSatisfy(own.contains) else {
            throw BatonError(
                .failedPrecondition, reason: "folder_not_empty",
                "“\(path)” is not empty, and its contents would not be sent. Choose an empty folder, or leave out --read-only."
            )
        }
    }

    private static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(validatingCString: real)
    }
}
