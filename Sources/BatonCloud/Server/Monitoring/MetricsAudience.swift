import HTTPTypes

/// The callers that may read `/metrics`.
package enum MetricsAudience: String, CaseIterable, Sendable {
    /// Callers from this machine, by its loopback.
    case local
    /// Everybody who reaches the server.
    case all

    /// The headers that a proxy adds to a call that it passes on.
    private static let forwarded: Set = [
        "forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-port", "x-forwarded-proto", "x-real-ip",
    ]

    /// - Parameters:
    ///   - host: the address that a call comes from; nil when it is not known.
    ///   - fields: of the call's header. A call that a proxy on this machine passed on comes from somewhere else.
    func includes(_ host: String?, _ fields: HTTPFields = [:]) -> Bool {
        switch self {
        case .all: true
        case .local:
            (host == "::1" || host?.hasPrefix("127.") == true || host?.hasPrefix("::ffff:127.") == true)
                && !fields.contains { Self.forwarded.contains($0.name.canonicalName) }
        }
    }
}
