public import Foundation
import Synchronization

/// The common part of ``UIDocument`` and ``NSDocument``: a file that others may use and change. Not Apple's, and not to be
/// subclassed by apps.
@MainActor
@preconcurrency
open class PresentedDocument: NSObject, nonisolated NSFilePresenter {
    let core: DocumentCore
    let activity = DocumentActivity()

    /// Public only so that initializers are inherited: apps use the subclasses.
    public init(presentedFileURL: URL?) {
        core = DocumentCore(fileURL: presentedFileURL, environment: .shared)
        super.init()
    }

    nonisolated var snapshot: DocumentSnapshot { core.snapshot.withLock { $0 } }

    /// The file, once it exists.
    nonisolated open var presentedItemURL: URL? { core.snapshot.withLock { $0.fileURL } }
    /// A queue of the document's own.
    nonisolated open var presentedItemOperationQueue: OperationQueue { core.presenterQueue }

    /// Lets a reader in; file accesses that are asked for wait until it is done.
    nonisolated open func relinquishPresentedItem(
        toReader reader: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
    ) {
        MainQueue.async { self.core.relinquish(reader) }
    }

    /// Lets a writer in. If the file is another afterwards it is read again.
    nonisolated open func relinquishPresentedItem(
        toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
    ) {
        MainQueue.async { self.core.relinquish(writer) }
    }

    /// Saves before another reader reads.
    nonisolated open func savePresentedItemChanges(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        MainQueue.async { self.core.request(.saveForOther) { completionHandler($0) } }
    }

    /// Agrees. If the file is gone afterwards the document is closed, and what is not saved stays in memory.
    nonisolated open func accommodatePresentedItemDeletion(
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        MainQueue.async { self.core.input(.hint) }
        completionHandler(nil)
    }

    /// `fileURL` follows.
    nonisolated open func presentedItemDidMove(to newURL: URL) { core.moved(to: newURL) }

    /// Reads the file again if it is another.
    nonisolated open func presentedItemDidChange() { MainQueue.async { self.core.input(.hint) } }

    /// A new current version is read, a conflict is shown in the state.
    nonisolated open func presentedItemDidGain(_ version: NSFileVersion) {
        MainQueue.async { self.core.input(.hint) }
    }

    /// A conflict may be over.
    nonisolated open func presentedItemDidLose(_ version: NSFileVersion) {
        MainQueue.async { self.core.input(.hint) }
    }

    /// A conflict may be over.
    nonisolated open func presentedItemDidResolveConflict(_ version: NSFileVersion) {
        MainQueue.async { self.core.input(.hint) }
    }
}
