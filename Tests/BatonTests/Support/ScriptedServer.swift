import BatonClient
import BatonTransport
import BatonWire
import Foundation
import Logging

/// Serves a scripted daemon on a real unix socket.
struct ScriptedServer: Sendable {
    let daemon: ScriptedDaemon
    let socketPath: String

    /// Runs the server while `body` runs.
    func whileRunning<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws -> Result {
        let ready = Mailbox<Void>()
        let server = LocalServer(
            socketPath: socketPath, router: router, logger: Logger(label: "test"), onReady: { ready.send(()) })
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                try await server.run()
                return nil
            }
            group.addTask {
                _ = try await ready.next()
                return try await body()
            }
            while let result = try await group.next() {
                if let result { return result }
            }
            throw UnexpectedCall()
        }
    }

    private var router: ConnectRouter {
        let daemon = daemon
        var router = ConnectRouter()
        router.serverStream(AttachmentMethods.attach) { request, context, writer in
            let caller = daemon.calling(as: try context.claim.claim())
            for try await command in try await caller.serverStream(AttachmentMethods.attach, request) {
                try await writer.write(command)
            }
        }
        router.unary(ActivityMethods.updateActivity) { request, _ in
            try await daemon.unary(ActivityMethods.updateActivity, request, timeout: .seconds(10))
        }
        router.unary(ActivityMethods.resignActivity) { request, _ in
            try await daemon.unary(ActivityMethods.resignActivity, request, timeout: .seconds(10))
        }
        router.unary(ActivityMethods.invalidateActivity) { request, _ in
            try await daemon.unary(ActivityMethods.invalidateActivity, request, timeout: .seconds(10))
        }
        router.unary(AttachmentMethods.completeCommand) { request, _ in
            try await daemon.unary(AttachmentMethods.completeCommand, request, timeout: .seconds(10))
        }
        return router
    }
}
