import Dispatch
import FileCoordination
public import Foundation
import Synchronization

/// Where a call leaves its error. Foundation on Linux has no such name.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// Reads and writes files so that no two processes do so at once, and presenters hear of it (D-6).
///
/// Readers wait for writers, writers for readers and writers, in the order in which they came. A package counts as one
/// item. A directory and what is in it do not wait for one another, unless the directory is deleted, moved or
/// replaced. A coordinator never waits for itself, nor for one of the same ``purposeIdentifier``.
///
/// The synchronous calls wait, and then run the accessor on the calling thread; access ends when it returns. If it
/// cannot be granted, the accessor is not run, and the error says why: `NSUserCancelledError` after ``cancel()``, a
/// presenter's own error, `EDEADLK` (`NSPOSIXErrorDomain`) for a call that would wait for itself. Never call them on
/// the main thread or on a presenter's queue for long: the presenters there could not answer.
///
/// Files of processes that do not coordinate are not protected. Safe to use from any thread.
//
// @unchecked: what changes is behind a lock. A subclass that stores more must keep that up.
open class NSFileCoordinator: NSObject, @unchecked Sendable {
    private struct State {
        var purpose = "coordinator/" + UUID().uuidString
        /// Requests that wait.
        var pending: Set<CoordinationRequestID> = []
        /// Claims, the newest last, with the paths that items were moved from and to.
        var claims: [Claim] = []
    }

    private let state = Mutex(State())
    private let runtime: FileCoordinationRuntime
    private let presenter: (any NSFilePresenter)?

    /// A coordinator without a presenter.
    public override convenience init() { self.init(filePresenter: nil) }

    /// - Parameter filePresenter: whose accesses these are: it gets no messages of them. Add it first.
    public convenience init(filePresenter: (any NSFilePresenter)?) {
        self.init(filePresenter: filePresenter, runtime: .shared)
    }

    init(filePresenter: (any NSFilePresenter)?, runtime: FileCoordinationRuntime) {
        presenter = filePresenter
        self.runtime = runtime
        super.init()
    }

    // MARK: Presenters

    /// Sends a presenter messages from now on. It is kept until it is removed.
    ///
    /// It returns before other processes know of the presenter. Add it, and read the file with a coordinator
    /// afterwards: a change that this read does not see is one that the presenter hears of.
    open class func addFilePresenter(_ filePresenter: any NSFilePresenter) {
        FileCoordinationRuntime.shared.add(filePresenter)
    }

    /// Sends a presenter no more messages. One may still come that was under way.
    open class func removeFilePresenter(_ filePresenter: any NSFilePresenter) {
        FileCoordinationRuntime.shared.remove(filePresenter)
    }

    /// The presenters of this process, in the order in which they were added.
    open class var filePresenters: [any NSFilePresenter] { FileCoordinationRuntime.shared.presenters }

    /// Coordinators of an app with one identifier never wait for one another. One of its own until it is set. Setting
    /// it for a coordinator that has a presenter, or setting an empty one, is a mistake of the program
    /// (``BatonExceptions``).
    open var purposeIdentifier: String {
        get { state.withLock { $0.purpose } }
        set {
            guard presenter == nil, !newValue.isEmpty else {
                BatonExceptions.raiseInvalidArgument(
                    "The purpose identifier of a coordinator with a presenter cannot be set, and none can be empty.")
                return
            }
            state.withLock { $0.purpose = newValue }
        }
    }

    // MARK: Synchronous access

    /// Reads a file.
    /// - Parameters:
    ///   - outError: gets the error if the accessor is not run.
    ///   - reader: gets the URL to use.
    open func coordinate(
        readingItemAt url: URL, options: ReadingOptions = [], error outError: NSErrorPointer,
        byAccessor reader: (URL) -> Void
    ) {
        wait([(url, .reading(options.intent))], outError) { reader($0[0]) }
    }

    /// Writes a file.
    /// - Parameters:
    ///   - outError: gets the error if the accessor is not run.
    ///   - writer: gets the URL to use.
    open func coordinate(
        writingItemAt url: URL, options: WritingOptions = [], error outError: NSErrorPointer,
        byAccessor writer: (URL) -> Void
    ) {
        wait([(url, .writing(options.purpose))], outError) { writer($0[0]) }
    }

    /// Reads one file and writes another. Both are granted at once.
    open func coordinate(
        readingItemAt readingURL: URL, options readingOptions: ReadingOptions = [], writingItemAt writingURL: URL,
        options writingOptions: WritingOptions = [], error outError: NSErrorPointer,
        byAccessor readerWriter: (URL, URL) -> Void
    ) {
        wait(
            [(readingURL, .reading(readingOptions.intent)), (writingURL, .writing(writingOptions.purpose))], outError
        ) { readerWriter($0[0], $0[1]) }
    }

    /// Writes two files. Both are granted at once.
    open func coordinate(
        writingItemAt url1: URL, options options1: WritingOptions = [], writingItemAt url2: URL,
        options options2: WritingOptions = [], error outError: NSErrorPointer, byAccessor writer: (URL, URL) -> Void
    ) {
        wait([(url1, .writing(options1.purpose)), (url2, .writing(options2.purpose))], outError) {
            writer($0[0], $0[1])
        }
    }

    /// Prepares for many accesses at once: those that the accessor makes with this coordinator are granted without
    /// asking anybody again. The accessor must call its parameter when it is done.
    open func prepare(
        forReadingItemsAt readingURLs: [URL], options readingOptions: ReadingOptions = [],
        writingItemsAt writingURLs: [URL], options writingOptions: WritingOptions = [], error outError: NSErrorPointer,
        byAccessor batchAccessor: (@escaping @Sendable () -> Void) -> Void
    ) {
        let items =
            readingURLs.map { ($0, AccessIntent.Access.reading(readingOptions.intent)) }
            + writingURLs.map { ($0, AccessIntent.Access.writing(writingOptions.purpose)) }
        wait(items, outError) { _ in
            let done = DispatchSemaphore(value: 0)
            let isDone = Atomic(false)
            batchAccessor {
                isDone.store(true, ordering: .releasing)
                done.signal()
            }
            MainQueue.wait(for: done) { isDone.load(ordering: .acquiring) }
        }
    }

    private func wait(
        _ items: [(url: URL, access: AccessIntent.Access)], _ outError: NSErrorPointer, _ accessor: ([URL]) -> Void
    ) {
        do {
            let intents = try CoordinatedAccess.intents(items).get()
            let decided = DispatchSemaphore(value: 0)
            let decision = Mutex<(id: CoordinationRequestID, result: FileCoordinationRuntime.Decision)?>(nil)
            request(intents, parent: HeldClaims.innermost) { id, result in
                decision.withLock { $0 = (id, result) }
                decided.signal()
            }
            // A document that makes way, or saves first, may need this thread for it.
            MainQueue.wait(for: decided) { decision.withLock { $0 != nil } }
            guard let (id, result) = decision.withLock({ $0 }) else { return }
            let access = CoordinatedAccess(urls: items.map(\.url), intents: intents)
            if let error = run(id, access, result, accessor) { throw error }
        } catch {
            outError?.pointee = error as NSError
        }
    }

    // MARK: Asynchronous access

    /// Waits for several files in the background, and then runs the accessor on a queue. All are granted at once.
    /// - Parameter accessor: gets the error if access was not granted. The intents' URLs are the ones to use.
    open func coordinate(
        with intents: [NSFileAccessIntent], queue: OperationQueue,
        byAccessor accessor: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let items = intents.map { (url: $0.url, access: $0.access) }
        switch CoordinatedAccess.intents(items) {
        case .failure(let error): queue.addOperation { accessor(error) }
        case .success(let wanted):
            let access = CoordinatedAccess(urls: items.map(\.url), intents: wanted)
            request(wanted, parent: nil) { [self] id, result in
                queue.addOperation {
                    let error = self.run(id, access, result) { urls in
                        for (intent, url) in zip(intents, urls) { intent.url = url }
                        accessor(nil)
                    }
                    if let error { accessor(error) }
                }
            }
        }
    }

    // MARK: Moves and attributes

    /// Announces a move within an accessor that writes the old URL. If the accessor then moves the file and ends without
    /// ``item(at:didMoveTo:)``, presenters hear of a move all the same, and not of a file that is gone and another one.
    open func item(at oldURL: URL, willMoveTo newURL: URL) {
        guard let source = CoordinationPaths.item(oldURL), let move = AnnouncedMove(from: oldURL, to: newURL) else {
            return
        }
        state.withLock { state in
            guard let last = state.claims.indices.last else { return }
            state.claims[last].announced[source.path] = move
        }
    }

    /// Notifies presenters, within an accessor that writes the old URL, that the item is at the new one now.
    open func item(at oldURL: URL, didMoveTo newURL: URL) {
        guard let source = CoordinationPaths.item(oldURL), let destination = CoordinationPaths.item(newURL) else {
            return
        }
        let id = state.withLock { state -> CoordinationRequestID? in
            guard let last = state.claims.indices.last else { return nil }
            state.claims[last].moved.formUnion([source.path, destination.path])
            return state.claims[last].id
        }
        guard let id else { return }
        runtime.moved(id, from: source.path, to: destination)
    }

    /// Notifies presenters that attributes of the sync have changed.
    open func item(at url: URL, didChangeUbiquityAttributes attributes: Set<URLResourceKey>) {
        guard let item = CoordinationPaths.item(url) else { return }
        runtime.ubiquityAttributesChanged(item, Set(attributes.map(\.rawValue)))
    }

    /// Gives up the calls that wait: they end with `NSUserCancelledError`. Accessors that run are not disturbed.
    open func cancel() {
        for id in state.withLock({ $0.pending }) { runtime.cancel(id) }
    }

    // MARK: Requests

    private func request(
        _ intents: [AccessIntent], parent: CoordinationRequestID?,
        completion: @escaping FileCoordinationRuntime.Completion
    ) {
        runtime.request(
            intents, purpose: purposeIdentifier, presenter: presenter.flatMap { runtime.id(of: $0) }, parent: parent,
            registered: { id in state.withLock { _ = $0.pending.insert(id) } }, completion: completion)
    }

    /// Runs an accessor under its claim, and ends that.
    private func run(
        _ id: CoordinationRequestID, _ access: CoordinatedAccess, _ decision: FileCoordinationRuntime.Decision,
        _ accessor: ([URL]) -> Void
    ) -> NSError? {
        state.withLock { _ = $0.pending.remove(id) }
        let paths: [CoordinatedPath]
        switch decision {
        case .failure(let error): return CoordinationErrors.error(error)
        case .success(let granted): paths = granted
        }
        state.withLock { $0.claims.append(Claim(id: id)) }
        let result = HeldClaims.holding(id) { access.run(paths, accessor) }
        tellAnnounced(id)
        let moved = state.withLock { state in
            defer { state.claims.removeAll { $0.id == id } }
            return state.claims.first { $0.id == id }?.moved ?? []
        }
        switch result {
        case .success(let changes):
            // Presenters have heard of a move already.
            runtime.end(id, changes.filter { !moved.contains($0.path) })
            return nil
        case .failure(let error):
            runtime.end(id, [])
            return error
        }
    }

    /// Moves that were announced and done, and not reported yet.
    private func tellAnnounced(_ id: CoordinationRequestID) {
        let claim = state.withLock { state in state.claims.first { $0.id == id } }
        for (source, move) in claim?.announced ?? [:] where claim?.moved.contains(source) == false && move.isDone {
            item(at: move.source, didMoveTo: move.destination)
        }
    }
}
