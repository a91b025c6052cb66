import BatonCore

/// Why something of the synchronisation failed, and what that means for the next attempt.
package struct SyncFailure: Error, Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// No answer came, or not in time: the next attempt may succeed.
        case connection
        /// The server does not admit this device. Trying again helps only after a change.
        case refused
        /// The token is not good any more.
        case token
        /// This one zone cannot go on.
        case zone
    }

    package var kind: Kind
    /// Stable, for programs.
    package var reason: String
    /// A message for a person, with advice.
    package var message: String

    package init(kind: Kind, reason: String, message: String) {
        self.kind = kind
        self.reason = reason
        self.message = message
    }

    /// - Parameter error: of a call to the cloud.
    package init(_ error: any Error) {
        guard !(error is CancellationError) else {
            self.init(
                kind: .connection, reason: "canceled", message: "The connection to the cloud was ended meanwhile.")
            return
        }
        guard let error = error as? BatonError else {
            self.init(kind: .zone, reason: "failed", message: "It failed: \(error).")
            return
        }
        let kind: Kind =
            switch error.code {
            case .unavailable, .deadlineExceeded, .canceled: .connection
            case .unauthenticated:
                error.reason == "invalid_token" || error.reason == "token_expired" ? .token : .refused
            case .permissionDenied: .refused
            default: .zone
            }
        self.init(kind: kind, reason: error.reason, message: error.message)
    }
}
