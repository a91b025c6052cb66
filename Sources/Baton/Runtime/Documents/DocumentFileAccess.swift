import Foundation

/// Reads, writes and looks at a document's file, each under a claim of its own. Calls wait.
struct DocumentFileAccess: Sendable {
    /// The file after an access.
    struct Outcome: Sendable {
        var url: URL
        var fingerprint: DocumentFingerprint?
        var modificationDate: Date?
        var isInConflict: Bool
    }

    let runtime: FileCoordinationRuntime
    /// Nil if the document does not hear of its file.
    let host: (any DocumentHost)?
    /// Waits for the content of what is not on this device.
    var makeAvailable: @Sendable (URL) throws -> Void = { _ in }

    private var coordinator: NSFileCoordinator {
        NSFileCoordinator(filePresenter: host?.filePresenter, runtime: runtime)
    }

    func read(_ url: URL, _ body: (URL) throws -> Void) throws -> Outcome {
        // Before the file is claimed: the sync could not write it otherwise.
        try makeAvailable(url)
        var result: Result<Outcome, any Error>?
        var error: NSError?
        coordinator.coordinate(readingItemAt: url, error: &error) { url in
            result = Result {
                // Taken first: what is written meanwhile without coordination counts as a change.
                let outcome = Self.outcome(url)
                try body(url)
                return outcome
            }
        }
        return try Self.decided(result, error)
    }

    /// Without a claim, on this thread, which may be the one that presenters answer on.
    static func readUncoordinated(_ url: URL, _ body: (URL) throws -> Void) throws -> Outcome {
        let outcome = outcome(url)
        try body(url)
        return outcome
    }

    /// - Parameters:
    ///   - known: what was read or written last. If the file is another, it is kept as a version first.
    ///   - isCreating: whether there may be nothing yet.
    func write(
        _ url: URL, known: DocumentFingerprint?, isCreating: Bool, _ body: (URL) throws -> Void
    ) throws -> Outcome {
        var result: Result<Outcome, any Error>?
        var error: NSError?
        let options: NSFileCoordinator.WritingOptions = isCreating ? .forReplacing : []
        coordinator.coordinate(writingItemAt: url, options: options, error: &error) { url in
            result = Result {
                if !isCreating { try Self.keepOther(url, known) }
                try body(url)
                return Self.outcome(url)
            }
        }
        return try Self.decided(result, error)
    }

    /// A file that is about to be overwritten, and was never read, is another's work.
    private static func keepOther(_ url: URL, _ known: DocumentFingerprint?) throws {
        // The file was deleted elsewhere: saving must not bring it back.
        guard let found = DocumentFingerprint(path: url.path) else {
            throw DocumentErrors.cocoa(
                .fileNoSuchFile, "“\(url.lastPathComponent)” was deleted. Save the document elsewhere.", url)
        }
        if let known, found != known {
            _ = try FileVersionStores.shared.add(url, as: url, isConflict: true)
        }
    }

    /// The present content, without waiting for a download.
    func look(_ url: URL) throws -> Outcome {
        var outcome: Outcome?
        var error: NSError?
        let options: NSFileCoordinator.ReadingOptions = [.withoutChanges, .immediatelyAvailableMetadataOnly]
        coordinator.coordinate(readingItemAt: url, options: options, error: &error) { outcome = Self.outcome($0) }
        return try Self.decided(outcome.map { .success($0) }, error)
    }

    private static func decided(_ result: Result<Outcome, any Error>?, _ error: NSError?) throws -> Outcome {
        if let error { throw error }
        guard let result else { throw CocoaError(.userCancelled) }
        return try result.get()
    }

    private static func outcome(_ url: URL) -> Outcome {
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
        let conflicts = NSFileVersion.unresolvedConflictVersionsOfItem(at: url)
        return Outcome(
            url: url, fingerprint: DocumentFingerprint(path: url.path),
            modificationDate: attributes?[.modificationDate] as? Date, isInConflict: conflicts?.isEmpty == false)
    }
}
