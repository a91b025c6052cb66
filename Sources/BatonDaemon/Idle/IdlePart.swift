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

    init(_ daemon: DaemonComposition) throws {
        let environment = daemon.options.environment
        inhibitor = IdleInhibitor(
            session: BusAddress.session(in: environment), system: BusAddress.system(in: environment),
            recorder: daemon.log)
    }

    func registerLocal(on router: inout ConnectRouter) {
        router.appStream(IdleMethods.keepAwake) { [inhibitor] _, caller, writer in
            // All processes of an app have one hold together, so that no app takes the others' by having many.
            let (id, keeper) = try await inhibitor.hold(for: caller.name, owner: "\(caller.app.identity)")
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
