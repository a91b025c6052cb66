public import Foundation

/// An object that shows a file or directory to a person, and so must hear of what others do to it (D-6).
///
/// Register it with `NSFileCoordinator.addFilePresenter(_:)`. All messages come on ``presentedItemOperationQueue``. A
/// presenter that does not answer within 30 s is not waited for any more. All methods have a default, which agrees at
/// once or does nothing.
public protocol NSFilePresenter: AnyObject {
    /// The presented item; nil if it does not exist yet. Read on any thread, when the presenter is added and after each
    /// write of a coordinator of its own.
    var presentedItemURL: URL? { get }
    /// Where the messages come. Best a serial queue of the presenter's own: on the main queue a coordinator that waits
    /// on the main thread waits for itself.
    var presentedItemOperationQueue: OperationQueue { get }
    /// Which attributes ``presentedItemDidChangeUbiquityAttributes(_:)`` is about. None unless given.
    var observedPresentedItemUbiquityAttributes: Set<URLResourceKey> { get }

    /// Another reader or writer is about to read: stop writing and call `reader`, with what to run when the reader is done.
    func relinquishPresentedItem(toReader reader: @escaping @Sendable ((@Sendable () -> Void)?) -> Void)
    /// Another writer is about to write: stop using the file and call `writer`, with what to run when the writer is done.
    func relinquishPresentedItem(toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void)
    /// Write what is not saved, and call the handler. An error ends the other's access.
    func savePresentedItemChanges(completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// As ``savePresentedItemChanges(completionHandler:)``: implement one of the two.
    func savePresentedItemChanges() async throws
    /// The item is about to be deleted or replaced: close it, and call the handler. An error ends the other's access.
    func accommodatePresentedItemDeletion(completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// As ``accommodatePresentedItemDeletion(completionHandler:)``: implement one of the two.
    func accommodatePresentedItemDeletion() async throws
    /// The item is somewhere else now. ``presentedItemURL`` must say so from now on.
    func presentedItemDidMove(to newURL: URL)
    /// The item's content or attributes have changed. Not all programs coordinate: compare modification dates.
    func presentedItemDidChange()
    /// Whether the item is downloaded, uploaded and so on has changed.
    func presentedItemDidChangeUbiquityAttributes(_ attributes: Set<URLResourceKey>)

    /// The item has a new version: the current one, if it is no conflict.
    func presentedItemDidGain(_ version: NSFileVersion)
    /// A version of the item is gone.
    func presentedItemDidLose(_ version: NSFileVersion)
    /// A person or program has decided about a conflict version of the item.
    func presentedItemDidResolveConflict(_ version: NSFileVersion)

    /// Something in the presented directory is about to be deleted or replaced.
    func accommodatePresentedSubitemDeletion(
        at url: URL, completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// As ``accommodatePresentedSubitemDeletion(at:completionHandler:)``: implement one of the two.
    func accommodatePresentedSubitemDeletion(at url: URL) async throws
    /// Something new is in the presented directory.
    func presentedSubitemDidAppear(at url: URL)
    /// Something in the presented directory is somewhere else now.
    func presentedSubitem(at oldURL: URL, didMoveTo newURL: URL)
    /// Something in the presented directory has changed. By default a package's presenter is sent
    /// ``presentedItemDidChange()``.
    func presentedSubitemDidChange(at url: URL)
    /// Something in the presented directory has a new version.
    func presentedSubitem(at url: URL, didGain version: NSFileVersion)
    /// A version of something in the presented directory is gone.
    func presentedSubitem(at url: URL, didLose version: NSFileVersion)
    /// A person or program has decided about a conflict version of something in the presented directory.
    func presentedSubitem(at url: URL, didResolve version: NSFileVersion)
}

extension NSFilePresenter {
    /// None.
    public var observedPresentedItemUbiquityAttributes: Set<URLResourceKey> { [] }

    /// Agrees at once.
    public func relinquishPresentedItem(toReader reader: @escaping @Sendable ((@Sendable () -> Void)?) -> Void) {
        reader(nil)
    }

    /// Agrees at once.
    public func relinquishPresentedItem(toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void) {
        writer(nil)
    }

    /// Calls ``savePresentedItemChanges()``.
    public func savePresentedItemChanges(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        AsyncWitness.answer(completionHandler) { [presenter = self as any NSFilePresenter] in
            try await presenter.savePresentedItemChanges()
        }
    }

    /// Has nothing to save.
    public func savePresentedItemChanges() async throws {}

    /// Calls ``accommodatePresentedItemDeletion()``.
    public func accommodatePresentedItemDeletion(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        AsyncWitness.answer(completionHandler) { [presenter = self as any NSFilePresenter] in
            try await presenter.accommodatePresentedItemDeletion()
        }
    }

    /// Agrees at once.
    public func accommodatePresentedItemDeletion() async throws {}

    /// Does nothing.
    public func presentedItemDidMove(to newURL: URL) {}
    /// Does nothing.
    public func presentedItemDidChange() {}
    /// Does nothing.
    public func presentedItemDidChangeUbiquityAttributes(_ attributes: Set<URLResourceKey>) {}

    /// Does nothing.
    public func presentedItemDidGain(_ version: NSFileVersion) {}
    /// Does nothing.
    public func presentedItemDidLose(_ version: NSFileVersion) {}
    /// Does nothing.
    public func presentedItemDidResolveConflict(_ version: NSFileVersion) {}
    /// Does nothing.
    public func presentedSubitem(at url: URL, didGain version: NSFileVersion) {}
    /// Does nothing.
    public func presentedSubitem(at url: URL, didLose version: NSFileVersion) {}
    /// Does nothing.
    public func presentedSubitem(at url: URL, didResolve version: NSFileVersion) {}

    /// Calls ``accommodatePresentedSubitemDeletion(at:)``.
    public func accommodatePresentedSubitemDeletion(
        at url: URL, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        AsyncWitness.answer(completionHandler) { [presenter = self as any NSFilePresenter] in
            try await presenter.accommodatePresentedSubitemDeletion(at: url)
        }
    }

    /// Agrees at once.
    public func accommodatePresentedSubitemDeletion(at url: URL) async throws {}

    /// Treats it as a change.
    public func presentedSubitemDidAppear(at url: URL) { presentedSubitemDidChange(at: url) }
    /// Treats it as a change of what it was and of what it is.
    public func presentedSubitem(at oldURL: URL, didMoveTo newURL: URL) { presentedSubitemDidChange(at: newURL) }

    /// Treats it as a change of the package, if it is one.
    public func presentedSubitemDidChange(at url: URL) {
        guard let own = presentedItemURL, CoordinationPaths.isPackage(own.path) else { return }
        presentedItemDidChange()
    }
}
