package import BatonWire

/// One capability's half of an app's attachment to the daemon: one object for the life of the process, which learns of each
/// attachment.
package protocol AppCapability: Sendable {
    /// Adds what the daemon must know of it to an attachment. Called for each attempt.
    func describe(_ request: inout Baton_App_V1_AttachRequest)
    /// The app is attached. Called before the first command; does not wait.
    func attached(_ session: AttachedSession)
    /// Sends the daemon its updates, in a task of its own, for as long as the app is attached.
    /// - Returns: nil at once if it has none; else why the attachment is to end.
    func run(_ session: AttachedSession) async throws -> AttachmentOutcome?
    /// Performs a command if it is its own. Does not wait for the app; commands come one after the other.
    /// - Returns: false for another's.
    func perform(_ command: AttachedCommand) -> Bool
    /// The attachment, or an attempt, is over.
    func detached(_ error: (any Error)?)
}

extension AppCapability {
    package func describe(_ request: inout Baton_App_V1_AttachRequest) {}
    package func attached(_ session: AttachedSession) {}
    package func run(_ session: AttachedSession) async throws -> AttachmentOutcome? { nil }
    package func perform(_ command: AttachedCommand) -> Bool { false }
    package func detached(_ error: (any Error)?) {}
}

package enum AttachmentOutcome: Sendable {
    /// The daemon ended the stream.
    case ended
    /// The description given at attaching holds no longer.
    case mustAttachAgain
}
