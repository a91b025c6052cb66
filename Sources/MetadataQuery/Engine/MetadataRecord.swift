package import BatonCore

/// An item that a query may find: a file or directory, whether or not its content is on this device.
package struct MetadataRecord: Hashable, Sendable, PredicateSubject {
    /// The same for as long as the item exists, whatever its name.
    package var id: String
    /// By Apple's names, e.g. `kMDItemFSName`.
    package var attributes: [String: PropertyValue]

    package init(id: String, attributes: [String: PropertyValue]) {
        self.id = id
        self.attributes = attributes
    }

    package func value(forAttribute name: String) -> PropertyValue? { attributes[name] }
    package var ownValue: PropertyValue? { nil }
}
