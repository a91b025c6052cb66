package import MetadataQuery
import Synchronization

/// Where queries of this process find items.
package enum MetadataSources {
    /// The app's containers. A test sets its own.
    package static var current: any MetadataSource {
        get { source.withLock { $0 } }
        set { source.withLock { $0 = newValue } }
    }

    private static let source = Mutex<any MetadataSource>(UbiquityMetadataSource())
}
