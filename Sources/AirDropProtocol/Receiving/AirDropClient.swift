/// The origin of a request, as far as the connection proves it. Nothing in a body does.
package enum AirDropClient: Hashable, Sendable {
    /// The SHA-256 of the certificate with which the client authenticated itself. It may come back on another connection.
    case certificate([UInt8])
    /// A client without a certificate is its connection.
    case connection(ConnectionID)
}

/// One connection to the listener. A later one has a higher number.
package struct ConnectionID: Hashable, Sendable, Comparable {
    package let rawValue: UInt64
    package init(_ rawValue: UInt64) { self.rawValue = rawValue }
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// One `/Ask`. Never used again.
package struct AskID: Hashable, Sendable, Comparable {
    package let rawValue: UInt64
    package init(_ rawValue: UInt64) { self.rawValue = rawValue }
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// One `/Upload`. Never used again.
package struct UploadID: Hashable, Sendable {
    package let rawValue: UInt64
    package init(_ rawValue: UInt64) { self.rawValue = rawValue }
}
