import Dispatch
import Foundation

/// Turns the signals that concern an app as a whole into calls on the main queue.
@MainActor
final class ProcessSignals {
    private var sources: [any DispatchSourceSignal] = []

    /// - Parameters:
    ///   - terminate: in place of ending at once (`SIGTERM`).
    ///   - suspend: before the process is stopped from its terminal (`SIGTSTP`). It is stopped when the handler calls back.
    ///   - resume: after it goes on.
    init(
        terminate: @escaping @MainActor @Sendable () -> Void,
        suspend: @escaping @MainActor @Sendable (_ stop: @escaping @MainActor @Sendable () -> Void) -> Void,
        resume: @escaping @MainActor @Sendable () -> Void
    ) {
        handle(SIGTERM, terminate)
        // A shell without job control has it ignored, and that stays.
        guard !Self.isIgnored(SIGTSTP) else { return }
        handle(SIGTSTP) {
            suspend {
                // Stops this thread, so that the next line runs when the process goes on.
                raise(SIGSTOP)
                resume()
            }
        }
    }

    private func handle(_ number: Int32, _ handler: @escaping @MainActor @Sendable () -> Void) {
        // Until the source listens. Not ignored, which programs that the app starts would take over.
        signal(number) { _ in }
        let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
        source.setEventHandler { MainActor.assumeIsolated { handler() } }
        source.resume()
        sources.append(source)
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        let before = signal(number, SIG_IGN)
        signal(number, before)
        return unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}

/// Ends the process, for the runtime.
func exitProcess(_ status: Int32) { exit(status) }
