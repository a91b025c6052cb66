import BatonConcurrency
import BatonCore
import FileSync

/// Fetches, stores and keeps a container's large contents: slow work, beside its queue. Its bookkeeping is in the container's
/// ``ContentLedger``, on the queue.
struct ContainerWriter: Sendable {
    let engine: ContainerEngine

    var name: ContainerName { engine.name }
    var row: DocumentsStore.Container { engine.row }
    var ports: ContainerDependencies { engine.ports }
    var io: BlockingQueue { engine.io }
    var shelf: ContentShelf { engine.shelf }
    var flights: KeyedLocks<ContentHash> { engine.flights }
    var keepPermits: AsyncSemaphore { engine.keepPermits }
    var meters: TransferMeters { engine.meters }

    /// Between rounds.
    func perform<Value: Sendable>(
        _ body: @Sendable (isolated ContainerEngine) throws -> Value
    ) async throws -> Value { try await engine.perform(body) }

    func later(_ body: @escaping @Sendable (isolated ContainerEngine) -> Void) { engine.later(body) }

    func later(after delay: Duration, _ body: @escaping @Sendable (isolated ContainerEngine) -> Void) {
        engine.later(after: delay, body)
    }
}
