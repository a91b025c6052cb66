import BatonClient
import BatonCore
import Logging

/// Keeps the process attached to its daemon: attaches, and attaches again after the daemon was restarted.
struct AppConnection: Sendable {
    let runtime: AppRuntime
    let profile: AppProfile

    /// Returns when its task is cancelled.
    func run() async {
        guard let socketPath = profile.socketPath else {
            runtime.logger.warning("Handoff is off: \(profile.problem ?? "the daemon's socket is not known")")
            return
        }
        var backoff = ReconnectBackoff()
        var lastReason: String?
        var attachesActivities = true
        while !Task.isCancelled {
            let session = AppSession(
                runtime: runtime, profile: profile, client: runtime.environment.makeClient(socketPath),
                attachesActivities: attachesActivities)
            do {
                attachesActivities = true
                if try await session.run(onAttached: { backoff.reset() }) == .mustAttachAgain { continue }
            } catch {
                attachesActivities = (error as? BatonError)?.code != .invalidArgument
                report(error, after: &lastReason)
            }
            do {
                try await runtime.environment.sleep(backoff.next(fraction: runtime.environment.jitter()))
            } catch {
                return
            }
        }
    }

    /// Quiet when the daemon is not there, which is none of the app's business; a refusal is told once.
    private func report(_ error: any Error, after lastReason: inout String?) {
        guard let error = error as? BatonError, !error.code.isRetriable else {
            return runtime.logger.debug("The daemon cannot be reached; trying again", metadata: ["error": "\(error)"])
        }
        if error.reason != lastReason {
            runtime.logger.warning("The daemon refuses this app; trying again: \(error.message)")
        }
        lastReason = error.reason
    }
}
