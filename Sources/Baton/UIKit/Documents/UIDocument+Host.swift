import Foundation

extension UIDocument: DocumentHost {
    nonisolated var filePresenter: any NSFilePresenter { self }

    nonisolated func readDocument(from url: URL) throws { try read(from: url) }

    func prepareWriting(to url: URL, creating: Bool) throws -> @Sendable (URL) throws -> Void {
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
