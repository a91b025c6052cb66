import Dispatch
package import MetadataQuery
import Synchronization

/// Where queries of this process find items.
package enum MetadataSources {
    /// The connection to the daemon sets it before the app's first query. Until then nothing is found.
    package static var current: any MetadataSource {
        get { source.withLock { $0 } }
        set { source.withLock { $0 = newValue } }
    }

    private static let source = Mutex<any MetadataSource>(EmptyMetadataSource())
}

/// Has no items.
struct EmptyMetadataSource: MetadataSource {
    private struct Observation: MetadataObservation {
        func cancel() {}
    }

    func observe(
        _ scopes: [MetadataScope], report: @escaping @Sendable (MetadataReport) -> Void
    ) -> any MetadataObservation {
        DispatchQueue.global().async { report(.gathered) }
        return Observation()
    }
}
