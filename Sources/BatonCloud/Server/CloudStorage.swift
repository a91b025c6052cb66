import BatonCore
import Logging
import NIOPosix

/// The drivers that a server's options name.
struct CloudStorage: Sendable {
    let items: any ItemStore
    let blobs: any BlobStore
    /// Throws when a database does not answer, or has no room for what it was last asked to write, or the
    /// folder's disk is full.
    let checkAnswers: @Sendable () async throws -> BatonError?
    /// Blocks.
    private let closeItems: @Sendable () -> Void
    private let closeBlobs: @Sendable () async -> Void

    /// Blocks until the databases answer.
    /// - Parameters:
    ///   - relay: receives the events of other nodes.
    ///   - shortage: of the folder's disk.
    init(
        options: CloudServer.Options, threads: NIOThreadPool, hub: ChangeHub, relay: NodeEventRelay,
        shortage: SpaceShortage, logger: Logger
    ) async throws {
        if options.databases.isEmpty {
            let store = try SQLiteItemStore(
                path: CloudServer.databasePath(in: options.data), rules: options.rules,
                reserve: DiskReserve(path: options.data + "/reserve"),
                registered: RegisteredMark(folder: options.data), observer: { hub.publish($0, $1) })
            items = store
            checkAnswers = {
                try await store.checkAnswers()
                // Before a write has failed, too: as a server that starts on a full disk.
                try await threads.runIfActive {
                    try DiskRoom.check(Int(clamping: options.limits.batchBytes), in: options.data)
                }
                try await shortage.check {
                    try await threads.runIfActive {
                        try DiskRoom.find(Int(clamping: options.limits.blobBytes), at: options.data + "/room")
                    }
                }
                return nil
            }
            closeItems = { try? store.close() }
        } else {
            var stores: [PostgreSQLItemStore] = []
            do {
                for (index, location) in options.databases.enumerated() {
                    let place = options.databases.count > 1 ? index + 1 : nil
                    try await PostgreSQLStart.wait(for: location, place: place) {
                        logger.notice("Waiting for the database", metadata: ["database": "\(index + 1)"])
                    }
                    let store = try PostgreSQLStart.explaining(blocking: location, place: place) {
                        () throws(BatonError) -> PostgreSQLItemStore in
                        try PostgreSQLItemStore(
                            location: location, place: place, rules: options.rules, observer: { hub.publish($0, $1) },
                            news: { relay.hear($0) })
                    }
                    stores.append(store)
                }
                let store = try ShardedItemStore(stores)
                items = store
                checkAnswers = { try await store.checkAnswers() }
                closeItems = { store.close() }
            } catch {
                for store in stores { store.close() }
                throw error
            }
        }
        do {
            if let (location, credentials) = options.objects {
                let store = S3BlobStore(location, credentials, clock: options.rules.clock)
                blobs = store
                closeBlobs = { await store.close() }
                do {
                    try await store.check {
                        logger.notice("Waiting for the bucket", metadata: ["host": "\(location.host)"])
                    }
                } catch {
                    await store.close()
                    throw error
                }
            } else {
                blobs = try DirectoryBlobStore(directory: options.data + "/blobs", threads: threads)
                closeBlobs = {}
            }
        } catch {
            closeItems()
            throw error
        }
    }

    /// Ends all access, after what is under way. Blocks.
    func close() async {
        closeItems()
        await closeBlobs()
    }
}
