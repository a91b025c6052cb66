package import BatonConcurrency
package import BatonCore

/// One transfer to one receiver: asks who it is, asks the person there, uploads.
///
/// Invariants (simulated): it ends once, whatever is lost; nothing is uploaded that was not accepted; it is
/// done only after the receiver has said so. Inputs that come too late change nothing.
package struct AirDropSender: StateMachine {
    package struct Configuration: Sendable {
        /// From the start to the answer to `/Discover`, and from there until `/Ask` is sent.
        package var requestTimeout = Duration.seconds(10)
        /// For the person to decide: more than receivers give.
        package var answerTimeout = Duration.seconds(75)
        /// Without a byte that was sent.
        package var stallTimeout = Duration.seconds(30)
        /// From the last byte to the receiver's answer.
        package var storeTimeout = Duration.seconds(120)

        package init() {}
    }

    package enum Outcome: Sendable {
        case done
        case declined
        /// The person there did not decide in time.
        case timedOut
        /// By the person here.
        case cancelled
        case failed(BatonError)
    }

    package enum Phase: Sendable {
        case idle
        case discovering
        /// The request is on its way.
        case asking
        /// For the person there.
        case waiting
        /// `bytes` of the body were sent.
        case uploading(bytes: UInt64)
        /// All was sent; the receiver stores it.
        case storing
        case ended(Outcome)
    }

    package enum Input: Sendable {
        case start
        /// The answer to `/Discover`. Without a name the receiver does not want to be seen.
        case discovered(DiscoverAnswer)
        /// The request `/Ask` has been written.
        case askSent
        case accepted
        /// Another status than 200.
        case refused(status: Int)
        /// In all, so far.
        case uploadProgressed(bytes: UInt64)
        case uploadSent
        /// The answer to `/Upload`; 200 when all is stored.
        case uploadAnswered(status: Int)
        /// The connection broke, or something here did.
        case failed(BatonError)
        case cancel
    }

    package enum Action: Sendable {
        case discover
        case ask
        case upload
        /// To be shown; the last one is `ended`. Progress is not reported one by one.
        case changed(Phase)
        /// Give up what is under way, and close the connection.
        case hangUp
    }

    package private(set) var phase = Phase.idle
    private let needsUpload: Bool
    private let configuration: Configuration
    private var deadline: Duration?
    /// The receiver has said so; the last byte may not be known to be sent.
    private var isStored = false

    /// - Parameter needsUpload: as ``AskRequest/needsUpload``.
    package init(needsUpload: Bool, configuration: Configuration = .init()) {
        self.needsUpload = needsUpload
        self.configuration = configuration
    }

    package mutating func handle(_ input: Input, now: Timestamp) -> [Action] {
        switch (phase, input) {
        case (.ended, _): return []
        case (_, .cancel): return end(.cancelled)
        case (_, .failed(let error)): return end(.failed(error))
        case (.idle, .start): return go(.discovering, [.discover], within: configuration.requestTimeout, now)
        case (.discovering, .discovered(let answer)):
            guard answer.computerName != nil else { return end(.failed(Self.notVisible)) }
            return go(.asking, [.ask], within: configuration.requestTimeout, now)
        case (.asking, .askSent): return go(.waiting, [], within: configuration.answerTimeout, now)
        // The answer may be noticed before the end of the request is.
        case (.asking, .accepted), (.waiting, .accepted):
            guard needsUpload else { return end(.done) }
            return go(.uploading(bytes: 0), [.upload], within: configuration.stallTimeout, now)
        case (.asking, .refused(let status)), (.waiting, .refused(let status)):
            return end(AirDropStatus.askOutcome(status))
        case (.uploading(let before), .uploadProgressed(let bytes)) where bytes > before:
            phase = .uploading(bytes: bytes)
            deadline = now.monotonic + configuration.stallTimeout
            return []
        case (.uploading, .uploadSent):
            if isStored { return end(.done) }
            return go(.storing, [], within: configuration.storeTimeout, now)
        case (.uploading, .uploadAnswered(AirDropStatus.accepted)):
            // It counts when all is sent: before, the receiver cannot have stored all.
            isStored = true
            return []
        case (.uploading, .uploadAnswered(let status)): return end(.failed(AirDropStatus.uploadError(status)))
        case (.storing, .uploadAnswered(let status)):
            return end(status == AirDropStatus.accepted ? .done : .failed(AirDropStatus.uploadError(status)))
        default: return []
        }
    }

    package func nextDeadline(now: Timestamp) -> Duration? { deadline }

    package mutating func advance(now: Timestamp) -> [Action] {
        guard let deadline, deadline <= now.monotonic else { return [] }
        if case .waiting = phase { return end(.timedOut) }
        return end(.failed(Self.tooSlow))
    }

    private mutating func go(_ phase: Phase, _ actions: [Action], within time: Duration, _ now: Timestamp) -> [Action] {
        self.phase = phase
        deadline = now.monotonic + time
        return [.changed(phase)] + actions
    }

    private mutating func end(_ outcome: Outcome) -> [Action] {
        let wasIdle = if case .idle = phase { true } else { false }
        phase = .ended(outcome)
        deadline = nil
        if case .done = outcome { return [.changed(phase)] }
        return (wasIdle ? [] : [.hangUp]) + [.changed(phase)]
    }

    private static var notVisible: BatonError {
        BatonError(
            .notFound, reason: "airdrop_not_visible",
            "The other device is not visible to this one. Its AirDrop setting decides which devices see it.")
    }

    private static var tooSlow: BatonError {
        BatonError(
            .deadlineExceeded, reason: "airdrop_stalled",
            "The other device no longer answers. Bring the devices closer together and send it again.")
    }
}
