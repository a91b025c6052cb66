import AppSessions
import BatonCore
import BatonTransport
import BatonWire
import Protection
import SessionBus
import SwiftProtobuf

/// Apps that keep the screen on (`UIApplication.isIdleTimerDisabled`).
struct IdlePart: DaemonPart {
    private let inhibitor: IdleInhibitor
    private let sessions: AppSessions

    init(_ daemon: DaemonComposition) throws {
        let environment = daemon.options.environment
        sessions = try daemon.part(SessionsPart.self).sessions
        inhibitor = IdleInhibitor(
            session: BusAddress.session(in: environment), system: BusAddress.system(in: environment),
            recorder: daemon.log)
    }

    func registerLocal(on router: inout ConnectRouter) {
        router.serverStream(IdleMethods.keepAwake) { [inhibitor, sessions] request, context, writer in
            let process = try context.process
            let app = try sessions.admit(
                process, claiming: request.bundleID, protocolVersion: request.protocolVersion)
            let (id, keeper) = try await inhibitor.hold(
                for: app.name, owner: "\(process.processID) \(process.startTime)")
            do {
                try await writer.write(.with { $0.keeper = keeper.rawValue })
                // Until the app ends the call, or ends.
                while true { try await Task.sleep(for: .seconds(3600)) }
            } catch {
                await inhibitor.release(id)
                throw error
            }
        }
    }
}
