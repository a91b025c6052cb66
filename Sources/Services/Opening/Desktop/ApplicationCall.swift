package import BatonCore

/// What somebody on the session bus asks of an app, by the interface `org.freedesktop.Application`.
package struct ApplicationCall: Sendable, Hashable {
    package enum Request: Sendable, Hashable {
        case activate
        /// URLs, those of files among them.
        case open([String])
    }

    package let app: BundleID
    package let request: Request
}

/// Performs the calls.
package protocol ApplicationCallHandler: Sendable {
    /// - Throws: what the caller is told.
    func perform(_ call: ApplicationCall) async throws
}
