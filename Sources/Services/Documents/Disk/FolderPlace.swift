import BatonCore
import Files
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
        // Before anything is made: a folder that is refused is not to come into another one.
        try check(RealPath.resolvedAsFarAsItExists(path), given: path, apartFrom: others)
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
        try check(place, given: path, apartFrom: others)
        return place
    }

    private static func check(_ place: String, given path: String, apartFrom others: [String]) throws(BatonError) {
        func isBelow(_ one: String, _ other: String) -> Bool { one.hasPrefix(other == "/" ? other : other + "/") }
        for other in others {
            let other = resolved(other) ?? other
            let finding: String
            if place == other {
                finding =
                    "Baton keeps “\(path)” already: “baton folder list” shows your folders. Choose another folder."
            } else if isBelow(place, other) {
                finding = "“\(path)” is in “\(other)”, which is one of Baton's folders. Choose a folder outside of it."
            } else if isBelow(other, place) {
                finding = "“\(path)” holds “\(other)”, which is one of Baton's folders. Choose a folder that does not."
            } else {
                continue
            }
            throw BatonError(.invalidArgument, reason: "folder_overlaps", finding)
        }
    }

    /// A folder that only receives begins empty.
    static func checkIsEmpty(_ path: String) throws(BatonError) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [path]
        let own = [IgnoreRules.folderMarkName, IgnoreRules.revertedName, IgnoreRules.lostAndFoundName]
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
