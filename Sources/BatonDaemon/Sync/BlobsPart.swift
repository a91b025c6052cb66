import BatonCore
import BatonStore
import Sync

/// Contents that are too large for items, for the parts whose data has such, and for the engine.
struct BlobsPart: DaemonPart {
    let blobs: BlobService

    init(_ daemon: DaemonComposition) async throws {
        blobs = try await BlobService(
            database: daemon.database, path: daemon.options.locations.data + "/blobs")
    }
}
