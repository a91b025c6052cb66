import Baton
import Foundation

/// Uses versions of files and item providers by commands in lines; see UbiquityProcessTests of IntegrationTests.
enum Versions {
    /// - Returns: false for a command of another kind.
    static func perform(_ words: [String]) -> Bool {
        guard words.count > 1 else { return false }
        let url = URL(fileURLWithPath: words[1])
        do {
            switch words[0] {
            // PATH
            case "versions":
                // As a program that works with iCloud does, before it asks about its files.
                _ = FileManager.default.url(forUbiquityContainerIdentifier: nil)
                tell(url)
            case "resolve": try change(url) { $0.isResolved = true }
            case "replace":
                try change(url) {
                    try $0.replaceItem(at: url)
                    $0.isResolved = true
                }
            case "remove": try change(url) { try $0.remove() }
            // PATH PATH: keeps the second as a version of the first.
            case "keep":
                let kept = try NSFileVersion.addOfItem(at: url, withContentsOf: URL(fileURLWithPath: words[2]))
                let found = NSFileVersion.version(itemAt: url, forPersistentIdentifier: kept.persistentIdentifier)
                Probe.say("kept \(found.map { text($0.url) } ?? "nothing")")
            case "provide": provide(url)
            default: return false
            }
        } catch let error as NSError {
            Probe.say("failed \(error.domain) \(error.code) \(error.localizedDescription)")
        }
        return true
    }

    private static func text(_ url: URL) -> String { (try? String(contentsOf: url, encoding: .utf8)) ?? "?" }

    private static func tell(_ url: URL) {
        let current = NSFileVersion.currentVersionOfItem(at: url)
        let unresolved = NSFileVersion.unresolvedConflictVersionsOfItem(at: url)
        Probe.say(
            "versions now \(current.map { text($0.url) } ?? "none"), unresolved "
                + (unresolved ?? []).map { "\(text($0.url)) of \($0.localizedNameOfSavingComputer ?? "?")" }
                .joined(separator: ", "))
    }

    /// In a coordinated write, as Apple says.
    private static func change(_ url: URL, _ body: (NSFileVersion) throws -> Void) throws {
        var (failure, result): (NSError?, Result<Void, any Error>) = (nil, .success(()))
        NSFileCoordinator().coordinate(
            writingItemAt: url, options: .contentIndependentMetadataOnly, error: &failure
        ) { url in
            guard let version = NSFileVersion.unresolvedConflictVersionsOfItem(at: url)?.first else {
                return Probe.say("no conflict")
            }
            result = Result {
                try body(version)
                Probe.say("changed, then \(text(url)), left \(unresolvedCount(url))")
            }
        }
        if let failure { throw failure }
        try result.get()
    }

    private static func unresolvedCount(_ url: URL) -> Int {
        NSFileVersion.unresolvedConflictVersionsOfItem(at: url)?.count ?? -1
    }

    /// As an app that is given an item: a copy of the file first, then the file itself, into which it writes.
    private static func provide(_ url: URL) {
        let provider = NSItemProvider(
            contentsOf: url, contentType: .plainText, openInPlace: true, coordinated: true, visibility: .all)
        provider.loadFileRepresentation(forTypeIdentifier: UTType.text.identifier) { copy, error in
            guard let copy else { return Probe.say("no copy: \(error?.localizedDescription ?? "")") }
            try? Data("only in the copy".utf8).write(to: copy)
            Probe.say("copy \(copy.path)")
            inPlace(provider, copy)
        }
    }

    private static func inPlace(_ provider: NSItemProvider, _ copy: URL) {
        provider.loadInPlaceFileRepresentation(forTypeIdentifier: UTType.text.identifier) { file, isInPlace, error in
            guard let file else { return Probe.say("no file: \(error?.localizedDescription ?? "")") }
            let before = text(file)
            var failure: NSError?
            NSFileCoordinator().coordinate(writingItemAt: file, error: &failure) {
                try? Data("written by the taker".utf8).write(to: $0)
            }
            Probe.say("file \(isInPlace) \(before) \(failure == nil)")
        }
    }
}
