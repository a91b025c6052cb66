import Foundation

extension NSDocument: DocumentHost {
    nonisolated var filePresenter: any NSFilePresenter { self }

    nonisolated func readDocument(from url: URL, type: String?) throws {
        let type = type ?? fileType ?? core.environment.type(url)
        try MainQueue.sync {
            try self.core.load { try self.read(from: url, ofType: type ?? "public.data") }
        }
    }

    /// The type does not change with the name of the file, unless the app says so.
    func type(at url: URL) -> String? { fileType ?? core.environment.type(url) }

    func autosaveByItself(_ answer: @escaping DocumentCore.MethodEnd) {
        // Ends with the app's method. The form with a handler is called by the other one, so either may be the app's.
        Task.immediate {
            do {
                try await autosave(withImplicitCancellability: true)
                answer(.succeeded)
            } catch { answer(.failed(error)) }
        }
    }

    func saveByItself(_ answer: @escaping DocumentCore.MethodEnd) {
        guard let fileURL else { return answer(.failed(CocoaError(.fileWriteUnknown))) }
        let type = type(at: fileURL) ?? "public.data"
        // As above.
        Task.immediate {
            do {
                try await save(to: fileURL, ofType: type, for: .autosaveInPlaceOperation)
                answer(.succeeded)
            } catch { answer(.failed(error)) }
        }
    }

    func prepareWriting(
        to url: URL, creating: Bool, _ target: DocumentCore.Target?
    ) throws -> @Sendable (URL) throws -> Void {
        let type = target?.type ?? (creating ? core.environment.type(url) ?? fileType : fileType)
        let named = target?.operation.flatMap(SaveOperationType.init(rawValue:))
        let operation = named ?? (creating ? .saveAsOperation : .saveOperation)
        return { url in try self.write(safelyTo: url, type ?? "public.data", operation) }
    }

    /// In the background, under a claim: beside its place, and then in its place.
    nonisolated func write(safelyTo url: URL, _ type: String, _ operation: SaveOperationType) throws {
        let target = url.resolvingSymlinksInPath()
        let temporary = target.deletingLastPathComponent().appendingPathComponent(
            ".baton-save-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: temporary) }
        let original = FileManager.default.fileExists(atPath: target.path) ? target : nil
        // As ``DocumentReplacement`` takes them; they go to it alone.
        nonisolated(unsafe) var attributes: [String: Any] = [:]
        try MainQueue.sync {
            try self.write(to: temporary, ofType: type, for: operation, originalContentsURL: original)
            attributes = try self.fileAttributesToWrite(
                to: temporary, ofType: type, for: operation, originalContentsURL: original)
        }
        try DocumentReplacement.put(temporary, at: target, attributes: attributes)
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

extension NSDocument {
    func saveCopy(
        _ url: URL, _ type: String, _ completion: @escaping @MainActor @Sendable ((any Error)?) -> Void
    ) {
        let access = DocumentFileAccess(runtime: core.environment.coordination(), host: nil)
        let end = core.environment.keepRunning()
        core.fileQueue.async {
            let result = Result {
                try access.write(url, known: nil, isCreating: true) { url in
                    try self.write(safelyTo: url, type, .saveToOperation)
                }
            }
            MainQueue.async {
                if case .failure(let error) = result { completion(error) } else { completion(nil) }
                end()
            }
        }
    }

    func perform(_ request: DocumentStateMachine.Request, _ target: DocumentCore.Target? = nil) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            core.request(request, target) { error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }
}
