extension NSDocument {
    /// The kind of a change.
    public enum ChangeType: UInt, Sendable {
        /// Something was done.
        case changeDone = 0
        /// Something was undone.
        case changeUndone = 1
        /// The document is as it was saved.
        case changeCleared = 2
        /// Another document's content was read into it.
        case changeReadOtherContents = 3
        /// The changes were saved elsewhere: it is still edited.
        case changeAutosaved = 4
        /// Something was done again.
        case changeRedone = 5
    }

    /// The purpose of a save.
    public enum SaveOperationType: UInt, Sendable {
        /// The document's own file.
        case saveOperation = 0
        /// Another file, which becomes the document's.
        case saveAsOperation = 1
        /// A copy: the document keeps its file.
        case saveToOperation = 2
        /// A copy of what is not saved; not supported here.
        case autosaveElsewhereOperation = 3
        /// The document's own file, by itself.
        case autosaveInPlaceOperation = 4
        /// Another file, by itself, which becomes the document's.
        case autosaveAsOperation = 5
    }
}
