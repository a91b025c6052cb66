import BatonCore
package import BatonTransport
import BatonWire
import SwiftProtobuf

/// Attaches apps, brings them their commands, and takes their answers.
package struct AppSessionsHarness: Sendable {
    private let sessions: AppSessions

    package init(_ sessions: AppSessions) { self.sessions = sessions }

    package func register(on router: inout ConnectRouter) {
        router.appStream(AttachmentMethods.attach) { [self] request, caller, writer in
            let (session, commands) = try sessions.attach(AppAttachment(request), by: caller)
            defer { sessions.detach(session.id) }
            try await writer.write(.with { $0.attached = sessions.greeting(of: session) })
            for await queued in commands { try await writer.write(message(queued)) }
        }
        router.app(AttachmentMethods.completeCommand) { [sessions] request, caller in
            let session = try sessions.session(request.sessionID, of: caller)
            try sessions.complete(request.commandID, of: session.id, AppAnswer(request.result))
            return .init()
        }
    }

    private func message(_ queued: AppSessions.QueuedCommand) -> Baton_App_V1_AppCommand {
        .with {
            $0.commandID = queued.number
            $0.kind = queued.command.kind
        }
    }
}
