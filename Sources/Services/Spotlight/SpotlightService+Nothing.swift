package import BatonCore
import SearchText
import Synchronization

/// Searches without results.
extension SpotlightService {
    /// Letters of a word for which others are offered that are further away than mistyped ones: anything is near a shorter word.
    private static let shortestOffered = 5

    /// Why nothing is found, and what to do, where that is known without a look at each item.
    /// - Parameter search: the one that found nothing.
    package func whyNothing(
        _ text: String, bundleID: BundleID?, _ search: PersonsSearch
    ) async throws -> NothingFound? {
        guard !search.findings.words.isEmpty else {
            return NothingFound(reason: "no_word", message: "There is no word in it. Name one to search for.")
        }
        let summary = try await summary()
        let isLocked = try await isSealing(summary)
        if let bundleID, let app = apps.app(bundleID), apps.hasDocumentsOff(app) {
            return NothingFound(
                reason: "switched_off",
                message:
                    "iCloud is off for \(apps.name(of: app)) on this device, so its documents are not searched. Turn it on with “baton "
                    + "documents on”, then search again.")
        }
        if let why = empty(summary, bundleID) { return isLocked ? Self.locked : why }
        let gone = search.findings.found.first { !$0.isRelated && !canBeOpened($0) }
        if let app = gone?.stored.item.owner.app {
            return NothingFound(
                reason: "app_gone",
                message:
                    "\(apps.name(of: app)) has it, but is not installed, or is in development and does not run. Install or "
                    + "start it, then search again.")
        }
        if let bundleID, try await finds(text, bundleID: nil) {
            return NothingFound(
                reason: "not_in_app",
                message: "\(name(of: bundleID)) has nothing of it, but others have. Search without --app.")
        }
        let parts = QueryParts(text)
        if !parts.quoted.isEmpty || !parts.excluded.isEmpty, try await finds(parts.plain, bundleID: bundleID) {
            let message =
                parts.quoted.isEmpty
                ? "All that has it also has what stands behind a minus. Search without that."
                : "The words are known, but not as they stand in quotes\(parts.excluded.isEmpty ? "" : " or without what has a minus"). "
                    + "Search without \(parts.excluded.isEmpty ? "quotes" : "quotes and minus")."
            return NothingFound(reason: "left_out", message: message)
        }
        if isLocked { return Self.locked }
        if summary.waiting > 0 { return Self.waiting(summary.waiting) }
        return try await unknownWord(search)
    }

    /// Nothing is in the index, or nothing of the app.
    private func empty(_ summary: Summary, _ bundleID: BundleID?) -> NothingFound? {
        let usage = summary.usage.filter { bundleID == nil || $0.owner.app?.bundleID == bundleID }
        guard usage.allSatisfy({ $0.items == 0 }) else { return nil }
        if summary.waiting > 0 { return Self.waiting(summary.waiting) }
        let asked = summary.reindexing.compactMap(\.app).filter { bundleID == nil || $0.bundleID == bundleID }
        if let app = asked.min(by: { $0.bundleID.rawValue < $1.bundleID.rawValue }) {
            return NothingFound(
                reason: "not_indexed_yet",
                message:
                    "The index is new, and \(apps.name(of: app)) has not filled it yet. Start \(apps.name(of: app)), then search "
                    + "again.")
        }
        if let bundleID {
            return NothingFound(
                reason: "nothing_indexed",
                message:
                    "\(name(of: bundleID)) has given nothing to search. “baton index” lists what is searched.")
        }
        return NothingFound(
            reason: "nothing_indexed",
            message:
                "Nothing is indexed yet. Use an app that gives its items to search, or put a document into iCloud Drive, then "
                + "search again.")
    }

    private func name(of bundleID: BundleID) -> String { apps.app(bundleID).map(apps.name) ?? bundleID.rawValue }

    private static func waiting(_ count: Int) -> NothingFound {
        NothingFound(
            reason: "not_indexed_yet",
            message:
                "The index is still being built: \(count == 1 ? "1 change waits" : "\(count) changes wait"). Search again in a moment."
        )
    }

    /// Whether the device is locked, and items are sealed, or wait until it is not.
    private func isSealing(_ summary: Summary) async throws -> Bool {
        guard !isUnlocked() else { return false }
        if try await !journal.sealedUsage().isEmpty { return true }
        return summary.waiting > 0 ? try await journal.waitingOwners().isEmpty : false
    }

    private static let locked = NothingFound(
        reason: "locked",
        message:
            "The device is locked, and some of what apps have is sealed. Unlock it with “baton unlock”, then search again."
    )

    /// Whether all of the words are found.
    private func finds(_ text: String, bundleID: BundleID?) async throws -> Bool {
        try await find(text, scope(bundleID: bundleID?.rawValue), isTyping: false, limit: 0).found
            .contains { !$0.isRelated && canBeOpened($0) }
    }

    private func unknownWord(_ search: PersonsSearch) async throws -> NothingFound? {
        guard let unknown = search.findings.words.first(where: { !$0.isStopWord && $0.documents == 0 }) else {
            return nil
        }
        let letters = unknown.word.unicodeScalars.count
        var nearest: [String] = []
        if letters >= Self.shortestOffered {
            let generation = state.withLock { $0.generation }
            let distance = Vocabulary.distance(letters) + 1
            nearest = try await file.read { [self] db in
                try vocabulary(db, generation).nearest(to: Array(unknown.word.utf8), distance: distance)
                    .map { String(decoding: $0.word, as: UTF8.self) }
            }
        }
        let word = unknown.word.prefix(60)
        let offered = nearest.map { "“\($0.prefix(60))”" }.joined(separator: ", ")
        return NothingFound(
            reason: "unknown_word",
            message: nearest.isEmpty
                ? "Nothing has the word “\(word)”. Search for another word."
                : "Nothing has the word “\(word)”. Did you mean \(offered)?",
            words: nearest)
    }
}
