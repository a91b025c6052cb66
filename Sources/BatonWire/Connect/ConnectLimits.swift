/// Bounds on what one call may carry, in bytes. Each is enforced while reading, before anything is kept.
package struct ConnectLimits: Sendable {
    /// Limit of one message, unary or in a stream.
    package var maximumMessageSize: Int

    package init(maximumMessageSize: Int) { self.maximumMessageSize = maximumMessageSize }

    /// 4 MiB: room for the largest payload and its wrapping.
    package static let standard = ConnectLimits(maximumMessageSize: 4 << 20)
    /// 64 KiB: before anybody is authenticated.
    package static let unauthenticated = ConnectLimits(maximumMessageSize: 64 << 10)
}
