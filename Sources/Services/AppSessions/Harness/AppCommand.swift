package import BatonWire

/// A command to an app. Capabilities define their own kinds; sessions carry them unread.
package struct AppCommand: Sendable {
    package typealias Kind = Baton_App_V1_AppCommand.OneOf_Kind

    package let kind: Kind

    package init(_ kind: Kind) { self.kind = kind }
}

/// An app's answer to a command, for the capability that sent it.
package struct AppAnswer: Sendable {
    package typealias Result = Baton_App_V1_CompleteCommandRequest.OneOf_Result

    /// Nil for an answer of a kind that is not known here.
    package let result: Result?

    package init(_ result: Result?) { self.result = result }
}

/// The outcome of a command.
package enum AppReply: Sendable {
    case answered(AppAnswer)
    /// The session ended before the app answered.
    case ended
}

/// A process's description of itself when it attached. Each capability reads its own fields.
package struct AppAttachment: Sendable {
    package let message: Baton_App_V1_AttachRequest

    package init(_ message: Baton_App_V1_AttachRequest) { self.message = message }

    var displayName: String { message.displayName }
    var takesDeliveries: Bool { message.canContinue }
}
