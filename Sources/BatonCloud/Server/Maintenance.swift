import BatonConcurrency
import BatonCore
import Logging
import ServiceLifecycle

/// Removes what is not needed any more, a little at a time.
struct Maintenance: Service {
    let store: any ItemStore
    let blobs: CloudBlobs
    let metrics: CloudMetrics
    let logger: Logger

    /// Between two looks, unless a device waits for room.
    private static let interval = Duration.seconds(60)
    private static let blobsAtOnce = 100

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            let wake = Signal()
            try await withThrowingTaskGroup { group in
                group.addTask { for await _ in blobs.released.stream { wake.send() } }
                group.addTask {
                    while true {
                        wake.send()
                        try await Task.sleep(for: Self.interval)
                    }
                }
                group.addTask { for await _ in wake.stream { try await look() } }
                try await group.waitForAll()
            }
        }
    }

    private func look() async throws {
        do {
            while try await store.sweep() { try Task.checkCancellation() }
            while try await blobs.collect(limit: Self.blobsAtOnce) == Self.blobsAtOnce {
                try Task.checkCancellation()
            }
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            metrics.hear(error)
            let reason = (error as? BatonError)?.reason ?? StorageHealth.detail(of: error)
            logger.error("Maintenance failed", metadata: ["reason": "\(reason)"])
        }
    }
}

/// Ends calls of devices that other nodes have revoked.
struct OtherNodes: Service {
    let accounts: CloudAccounts

    func run() async throws { try? await cancelWhenGracefulShutdown { try await accounts.followNews() } }
}

/// Lets subscribers know that their streams are alive.
struct KeepAlive: Service {
    let hub: ChangeHub

    func run() async throws { try? await cancelWhenGracefulShutdown { try await hub.keepAlive() } }
}
