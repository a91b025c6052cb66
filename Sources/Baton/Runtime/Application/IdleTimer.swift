import AppLink
import BatonClient
import BatonCore
import BatonWire
import Logging
import SwiftProtobuf

/// Has the daemon keep the session from becoming idle while the app is in front and wants that.
@MainActor
final class IdleTimer {
    private let runtime: AppRuntime
    private var task: Task<Void, Never>?

    /// Between two attempts to reach the daemon, or a desktop that can do it.
    private static let pause = Duration.seconds(5)

    init(runtime: AppRuntime) { self.runtime = runtime }

    deinit { task?.cancel() }

    /// - Parameter isHeld: whether the session is to be kept awake now.
    func update(_ isHeld: Bool) {
        guard isHeld else {
            task?.cancel()
            task = nil
            return
        }
        guard task == nil, runtime.profile.socketPath != nil else { return }
        let runtime = runtime
        // Ends when the app wants it no more, or ends.
        task = Task {
            var isTold = false
            while !Task.isCancelled {
                do {
                    let answers = try await runtime.link.stream(IdleMethods.keepAwake, .init())
                    for try await _ in answers {}
                } catch {
                    if !Task.isCancelled, !isTold {
                        isTold = true
                        let reason = (error as? BatonError)?.message ?? "\(error)"
                        runtime.logger.warning("The screen may go off: \(reason)")
                    }
                }
                try? await Task.sleep(for: Self.pause)
            }
        }
    }
}
