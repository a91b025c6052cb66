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
        let wrapper = try fileWrapper(ofType: type ?? "public.data")
        return { url in
            let target = url.resolvingSymlinksInPath()
            let temporary = target.deletingLastPathComponent().appendingPathComponent(
                ".baton-save-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: temporary) }
            try wrapper.write(to: temporary, originalContentsURL: target)
            try DocumentReplacement.put(temporary, at: target, attributes: nil)
        }
    }

    func willRevert() { forgetUndo() }
    func didRevert() {}

    func coreDidChange() {
        activity.follow(snapshot, core.environment, title: displayName ?? "", for: self)
        for controller in windowControllers { controller.synchronizeWindowTitleWithDocumentName() }
    }

    func coreDidFail(_ error: any Error) { _ = presentError(error) }
}
