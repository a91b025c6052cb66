package import BatonCore
package import BatonTransport

/// A call to an app over the session bus, by the interface `org.freedesktop.Application`.
package struct ApplicationCall: Sendable, Hashable {
    package enum Request: Sendable, Hashable {
        case activate
        /// URLs, those of files among them.
        case open([String])
    }

    package let app: BundleID
    package let request: Request
    /// The process that has the connection from which the call came, as the bus names it; nil for one that has ended or
    /// that the bus does not name.
    package var caller: PeerProcess?
}

/// Performs the calls.
package protocol ApplicationCallHandler: Sendable {
    /// - Throws: the error for the caller.
    func perform(_ call: ApplicationCall) async throws
}
