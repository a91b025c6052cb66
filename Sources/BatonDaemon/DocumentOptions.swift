import ArgumentParser
import BatonCore
import Handoff

/// The options of `batond` about directories that other devices have too.
struct DocumentOptions: ParsableArguments {
    @Option(
        name: .customLong("document-root"),
        help: ArgumentHelp(
            "This directory has the same files on each device that names it so; may be repeated. URLs of its files in an "
                + "activity name the other device's own file there.", valueName: "name=directory"))
    var roots: [String] = []

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
            parsed.append(root)
        }
        return parsed
    }
}
