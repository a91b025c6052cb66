import AppLink
import Foundation

/// The document of UIKit or of AppKit, as ``DocumentCore`` uses it.
@MainActor
protocol DocumentHost: AnyObject, Sendable {
    /// Reads the file, in the background, while the file is the document's to read.
    /// - Parameter type: the one that the app has named; nil for the file's.
    nonisolated func readDocument(from url: URL, type: String?) throws

    /// Takes what is to be written, at once.
    /// - Parameter target: what the app has named; nil where it has named nothing.
    /// - Returns: writes it, in the background, while the file is the document's to write.
    func prepareWriting(
        to url: URL, creating: Bool, _ target: DocumentCore.Target?
    ) throws -> @Sendable (URL) throws -> Void

    /// The type of the document's file, which is at a URL now.
    func type(at url: URL) -> String?

    /// Calls the document's method that saves what is not saved yet: an app may have one of its own, in either of its forms.
    func autosaveByItself(_ answer: @escaping DocumentCore.MethodEnd)

    /// Calls the document's method that saves to its own file, as ``autosaveByItself(_:)``.
    func saveByItself(_ answer: @escaping DocumentCore.MethodEnd)

    /// Counts what was done in this event as a change: the document is about to be saved, and the event may end only afterwards.
    func endUndoGroup()

    /// Before and after the document is read again.
    func willRevert()
    func didRevert()

    /// The attributes, the flags or whether there are changes may be others now.
    func coreDidChange()

    func coreDidFail(_ error: any Error)

    /// The app was left: no person could see an error.
    func appWasLeft()

    nonisolated var filePresenter: any NSFilePresenter { get }
}

/// The parts of a document that may be used on any thread.
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
    /// How much of its download or upload is done, from 0 to 1; nil while there is none.
    var transfer: DocumentTransfer?
}

/// A download or upload of a document that is under way.
struct DocumentTransfer: Sendable, Equatable {
    var isUpload: Bool
    /// From 0 to 100.
    var percent: Double

    /// Nil for an item that is not on its way, in whole or from now on.
    init?(_ item: UbiquitousItem) {
        if item.isDownloading {
            self.init(isUpload: false, percent: item.downloadedPercent)
        } else if item.isUploading {
            self.init(isUpload: true, percent: item.uploadedPercent)
        } else {
            return nil
        }
    }

    init(isUpload: Bool, percent: Double) {
        self.isUpload = isUpload
        self.percent = percent
    }
}
