import BatonConcurrency
package import BatonCore
import BatonWire
import Dispatch
import Foundation
package import Logging
import Synchronization

/// Keeps this process's ``KeyValueCopy`` and the daemon's store the same.
///
/// Callers may wait on any thread: nothing that they wait for runs on the cooperative pool or on the main thread.
package final class KeyValueClient: Sendable {
    enum Phase: Sendable, Equatable {
        /// It was not used yet.
        case idle
        /// For the first time, or because a thread waits for it.
        case connecting
        case open(handle: String)
        /// There is no daemon; it is tried again.
        case away
        /// The app has no store.
        case refused
    }

    /// A thread that waits.
    private final class Waiter: Sendable {
        let semaphore = DispatchSemaphore(value: 0)
        let isSuccess = Mutex(false)

        func end(_ success: Bool) {
            isSuccess.withLock { $0 = success }
            semaphore.signal()
        }

        func wait(_ patience: Duration) -> Bool {
            let milliseconds = Int(patience / .milliseconds(1))
            guard semaphore.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else { return false }
            return isSuccess.withLock { $0 }
        }
    }

    /// Waits until writes are on the disk, and what was there before is here.
    private struct Flush {
        var waiter: Waiter
        /// The newest write that must be taken.
        var number: UInt64
        /// Which exchange with the daemon must be over.
        var round: UInt64
    }

    private struct State {
        var copy: KeyValueCopy
        var phase = Phase.idle
        /// Whether the first attempt is over, for better or worse.
        var hasTried = false
        var subscription: DaemonSubscription?
        var isStopped = false
        var loading: [Waiter] = []
        var flushes: [Flush] = []
        /// Exchanges that were asked for, and the last that was answered, with the revision that it must bring.
        var roundsWanted: UInt64 = 0
        var answered: (round: UInt64, revision: UInt64) = (0, 0)
        var wake: Signal?
    }

    /// How long the first use waits for the daemon's answer; without a daemon it does not wait.
    package static let loadingPatience = Duration.seconds(5)
    package static let flushingPatience = Duration.seconds(10)

    let link: DaemonLink
    let logger: Logger
    /// The limits of an unregistered process's store.
    let profile: KeyValueLimits.Profile
    private let onStart: @Sendable () -> Void
    private let onAnnouncement: @Sendable (KeyValueCopy.Reason, [String]) -> Void
    private let state: Mutex<State>

    /// - Parameters:
    ///   - onStart: called at the first use, if there may be a daemon.
    ///   - onAnnouncement: notifies the app which keys have changed, and why. Called in order, and returns at once.
    package init(
        link: DaemonLink, logger: Logger, profile: KeyValueLimits.Profile, onStart: @escaping @Sendable () -> Void,
        onAnnouncement: @escaping @Sendable (KeyValueCopy.Reason, [String]) -> Void
    ) {
        self.link = link
        self.logger = logger
        self.profile = profile
        self.onStart = onStart
        self.onAnnouncement = onAnnouncement
        state = Mutex(State(copy: KeyValueCopy(limits: KeyValueLimits(profile))))
    }

    // MARK: The app

    /// Reads from the copy. Only the first use waits.
    package func read<Output: Sendable>(_ body: (KeyValueCopy) -> Output) -> Output {
        load()
        return state.withLock { body($0.copy) }
    }

    /// - Returns: false when there is no room.
    package func write(_ value: PropertyValue?, forKey key: String) -> Bool {
        load()
        let time = WallClock.system.milliseconds
        let (isTaken, wake) = state.withLock { state -> (Bool, Signal?) in
            // As on Apple's systems: without the entitlement a value that was set is not read.
            guard state.phase != .refused else { return (true, nil) }
            return (state.copy.write(value, forKey: key, time: time), state.wake)
        }
        wake?.send()
        return isTaken
    }

    package var limits: KeyValueLimits { state.withLock { $0.copy.limits } }

    /// Waits until everything that the app has written is on the disk, and what other processes had put there before is
    /// in the copy.
    package func synchronize(patience: Duration = KeyValueClient.flushingPatience) -> Bool {
        load()
        let waiter = Waiter()
        let isUnderWay = state.withLock { state in
            guard !state.isStopped, state.phase != .refused, link.socketPath != nil else { return false }
            state.roundsWanted += 1
            state.flushes.append(
                Flush(waiter: waiter, number: state.copy.lastNumber, round: state.roundsWanted))
            if state.phase == .away { state.phase = .connecting }
            return true
        }
        guard isUnderWay else { return false }
        let (wake, subscription) = state.withLock { ($0.wake, $0.subscription) }
        wake?.send()
        subscription?.hurry()
        let isDone = waiter.wait(patience)
        state.withLock { $0.flushes.removeAll { $0.waiter === waiter } }
        return isDone
    }

    /// For the end of the process: what was written a moment ago goes out, if the daemon is there.
    package func flushAtExit() {
        let isDue = state.withLock { state in
            guard case .open = state.phase else { return false }
            return !state.copy.isAnswered(state.copy.lastNumber)
        }
        if isDue { _ = synchronize(patience: .seconds(1)) }
    }

    private func load() {
        let waiter = Waiter()
        let waits = state.withLock { state in
            start(&state)
            guard state.phase == .connecting, !state.hasTried else { return false }
            state.loading.append(waiter)
            return true
        }
        guard waits, !waiter.wait(Self.loadingPatience) else { return }
        // The next caller does not wait again.
        state.withLock { state in
            state.hasTried = true
            state.loading.removeAll { $0 === waiter }
        }
    }

    // MARK: The connection

    private func start(_ state: inout State) {
        guard state.phase == .idle, !state.isStopped else { return }
        guard link.socketPath != nil else {
            state.phase = .away
            return
        }
        state.phase = .connecting
        onStart()
        state.subscription = link.subscribe(KeyValueMethods.openKeyValueStore, KeyValueConnection(store: self))
    }

    package func stop() async {
        let subscription = state.withLock { state in
            state.isStopped = true
            return state.subscription
        }
        await subscription?.stop()
        ended(refused: false)
    }

    /// Yields when there may be something to send, and at once. Holds at most one element: the copy knows what is queued.
    func wakes() -> AsyncStream<Void> {
        let wake = Signal()
        state.withLock { $0.wake = wake }
        wake.send()
        return wake.stream
    }

    /// The next batch to send; nil when there is none.
    func takeBatch() -> (handle: String, era: UInt64, batch: [(key: String, write: KeyValueCopy.Write)], round: UInt64)?
    {
        state.withLock { state in
            guard case .open(let handle) = state.phase, let era = state.copy.era else { return nil }
            guard state.copy.hasQueued || state.roundsWanted > state.answered.round else { return nil }
            return (handle, era, state.copy.takeBatch(), state.roundsWanted)
        }
    }

    func answered(
        _ batch: [(key: String, outcome: KeyValueCopy.Outcome, version: Data)], revision: UInt64, round: UInt64
    ) {
        let (announcements, waiters) = state.withLock { state in
            let announcements = state.copy.answered(batch, revision: revision)
            state.answered = (round, revision)
            return (announcements, Self.takeDone(&state))
        }
        // Announced before a waiting thread goes on.
        announce(announcements)
        for waiter in waiters { waiter.end(true) }
    }

    func batchRefused() { state.withLock { $0.copy.batchRefused() } }

    func told(_ news: KeyValueConnection.News) {
        let (announcements, waiters) = state.withLock { state in
            // A thread waits for the first: the app has read nothing before.
            let isFirst = state.copy.era == nil && !state.hasTried
            let announcements = state.copy.told(
                news.entries, isSnapshot: news.isSnapshot, era: news.era, revision: news.revision, limits: news.limits)
            if let handle = news.handle {
                state.phase = .open(handle: handle)
                state.answered = (state.answered.round, 0)
            }
            let loading = state.loading
            (state.loading, state.hasTried) = ([], true)
            return (isFirst ? [:] : announcements, loading + Self.takeDone(&state))
        }
        announce(announcements)
        for waiter in waiters { waiter.end(true) }
    }

    /// There is no connection (any more).
    func ended(refused: Bool) {
        let waiters = state.withLock { state in
            state.copy.connectionLost()
            if refused { state.copy.refuse() }
            // A daemon that is away takes nothing back: what it refused it refuses again.
            state.phase = refused || state.phase == .refused ? .refused : .away
            state.wake = nil
            let waiters = state.loading + state.flushes.map(\.waiter)
            (state.loading, state.flushes, state.hasTried) = ([], [], true)
            return waiters
        }
        for waiter in waiters { waiter.end(false) }
    }

    private static func takeDone(_ state: inout State) -> [Waiter] {
        guard state.copy.revision >= state.answered.revision else { return [] }
        let (copy, round) = (state.copy, state.answered.round)
        let done = state.flushes.filter { $0.round <= round && copy.isAnswered($0.number) }
        guard !done.isEmpty else { return [] }
        state.flushes.removeAll { flush in done.contains { $0.waiter === flush.waiter } }
        return done.map(\.waiter)
    }

    // MARK: Notifications

    package func announce(_ announcements: KeyValueCopy.Announcements) {
        for (reason, keys) in announcements.sorted(by: { $0.key.rawValue > $1.key.rawValue }) where !keys.isEmpty {
            onAnnouncement(reason, keys)
        }
    }
}
