public import Foundation
import Synchronization

/// Operations that belong together. CloudKit's: accepted, and of no effect.
//
// @unchecked: set before it is given away, as on Apple's systems.
open class CKOperationGroup: NSObject, @unchecked Sendable {
    /// Names the group.
    public let operationGroupID = UUID().uuidString
    /// For people.
    open var name: String?
    /// How many operations are to come.
    open var quantity = 0
    /// How much is to be sent. Not used.
    open var expectedSendSize = TransferSize.unknown
    /// How much is to be fetched. Not used.
    open var expectedReceiveSize = TransferSize.unknown
    /// How its operations are made.
    open var defaultConfiguration = CKOperation.Configuration()
    /// A group without a name.
    public override init() { super.init() }

    /// About how much a group transfers. CloudKit's.
    public enum TransferSize: Int, Sendable {
        /// The size is unknown, or so many bytes.
        case unknown = 0
        /// So many bytes.
        case kilobytes, megabytes, tensOfMegabytes, hundredsOfMegabytes, gigabytes, tensOfGigabytes, hundredsOfGigabytes
    }
}

/// Work on a container that can wait its turn, depend on other work, and be cancelled. CloudKit's.
///
/// Its blocks are called on the operation's own thread, one after the other: the last of them is the one of the whole result. Set them
/// before the operation is added. Like any `Operation` it can be given to a queue of the app's own.
//
// @unchecked: set before it is added, as on Apple's systems; what changes later lies behind a lock.
open class CKOperation: Operation, @unchecked Sendable {
    /// Names an operation.
    public typealias ID = String

    /// How an operation is done. CloudKit's.
    //
    // @unchecked: set before it is given away, as on Apple's systems.
    open class Configuration: NSObject, @unchecked Sendable {
        /// Not used: the daemon is on this device.
        open var allowsCellularAccess = true
        /// Not used.
        open var isLongLived = false
        /// Not used: it follows `qualityOfService` of the operation.
        open var qualityOfService = QualityOfService.default
        /// Not used: the daemon is on this device, and a call that it does not answer within 30 s ends with `CKError.networkFailure`.
        open var timeoutIntervalForRequest: TimeInterval = 60
        /// Not used.
        open var timeoutIntervalForResource: TimeInterval = 604_800
        /// The container of an operation that is in none.
        open var container: CKContainer?
        /// The work that CloudKit does by itself.
        public override init() { super.init() }
    }

    /// Names this operation.
    public let operationID: CKOperation.ID = UUID().uuidString
    /// How it is done.
    open var configuration = CKOperation.Configuration()
    /// To what it belongs.
    open var group: CKOperationGroup?
    /// Not called: the daemon has what was saved when it has answered, and sends it whether the app runs or not.
    @preconcurrency
    open var longLivedOperationWasPersistedBlock: @Sendable () -> Void = {}
    private let state = Mutex(State())

    private struct State {
        var task: Task<Void, Never>?
        var isCancelled = false
        /// The work has begun, or it was reported that it never will.
        var isBegun = false
    }

    /// An operation of the default configuration.
    public override init() { super.init() }

    /// The work, whose end is reported by blocks.
    func perform() async {}

    /// It was cancelled before it had begun, or cannot begin.
    func fail(_ error: CKError) {}

    /// Begins the operation, or reports that it was cancelled before. Called by the queue.
    open override func start() {
        // Foundation never calls `main()` of such an operation, and code waits for its blocks.
        if isCancelled { failUnlessBegun() }
        super.start()
        // It may have been cancelled in between.
        if isCancelled { failUnlessBegun() }
    }

    private func failUnlessBegun() {
        let isFirst = state.withLock { state in
            defer { state.isBegun = true }
            return !state.isBegun
        }
        if isFirst { fail(Self.cancelled) }
    }

    /// Runs the operation on this thread. Called by the queue.
    open override func main() {
        guard !isCancelled else { return failUnlessBegun() }
        state.withLock { $0.isBegun = true }
        let thread = OperationThread()
        // Ends before this method does, which runs it here.
        let work = Task(executorPreference: thread) {
            await self.perform()
            thread.end()
        }
        let isCancelled = state.withLock { state in
            state.task = work
            return state.isCancelled
        }
        if isCancelled { work.cancel() }
        thread.run()
    }

    /// Ends the operation early, with `CKError.operationCancelled`: what was begun may have been done. An operation that waits in a
    /// queue reports it when its turn comes.
    open override func cancel() {
        super.cancel()
        state.withLock { state in
            state.isCancelled = true
            return state.task
        }?.cancel()
    }

    static var cancelled: CKError {
        CKError(.operationCancelled, "The operation was cancelled. Requests already sent may have been carried out.")
    }
}

/// An operation on a database. CloudKit's.
open class CKDatabaseOperation: CKOperation, @unchecked Sendable {
    /// The database; where the app sets none, that which it was added to, else the default container's private one.
    open var database: CKDatabase?

    var target: CKDatabase { database ?? (configuration.container ?? .default()).privateCloudDatabase }

    /// Whether the app has cancelled it.
    func checkCancellation() throws(CKError) {
        if isCancelled { throw Self.cancelled }
    }
}
