package import BatonCore

/// How `baton` ends, for scripts. The numbers are stable; docs/cli.md explains each.
package enum CommandStatus: Int32, Sendable, CaseIterable {
    case success = 0
    /// Something failed that has no number of its own; or `explain` found something that is not well.
    case failure = 1
    /// The command line, or a value on it, is malformed.
    case usage = 2
    case daemonNotRunning = 3
    case notFound = 4
    case denied = 5
    /// The state forbids it: no account, already there, changed by another program.
    case forbiddenByState = 6
    /// Another device or process did not answer in time.
    case unreachable = 7
    /// An activity could not be continued; the error says why, with Apple's number.
    case notContinued = 8
    /// A limit on size, rate or number was reached.
    case limitReached = 9
    /// The output could not be written, as to a full disk.
    case outputFailed = 10
    /// Interrupted from the terminal, or a person said no.
    case canceled = 130
    /// The reader of the output went away.
    case outputClosed = 141

    package init(_ code: BatonError.Code) {
        switch code {
        case .invalidArgument, .outOfRange: self = .usage
        case .notFound: self = .notFound
        case .permissionDenied, .unauthenticated: self = .denied
        case .failedPrecondition, .alreadyExists, .aborted: self = .forbiddenByState
        case .unavailable, .deadlineExceeded: self = .unreachable
        case .resourceExhausted: self = .limitReached
        case .canceled: self = .canceled
        case .unknown, .internal, .dataLoss, .unimplemented: self = .failure
        }
    }
}
