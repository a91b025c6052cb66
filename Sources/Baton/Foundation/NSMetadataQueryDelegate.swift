/// Puts other objects and values in the place of a query's. Both methods are optional.
public protocol NSMetadataQueryDelegate: AnyObject {
    /// The object that the query's results hold instead of an item. Called once for each item, on the query's queue.
    func metadataQuery(_ query: NSMetadataQuery, replacementObjectForResultObject result: NSMetadataItem) -> Any

    /// The value that value lists and groups hold instead of an attribute's. Called on the thread that asks for them.
    func metadataQuery(
        _ query: NSMetadataQuery, replacementValueForAttribute attribute: String, value attributeValue: Any
    ) -> Any
}

extension NSMetadataQueryDelegate {
    /// Does nothing.
    public func metadataQuery(
        _ query: NSMetadataQuery, replacementObjectForResultObject result: NSMetadataItem
    ) -> Any { result }

    /// Does nothing.
    public func metadataQuery(
        _ query: NSMetadataQuery, replacementValueForAttribute attribute: String, value attributeValue: Any
    ) -> Any { attributeValue }
}
