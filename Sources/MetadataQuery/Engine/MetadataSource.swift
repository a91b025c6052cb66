/// Where a query's items come from: the daemon, or a test.
package protocol MetadataSource: Sendable {
    /// Begins to report the items of some scopes, in order, on any thread but never from within this call.
    ///
    /// - Parameter scopes: empty for everything that the app may see.
    /// - Returns: what ends the reports. One may still come while it is being cancelled.
    func observe(
        _ scopes: [MetadataScope], report: @escaping @Sendable (MetadataReport) -> Void
    ) -> any MetadataObservation
}

/// A ``MetadataSource`` at work.
package protocol MetadataObservation: Sendable {
    func cancel()
}

/// A report of a source.
package enum MetadataReport: Hashable, Sendable {
    /// Items that are new, or have changed. Each is given whole.
    case updated([MetadataRecord])
    /// Items that exist no more, by their identifier.
    case removed([String])
    /// All items that existed at first have been reported.
    case gathered
    /// The source lost its place, e.g. because the daemon was restarted: all items are reported again, up to the next
    /// `gathered`. Items that are not among them exist no more.
    case restarted
}
