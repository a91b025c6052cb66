package import NIOCore
import NIOPosix
import Synchronization

/// Runs actions at their deadlines, unless they are cancelled first, as nearly all are.
///
/// A call's deadline is far away and the call is over in a millisecond, so both steps are cheap here: they touch a table,
/// and no thread is woken. `Task.sleep` leaves its timer behind when it is cancelled; a daemon that served thousands of calls
/// would wake for each of them long afterwards.
///
/// Actions run on an event loop and must not block; an action is late by no more than the event loop is.
package final class DeadlineTimer: Sendable {
    package struct Entry: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private struct State {
        var next: UInt64 = 0
        /// As many as calls under way: their bound is the connections'.
        var actions: [UInt64: (time: NIODeadline, run: @Sendable () -> Void)] = [:]
        /// When the event loop will look next. Later than no deadline; it may be earlier than all of them.
        var wakeUp: NIODeadline?
    }

    private let eventLoop: any EventLoop
    private let state = Mutex(State())

    package init(eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    package static let shared = DeadlineTimer(eventLoop: MultiThreadedEventLoopGroup.singleton.next())

    /// - Returns: what ``cancel(_:)`` takes.
    package func schedule(after duration: Duration, _ action: @escaping @Sendable () -> Void) -> Entry {
        let time = NIODeadline.now() + TimeAmount(duration)
        let (entry, isEarliest) = state.withLock { state in
            state.next += 1
            state.actions[state.next] = (time, action)
            let isEarliest = state.wakeUp.map { time < $0 } ?? true
            if isEarliest { state.wakeUp = time }
            return (Entry(number: state.next), isEarliest)
        }
        if isEarliest { eventLoop.scheduleTask(deadline: time) { self.look() } }
        return entry
    }

    /// - Returns: whether the action was still to come: it never runs then.
    @discardableResult
    package func cancel(_ entry: Entry) -> Bool {
        state.withLock { $0.actions.removeValue(forKey: entry.number) } != nil
    }

    /// Runs what is due, and comes back for the next.
    private func look() {
        typealias Look = (due: [@Sendable () -> Void], next: NIODeadline?)
        let (due, wakeUp) = state.withLock { state -> Look in
            let now = NIODeadline.now()
            // When several wake-ups are planned, each for an earlier deadline, only the last one counts.
            guard let planned = state.wakeUp, planned <= now else { return ([], nil) }
            let due = state.actions.filter { $0.value.time <= now }
            for number in due.keys { state.actions[number] = nil }
            state.wakeUp = state.actions.values.map(\.time).min()
            return (due.sorted { $0.key < $1.key }.map(\.value.run), state.wakeUp)
        }
        for action in due { action() }
        if let wakeUp { eventLoop.scheduleTask(deadline: wakeUp) { self.look() } }
    }

    /// How many actions wait.
    package var count: Int { state.withLock { $0.actions.count } }
}
