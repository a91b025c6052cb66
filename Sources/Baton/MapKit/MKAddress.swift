public import Foundation

/// An address as text. MapKit's.
public final class MKAddress: NSObject, Sendable {
    /// The whole address on one line.
    public let fullAddress: String
    /// The street, or another short form for a person who knows the town.
    public let shortAddress: String?

    /// An address; nil for an empty one.
    public init?(fullAddress: String, shortAddress: String?) {
        guard !fullAddress.isEmpty else { return nil }
        self.fullAddress = fullAddress
        self.shortAddress = shortAddress
        super.init()
    }
}
