import Foundation

extension UIDocument: DocumentHost {
    nonisolated var filePresenter: any NSFilePresenter { self }

    nonisolated func readDocument(from url: URL, type: String?) throws { try read(from: url) }

    func type(at url: URL) -> String? { core.environment.type(url) }

    func autosaveByItself(_ answer: @escaping DocumentCore.MethodEnd) {
        // Ends with the app's method. The form with a handler is called by the other one, so either may be the app's.
        Task.immediate { answer(await autosave() ? .succeeded : .failed(nil)) }
    }

    func saveByItself(_ answer: @escaping DocumentCore.MethodEnd) {
        // As above.
        Task.immediate { answer(await save(to: fileURL, for: .forOverwriting) ? .succeeded : .failed(nil)) }
    }

    func prepareWriting(
        to url: URL, creating: Bool, _ target: DocumentCore.Target?
    ) throws -> @Sendable (URL) throws -> Void {
        let operation: SaveOperation = creating ? .forCreating : .forOverwriting
        let type = creating ? core.environment.type(url) ?? savingFileType : savingFileType
        // Handed to the background, and not used here any more.
        nonisolated(unsafe) let contents = try contents(forType: type ?? "public.data")
        nonisolated(unsafe) let attributes = try fileAttributesToWrite(to: url, for: operation)
        return { url in
            try self.writeContents(contents, andAttributes: attributes, safelyTo: url, for: operation)
        }
    }

    func willRevert() {
        disableEditing()
        forgetUndo()
    }

    func didRevert() { enableEditing() }

    func coreDidChange() {
        follow(snapshot.transfer)
        activity.follow(snapshot, core.environment, title: localizedName, for: self)
        if snapshot.isOpen, let expected = DocumentContinuation.take(openedAt: fileURL) {
            restoreUserActivityState(expected)
        }
        let state = documentState
        guard state != lastState else { return }
        lastState = state
        NotificationCenter.default.post(name: Self.stateChangedNotification, object: self)
    }

    func coreDidFail(_ error: any Error) {
        let isPermitted = !core.environment.isInBackground()
        if isPermitted { note(shown: error) }
        handleError(error, userInteractionPermitted: isPermitted)
    }

    func appWasLeft() {
        for error in takeShown() { userInteractionNoLongerPermitted(forError: error) }
    }
}
