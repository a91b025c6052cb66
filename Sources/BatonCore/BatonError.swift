/// An error, for a program (`code`) and for a person (`message`).
///
/// `message` is one or more whole sentences that say what happened and what to do about it. It never holds a key, a
/// payload, or another person's data. `code` decides behaviour; the message only informs.
package struct BatonError: Error, Sendable, CustomStringConvertible {
    package var code: Code
    package var message: String
    /// A finer, stable name for programs within `code`, e.g. `bundle_tampered`.
    package var reason: String
    /// The error that caused this one, for the log only.
    package var cause: (any Error)?

    package init(_ code: Code, reason: String, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.reason = reason
        self.message = message
        self.cause = cause
    }

    package var description: String {
        "\(code.rawValue) (\(reason)): \(message)" + (cause.map { " [\($0)]" } ?? "")
    }

    /// The sixteen codes of the Connect protocol. The comment says whether asking again can help.
    package enum Code: String, Sendable, CaseIterable {
        /// The caller gave up. Retry as you like.
        case canceled
        /// Something failed that should have a better code. A retry may help.
        case unknown
        /// The request is malformed. A retry of the same request never helps.
        case invalidArgument = "invalid_argument"
        /// The time allowed ran out; the work may or may not have been done. A retry may help.
        case deadlineExceeded = "deadline_exceeded"
        /// The thing named does not exist. A retry helps only after it was made.
        case notFound = "not_found"
        /// The thing to be made exists. A retry never helps.
        case alreadyExists = "already_exists"
        /// The caller is known and may not do this. A retry never helps.
        case permissionDenied = "permission_denied"
        /// A limit was reached (size, rate, count). A retry helps later, or with less.
        case resourceExhausted = "resource_exhausted"
        /// The state forbids it (no account, not paired, ...). A retry helps after the state changed.
        case failedPrecondition = "failed_precondition"
        /// Interrupted by something concurrent. A retry helps.
        case aborted
        /// Past the valid range, e.g. a cursor from the future. A retry never helps.
        case outOfRange = "out_of_range"
        /// The method does not exist in this version. A retry helps after an upgrade.
        case unimplemented
        /// A bug of ours. A retry may not help; report it.
        case `internal`
        /// The other side cannot be reached now. A retry helps, with back-off.
        case unavailable
        /// Data was lost or is damaged beyond repair. A retry never helps.
        case dataLoss = "data_loss"
        /// The caller is not known. A retry helps after pairing or login.
        case unauthenticated

        /// Whether the same request, sent again later, can succeed without anybody doing something.
        package var isRetriable: Bool {
            switch self {
            case .unknown, .deadlineExceeded, .resourceExhausted, .aborted, .unavailable: true
            default: false
            }
        }
    }
}
