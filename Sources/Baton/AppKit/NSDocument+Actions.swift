public import Foundation

/// The actions that menus send to a document. There is no panel: the person is asked for a folder as in the share sheet, at the
/// app's terminal or by the daemon, and the document keeps its name there. Errors go to ``NSDocument/presentError(_:)``.
extension NSDocument {
    /// Asks the person for a folder, and saves the document there, which is at its new place from then on. Nothing is written over.
    /// - Parameter sender: not used.
    public func saveAs(_ sender: Any?) { saveWhereAsked("Save", .saveAsOperation) }

    /// Asks the person for a folder, and saves a copy there. Nothing is written over.
    /// - Parameter sender: not used.
    public func saveTo(_ sender: Any?) { saveWhereAsked("Save a copy of", .saveToOperation) }

    /// Shows a copy of the document, by ``duplicate()``.
    /// - Parameter sender: not used.
    public func duplicate(_ sender: Any?) {
        do { try duplicate() } catch { presentError(error) }
    }

    /// Asks the person for a folder, and moves the file there; a document without a file is saved there.
    /// - Parameter sender: not used.
    public func move(_ sender: Any?) { move { _ in } }

    /// As ``move(_:)``.
    /// - Parameter completionHandler: called on the main actor, with whether the file was moved.
    public func move(completionHandler: @escaping @MainActor @Sendable (Bool) -> Void) {
        guard fileURL != nil else { return saveWhereAsked("Save", .saveAsOperation, then: completionHandler) }
        // Ends with the person's answer, and the move.
        Task {
            do {
                guard let place = try await askForPlace("Move", .saveAsOperation) else {
                    return completionHandler(false)
                }
                defer { Self.placesInUse.remove(Self.key(place)) }
                try await move(to: place)
                completionHandler(true)
            } catch {
                presentError(error)
                completionHandler(false)
            }
        }
    }

    /// As ``move(to:completionHandler:)``.
    public func move(to url: URL) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            move(to: url) { error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }

    /// Reads the file again, if the person agrees that the changes made since it was saved are lost. Without changes there is no question.
    /// - Parameter sender: not used.
    public func revertToSaved(_ sender: Any?) {
        guard fileURL != nil, fileType != nil else { return }
        func revert() {
            // The person may have saved the document elsewhere while the question was open.
            guard let fileURL, let fileType else { return }
            do { try self.revert(toContentsOf: fileURL, ofType: fileType) } catch { presentError(error) }
        }
        guard isDocumentEdited else { return revert() }
        let question = PersonQuestion(
            kind: .shareSheet, title: "Lose the changes to “\(displayName ?? "")” since it was saved?",
            options: ["Lose Changes"])
        let presenter = SharingContext(runtime: .current).presenter
        // Ends with the person's answer.
        Task {
            do {
                if try await presenter.ask(question) == .option(0) { revert() }
            } catch {
                presentError(error)
            }
        }
    }

    /// The window of the document that is shown first; nil if it has none.
    public var windowForSheet: NSWindow? { windowControllers.lazy.compactMap(\.window).first }

    /// Has the app use the file while the document does not: after the accesses that were asked for before, and before later ones.
    /// - Parameter block: called on the main actor. It calls the function that it gets when it needs the file no more, on any thread.
    public func performAsynchronousFileAccess(
        _ block: @escaping @MainActor @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        core.fileQueue.async {
            let isOver = DispatchSemaphore(value: 0)
            MainQueue.async { block { isOver.signal() } }
            isOver.wait()
        }
    }

    /// The changes that the content has which is about to be saved: for ``updateChangeCount(withToken:for:)``.
    public func changeCountToken(for saveOperation: SaveOperationType) -> Any { core.update { $0.token() } }

    /// The content that the token stands for was saved. Changes made since then stay unsaved.
    public func updateChangeCount(withToken changeCountToken: Any, for saveOperation: SaveOperationType) {
        guard let token = changeCountToken as? ChangeCounter.Token else {
            BatonExceptions.raiseInvalidArgument("The change count token does not come from changeCountToken(for:).")
            return
        }
        core.update { $0.clear(with: token) }
    }

    /// As ``UIDocument/observe(_:options:changeHandler:)``.
    nonisolated public func observe(
        _ keyPath: KeyPath<NSDocument, NSUserActivity?>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping @Sendable (NSDocument, NSKeyValueObservedChange<NSUserActivity?>) -> Void
    ) -> NSKeyValueObservation { NSKeyValueObservation(activity, self, options, changeHandler) }

    // MARK: Places

    private func saveWhereAsked(
        _ verb: String, _ operation: SaveOperationType,
        then completion: @escaping @MainActor @Sendable (Bool) -> Void = { _ in }
    ) {
        // Ends with the person's answer, and the begin of the save.
        asking = Task {
            do {
                guard let place = try await askForPlace(verb, operation) else { return completion(false) }
                save(to: place, ofType: savedType(for: operation), for: operation) { [weak self] error in
                    Self.placesInUse.remove(Self.key(place))
                    // The core has reported what failed for the document's own file.
                    if let error, operation == .saveToOperation { self?.presentError(error) }
                    // Its file has the name from now on.
                    if error == nil, operation == .saveAsOperation { self?.displayName = nil }
                    completion(error == nil)
                }
            } catch {
                presentError(error)
                completion(false)
            }
        }
    }

    /// Places that documents are about to save or move to: no other document takes the name before the file is there.
    private static var placesInUse: Set<String> = []

    private static func key(_ place: URL) -> String {
        let folder = place.deletingLastPathComponent().resolvingSymlinksInPath().standardizedFileURL
        return folder.appendingPathComponent(place.lastPathComponent).path
    }

    /// - Returns: where nothing is yet, and which is in `placesInUse` from now on; nil if the person wants none of it.
    private func askForPlace(_ verb: String, _ operation: SaveOperationType) async throws -> URL? {
        let runtime = AppRuntime.current
        let tools = runtime.environment.sharing
        let question = PersonQuestion(
            kind: .directory, title: "\(verb) “\(displayName ?? "")” in which folder?",
            suggestion: NSDocumentController.shared.folder(for: self).path)
        guard case .text(let path)? = try await SharingContext(runtime: runtime).presenter.ask(question) else {
            return nil
        }
        let folder = PathArgument.url(path, home: tools.variables()["HOME"])
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let name = fileName(ofType: savedType(for: operation), for: operation)
        let place = try SaveActivity.freePlace(
            for: fileURL.map { verb == "Move" ? $0.lastPathComponent : name } ?? name, in: folder,
            isFree: { !Self.placesInUse.contains(Self.key($0)) })
        Self.placesInUse.insert(Self.key(place))
        return place
    }

    func savedType(for operation: SaveOperationType) -> String {
        fileType ?? writableTypes(for: operation).first ?? "public.data"
    }

    func fileName(ofType type: String, for operation: SaveOperationType) -> String {
        let stem = TemporaryFiles.fileName(displayName, type: .item)
        guard let suffix = fileNameExtension(forType: type, saveOperation: operation), !suffix.isEmpty else {
            return stem
        }
        return "\(stem).\(suffix)"
    }
}
