package import BatonConcurrency

/// When the helper runs, and what it shows: a pure value.
///
/// The helper is started for what is to be shown, and ends itself when nothing has been for a while. One that fails is
/// started again for what is open, ever more rarely; one that cannot be started is tried again with the next thing to show.
package struct DesktopHelperStateMachine: StateMachine {
    package enum Input: Sendable, Hashable {
        /// A question waits, and nothing else shows it.
        case put(DesktopQuestion)
        /// It is answered or withdrawn.
        case gone(UInt64)
        case launched(DesktopImage)
        /// The process of an app that was launched is active, or has ended.
        case launchEnded(process: Int32)
        case replied(DesktopReply)
        case helperEnded(Ending)
    }

    /// How the helper ended.
    package enum Ending: Sendable, Hashable {
        /// By itself, or on request.
        case finished
        case failed(String)
        /// It was not started.
        case unavailable(String)
    }

    package enum Action: Sendable, Hashable {
        case start
        /// Ends the helper that runs; its end is `helperEnded`.
        case stop
        case send(DesktopRequest)
        case answer(UInt64, DesktopAnswer)
    }

    private enum Phase: Sendable, Hashable {
        case absent
        case starting(until: Duration)
        case ready
        /// It was asked to end, and has not yet.
        case stopping
    }

    /// U-23.
    package static let imageDuration = Duration.seconds(5)
    /// Policy: more apps that are launched at once are launched without a picture.
    static let maximumImages = 16
    static let startDeadline = Duration.seconds(20)
    private static let retries = Duration.seconds(1)...Duration.seconds(60)

    private var phase = Phase.absent
    private var questions: [UInt64: DesktopQuestion] = [:]
    private var images: [Int32: (image: DesktopImage, end: Duration)] = [:]
    /// When a helper that failed is started again.
    private var retry: Duration?
    private var delay = retries.lowerBound
    /// Why the last helper failed or was not started; nil once one is ready.
    package private(set) var problem: String?

    package init() {}

    package var isReady: Bool { phase == .ready }
    private var isIdle: Bool { questions.isEmpty && images.isEmpty }

    // MARK: Inputs

    package mutating func handle(_ input: Input, now: Timestamp) -> [Action] {
        switch input {
        case .put(let question):
            guard questions[question.id] == nil else { return [] }
            questions[question.id] = question
            return show(.ask(question: question), now)
        case .gone(let id):
            guard questions.removeValue(forKey: id) != nil else { return [] }
            return phase == .ready ? [.send(.withdraw(id: id))] : []
        case .launched(let image):
            guard images[image.id] == nil, images.count < Self.maximumImages else { return [] }
            images[image.id] = (image, now.monotonic + Self.imageDuration)
            return show(.showImage(image: image), now)
        case .launchEnded(let process):
            return hide(process)
        case .replied(let reply): return replied(reply)
        case .helperEnded(let ending): return ended(ending, now)
        }
    }

    private mutating func show(_ request: DesktopRequest, _ now: Timestamp) -> [Action] {
        switch phase {
        case .absent: start(now)
        // Once it is ready it gets everything.
        case .starting, .stopping: []
        case .ready: [.send(request)]
        }
    }

    private mutating func start(_ now: Timestamp) -> [Action] {
        // One that failed waits for its time.
        guard retry == nil else { return [] }
        phase = .starting(until: now.monotonic + Self.startDeadline)
        return [.start]
    }

    private mutating func hide(_ process: Int32) -> [Action] {
        guard images.removeValue(forKey: process) != nil else { return [] }
        return phase == .ready ? [.send(.hideImage(id: process))] : []
    }

    private mutating func replied(_ reply: DesktopReply) -> [Action] {
        switch reply {
        case .ready:
            guard case .starting = phase else { return [] }
            phase = .ready
            problem = nil
            let asks = questions.values.sorted { $0.id < $1.id }.map { Action.send(.ask(question: $0)) }
            let shows = images.values.sorted { $0.image.id < $1.image.id }.map {
                Action.send(.showImage(image: $0.image))
            }
            return shows + asks
        case .answered(let id, let answer):
            guard questions.removeValue(forKey: id) != nil else { return [] }
            // It works.
            delay = Self.retries.lowerBound
            return [.answer(id, answer)]
        }
    }

    private mutating func ended(_ ending: Ending, _ now: Timestamp) -> [Action] {
        let before = phase
        phase = .absent
        switch ending {
        case .finished where before == .ready:
            // Requests that came while it ended.
            return isIdle ? [] : start(now)
        case .unavailable(let why):
            // With the next thing to show it may be there.
            problem = why
            return []
        case .finished, .failed:
            problem = if case .failed(let why) = ending { why } else { "it ended before it could show anything" }
            if before == .stopping { problem = "it was not ready in time" }
            retry = now.monotonic + delay
            delay = min(delay * 2, Self.retries.upperBound)
            return []
        }
    }

    // MARK: Time

    package mutating func nextDeadline(now: Timestamp) -> Duration? {
        var deadlines = images.values.map(\.end)
        if case .starting(let until) = phase { deadlines.append(until) }
        if let retry { deadlines.append(retry) }
        return deadlines.min()
    }

    package mutating func advance(now: Timestamp) -> [Action] {
        var actions: [Action] = []
        for (process, shown) in images.sorted(by: { $0.key < $1.key }) where shown.end <= now.monotonic {
            actions += hide(process)
        }
        if case .starting(let until) = phase, until <= now.monotonic {
            phase = .stopping
            actions.append(.stop)
        }
        if let retry, retry <= now.monotonic {
            self.retry = nil
            if phase == .absent, !isIdle { actions += start(now) }
        }
        return actions
    }
}
