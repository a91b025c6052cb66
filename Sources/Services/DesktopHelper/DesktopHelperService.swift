import BatonConcurrency
package import BatonCore
import ServiceLifecycle
import Synchronization

/// Runs `baton-desktop` for what is to be shown on the desktop: questions of apps, and launch images.
///
/// Safe to use from any thread. The helper ends with the daemon: its input ends then.
package final class DesktopHelperService: Service {
    package typealias Input = DesktopHelperStateMachine.Input

    private let driver: StateMachineDriver<DesktopHelperStateMachine>
    private let display: DisplayEnvironment
    private let program: @Sendable () -> String?
    private let recorder: any EventRecorder
    private let answer: @Sendable (UInt64, DesktopAnswer) -> Void
    /// The helper that runs.
    private let process = Mutex<HelperProcess?>(nil)

    /// - Parameters:
    ///   - program: the path of `baton-desktop`; nil where it is not installed.
    ///   - answer: called with the person's answers. It must not block.
    package init(
        display: DisplayEnvironment, program: @escaping @Sendable () -> String?, recorder: any EventRecorder,
        answer: @escaping @Sendable (UInt64, DesktopAnswer) -> Void
    ) {
        driver = StateMachineDriver(DesktopHelperStateMachine(), clock: MomentClock(wall: .system))
        self.display = display
        self.program = program
        self.recorder = recorder
        self.answer = answer
        driver.connect { [weak self] action in self?.perform(action) }
    }

    package func input(_ input: Input) { driver.input(input) }

    /// Until it is cancelled or shut down gracefully; the helper ends then.
    package func run() async throws { try await driver.run() }

    private func perform(_ action: DesktopHelperStateMachine.Action) {
        switch action {
        case .start: driver.start { [self] in input(.helperEnded(await runHelper())) }
        case .stop: process.withLock { $0 }?.stop()
        case .send(let request): process.withLock { $0 }?.send(request)
        case .answer(let id, let answer): self.answer(id, answer)
        }
    }

    private func runHelper() async -> DesktopHelperStateMachine.Ending {
        guard let path = program() else { return .unavailable(Self.notInstalled) }
        guard let environment = await display.find() else { return .unavailable(Self.noDisplay) }
        let helper = HelperProcess(path: path, environment: environment)
        process.withLock { $0 = helper }
        defer { process.withLock { $0 = nil } }
        let ending = await helper.run { [self] reply in
            if reply == .ready { record("helper_started", "baton-desktop shows questions and launch images.") }
            input(.replied(reply))
        }
        switch ending {
        case .finished: record("helper_ended", "baton-desktop has ended.")
        case .failed(let why), .unavailable(let why): record("helper_failed", "baton-desktop failed: \(why).")
        }
        return ending
    }

    private func record(_ event: String, _ message: String) { recorder.record("desktop", event, message, [:]) }

    // MARK: Status

    private static let notInstalled = "baton-desktop is not installed"
    private static let noDisplay = "the daemon knows of no display"

    /// Whether something can be shown on the desktop, and a sentence about it for people.
    package var finding: (isAvailable: Bool, text: String) {
        let (isReady, problem) = driver.read { ($0.isReady, $0.problem) }
        if isReady { return (true, "questions of apps and launch images are shown by baton-desktop, which runs") }
        let obstacle = program() == nil ? Self.notInstalled : problem ?? (display.isKnown ? nil : Self.noDisplay)
        guard let obstacle else {
            return (true, "questions of apps and launch images are shown by baton-desktop, which is started for them")
        }
        return (false, "questions of apps wait at “baton questions”, since \(obstacle)")
    }
}
