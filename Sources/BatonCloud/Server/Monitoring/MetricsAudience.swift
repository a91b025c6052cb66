/// The callers that may read `/metrics`.
package enum MetricsAudience: String, CaseIterable, Sendable {
    /// Callers from this machine, by its loopback.
    case local
    /// Everybody who reaches the server.
    case all

    /// - Parameter host: the address that a call comes from; nil when it is not known.
    func includes(_ host: String?) -> Bool {
        switch self {
        case .all: true
        case .local: host == "::1" || host?.hasPrefix("127.") == true || host?.hasPrefix("::ffff:127.") == true
        }
    }
}
