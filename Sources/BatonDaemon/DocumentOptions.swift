import ArgumentParser
import BatonCore
import Foundation
import Handoff

/// The options of `batond` about directories that other devices have too.
struct DocumentOptions: ParsableArguments {
    @Option(
        name: .customLong("document-root"),
        help: ArgumentHelp(
            "This directory has the same files on each device that names it so; may be repeated. URLs of its files in an "
                + "activity name the other device's own file there.", valueName: "name=directory"))
    var roots: [String] = []

    /// Looks whether the directories are there. Blocks, at the start.
    func parse() throws(BatonError) -> [DocumentRoot] {
        var parsed: [DocumentRoot] = []
        for text in roots {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else {
                throw BatonError(
                    .invalidArgument, reason: "invalid_document_root",
                    "“\(text)” is no --document-root: write NAME=DIRECTORY.")
            }
            let root = try DocumentRoot(name: parts[0], directory: parts[1])
            guard !parsed.contains(where: { $0.name == root.name }) else {
                throw BatonError(
                    .invalidArgument, reason: "invalid_document_root",
                    "The document root “\(root.name)” is given twice.")
            }
            var isDirectory: ObjCBool = false
            guard FileManager.default.fileExists(atPath: root.directory, isDirectory: &isDirectory),
                isDirectory.boolValue
            else {
                throw BatonError(
                    .notFound, reason: "document_root_not_found",
                    "There is no directory “\(root.directory)” for the document root “\(root.name)”. Make it, or leave out its --document-root."
                )
            }
            parsed.append(root)
        }
        return parsed
    }
}
