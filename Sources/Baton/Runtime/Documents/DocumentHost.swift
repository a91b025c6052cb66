import Foundation

/// The document of UIKit or of AppKit, as ``DocumentCore`` uses it.
@MainActor
protocol DocumentHost: AnyObject, Sendable {
    /// Reads the file, in the background, while the file is the document's to read.
    nonisolated func readDocument(from url: URL) throws

    /// Takes what is to be written, at once.
    /// - Returns: writes it, in the background, while the file is the document's to write.
    func prepareWriting(to url: URL, creating: Bool) throws -> @Sendable (URL) throws -> Void

    /// Before and after the document is read again.
    func willRevert()
    func didRevert()

    /// The attributes, the flags or whether there are changes may be others now.
    func coreDidChange()

    func coreDidFail(_ error: any Error)

    nonisolated var filePresenter: any NSFilePresenter { get }
}

/// What may be asked of a document on any thread.
struct DocumentSnapshot: Sendable, Equatable {
    var fileURL: URL?
    var fileType: String?
    var modificationDate: Date?
    var isOpen = false
    var isInConflict = false
    var hasSavingError = false
    var isEditingDisabled = false
    var isEdited = false
    var isDeleted = false
}
