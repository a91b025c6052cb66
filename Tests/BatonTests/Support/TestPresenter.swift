import Baton
import Foundation
import Synchronization

/// Remembers what it was sent, and answers as the test says.
final class TestPresenter: NSFilePresenter, Sendable {
    let url: Mutex<URL?>
    let presentedItemOperationQueue: OperationQueue
    let messages = Mutex<[String]>([])
    let save = Mutex<(@Sendable () -> (any Error)?)?>(nil)
    private let stream: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init(_ url: URL?) {
        self.url = Mutex(url)
        presentedItemOperationQueue = OperationQueue()
        presentedItemOperationQueue.maxConcurrentOperationCount = 1
        (stream, continuation) = AsyncStream.makeStream()
    }

    var presentedItemURL: URL? { url.withLock { $0 } }

    private func note(_ text: String) {
        messages.withLock { $0.append(text) }
        continuation.yield(text)
    }

    /// Waits for a message.
    func next(_ wanted: String) async {
        for await message in stream where message == wanted { return }
    }

    func relinquishPresentedItem(toReader reader: @escaping @Sendable ((@Sendable () -> Void)?) -> Void) {
        note("reader")
        reader { [self] in note("reader is done") }
    }

    func relinquishPresentedItem(toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void) {
        note("writer")
        writer { [self] in note("writer is done") }
    }

    func savePresentedItemChanges(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        note("save")
        let error = save.withLock { $0 }?()
        completionHandler(error)
        // Only the first answer counts.
        completionHandler(CocoaError(.fileWriteUnknown))
    }

    func accommodatePresentedItemDeletion(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        note("deletion")
        completionHandler(nil)
    }

    func accommodatePresentedSubitemDeletion(
        at url: URL, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        note("deletion of \(url.lastPathComponent)")
        completionHandler(nil)
    }

    func presentedItemDidMove(to newURL: URL) {
        url.withLock { $0 = newURL }
        note("moved to \(newURL.lastPathComponent)")
    }

    func presentedItemDidChange() { note("changed") }
    func presentedSubitemDidAppear(at url: URL) { note("appeared \(url.lastPathComponent)") }
    func presentedSubitem(at oldURL: URL, didMoveTo newURL: URL) {
        note("\(oldURL.lastPathComponent) moved to \(newURL.lastPathComponent)")
    }
    func presentedSubitemDidChange(at url: URL) { note("changed \(url.lastPathComponent)") }
}
