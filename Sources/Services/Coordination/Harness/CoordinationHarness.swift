import AppSessions
import BatonConcurrency
import BatonCore
package import BatonTransport
import BatonWire
import FileCoordination
import SwiftProtobuf

/// Attaches processes that coordinate files, brings them what the arbiter decides, and takes what they say.
package struct CoordinationHarness: Sendable {
    private let service: CoordinationService

    package init(_ service: CoordinationService) { self.service = service }

    package func register(on router: inout ConnectRouter) {
        router.appStream(CoordinationMethods.attachCoordinator) { [service] _, caller, writer in
            let (session, actions) = try await service.attach(caller.app, process: caller.process)
            defer { service.detach(session) }
            try await writer.write(.with { $0.sessionID = session.id.rawValue })
            for await action in actions {
                guard let command = CoordinationWire.command(action) else { continue }
                try await writer.write(command)
            }
        }
        router.app(CoordinationMethods.coordinate) { [service] request, caller in
            let session = try service.session(request.sessionID, of: caller.process)
            try caller.check(speaksFor: session.app.identity)
            let refusals = await session.queue.run {
                let inputs = request.inputs.map { CoordinationWire.input($0, of: session) }
                return service.take(inputs, of: session).map { $0?.rawValue ?? "" }
            }
            return .with { $0.refusals = refusals }
        }
    }
}
