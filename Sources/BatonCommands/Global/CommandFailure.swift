package import BatonCore

/// The early end of a command: an error to show, and the exit status that goes with it.
package struct CommandFailure: Error, Sendable {
    package var status: CommandStatus
    /// Nil when all was said already.
    package var error: BatonError?
    /// Apple's number, when an activity was not continued.
    package var activityError: Int32?

    package init(_ status: CommandStatus, _ error: BatonError?, activityError: Int32? = nil) {
        self.status = status
        self.error = error
        self.activityError = activityError
    }

    package static let outputClosed = CommandFailure(.outputClosed, nil)

    package static func declined(_ message: String) -> CommandFailure {
        CommandFailure(.canceled, BatonError(.canceled, reason: "declined", message))
    }

    package static func usage(_ message: String, reason: String = "usage") -> CommandFailure {
        CommandFailure(.usage, BatonError(.invalidArgument, reason: reason, message))
    }

    /// Converts any error that a command throws.
    package init(_ error: any Error) {
        switch error {
        case let error as CommandFailure: self = error
        case let error as BatonError where error.reason == "daemon_not_running": self.init(.daemonNotRunning, error)
        case let error as BatonError: self.init(CommandStatus(error.code), error)
        case is CancellationError:
            self.init(.canceled, BatonError(.canceled, reason: "canceled", "The command was interrupted."))
        default:
            self.init(.failure, BatonError(.internal, reason: "internal", "Something unexpected failed: \(error)"))
        }
    }

    /// The object that `--json` prints on standard error.
    package var json: JSONValue? {
        error.map { error in
            [
                "error": [
                    "code": .string(error.code.rawValue),
                    "reason": .string(error.reason),
                    "message": .string(error.message),
                    "activity_error": activityError.map { .integer(Int64($0)) } ?? .null,
                    "exit_status": .integer(Int64(status.rawValue)),
                ]
            ]
        }
    }
}
