package import AppSessions
import BatonCore
package import BatonTransport
import BatonWire
import FileCoordination
import SwiftProtobuf

/// Attaches processes that coordinate files, brings them what the arbiter decides, and takes what they say.
package struct CoordinationHarness: Sendable {
    private let service: CoordinationService
    private let sessions: AppSessions

    package init(_ service: CoordinationService, sessions: AppSessions) {
        self.service = service
        self.sessions = sessions
    }

    package func register(on router: inout ConnectRouter) {
        router.serverStream(AppMethods.attachCoordinator) { [service, sessions] request, context, writer in
            let process = try context.process
            let app = try sessions.admit(
                process, claiming: request.bundleID, protocolVersion: request.protocolVersion)
            let (session, actions) = try await service.attach(app, process: process)
            defer { service.detach(session) }
            try await writer.write(.with { $0.sessionID = session.id.rawValue })
            for await action in actions {
                guard let command = CoordinationWire.command(action) else { continue }
                try await writer.write(command)
            }
        }
        router.unary(AppMethods.coordinate) { [service] request, context in
            let session = try service.session(request.sessionID, of: try context.process)
            let inputs = request.inputs.map { CoordinationWire.input($0, of: session) }
            return .with { $0.refusals = service.take(inputs, of: session).map { $0?.rawValue ?? "" } }
        }
    }
}
