import Foundation

extension NSDocument: DocumentHost {
    nonisolated var filePresenter: any NSFilePresenter { self }

    nonisolated func readDocument(from url: URL) throws {
        let type = core.environment.type(url)
        try MainQueue.sync {
            try core.load { try read(from: url, ofType: fileType ?? type ?? "public.data") }
        }
    }

    func prepareWriting(to url: URL, creating: Bool) throws -> @Sendable (URL) throws -> Void {
        let type = creating ? core.environment.type(url) ?? fileType : fileType
        let operation: SaveOperationType = creating ? .saveAsOperation : .saveOperation
        return { url in try self.write(safelyTo: url, type ?? "public.data", operation) }
    }

    /// In the background, under a claim: beside its place, and then in its place.
    nonisolated func write(safelyTo url: URL, _ type: String, _ operation: SaveOperationType) throws {
        let target = url.resolvingSymlinksInPath()
        let temporary = target.deletingLastPathComponent().appendingPathComponent(
            ".baton-save-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: temporary) }
        let original = FileManager.default.fileExists(atPath: target.path) ? target : nil
        try MainQueue.sync { try write(to: temporary, ofType: type, for: operation, originalContentsURL: original) }
        try DocumentReplacement.put(temporary, at: target, attributes: nil)
    }

    func appWasLeft() {}

    func willRevert() { forgetUndo() }
    func didRevert() {}

    func coreDidChange() {
        activity.follow(snapshot, core.environment, title: displayName ?? "", for: self)
        for controller in windowControllers { controller.synchronizeWindowTitleWithDocumentName() }
    }

    func coreDidFail(_ error: any Error) { presentError(error) }
}
