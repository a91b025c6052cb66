/// Where a query searches.
package enum MetadataScope: Hashable, Sendable {
    /// `Documents` of the app's containers.
    case ubiquitousDocuments
    /// Everything else in them.
    case ubiquitousData
    /// Documents of other apps' containers that the app was let into.
    case accessibleUbiquitousExternalDocuments
    /// An absolute path, with everything below it.
    case directory(String)
}
