import CSystemd
import Foundation
import Synchronization

/// The thread on which connections to a bus live. It starts when it is first needed, sleeps until something comes, and ends once.
package final class BusThread: Sendable {
    private struct State {
        var hasStarted = false
        var isStopping = false
        var hasEnded = false
        var onEnd: [CheckedContinuation<Void, Never>] = []
    }

    private let name: String
    private let state = Mutex(State())
    /// An eventfd, which lives as long as this object: who wakes the thread holds it.
    private let wakeup = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))

    package init(_ name: String) { self.name = name }

    deinit { close(wakeup) }

    package var isStopping: Bool { state.withLock { $0.isStopping } }
    package var hasStarted: Bool { state.withLock { $0.hasStarted } }

    /// Starts the thread, unless it has been started or stopped before.
    /// - Parameter body: ends soon after ``isStopping`` is true.
    package func start(_ body: @escaping @Sendable (BusThread) -> Void) {
        let isFirst = state.withLock { state in
            guard !state.isStopping, !state.hasStarted else { return false }
            state.hasStarted = true
            return true
        }
        guard isFirst else { return }
        let thread = Thread { [self] in
            body(self)
            let waiting = state.withLock { state in
                state.hasEnded = true
                defer { state.onEnd = [] }
                return state.onEnd
            }
            for continuation in waiting { continuation.resume() }
        }
        thread.name = name
        thread.stackSize = 512 * 1024
        thread.start()
    }

    /// Ends ``wait(_:_:)`` now or the next time.
    package func wake() { _ = eventfd_write(wakeup, 1) }

    /// Has the thread end without waiting for it.
    package func stopSoon() {
        state.withLock { $0.isStopping = true }
        wake()
    }

    /// Has the thread end, and waits for it.
    package func stop() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isOver = state.withLock { state in
                state.isStopping = true
                guard state.hasStarted, !state.hasEnded else { return true }
                state.onEnd.append(continuation)
                return false
            }
            if isOver { continuation.resume() } else { wake() }
        }
    }

    /// On the thread: sleeps until a connection has something, ``wake()`` is called, or the time is over.
    /// - Parameter limit: nil for as long as it takes.
    package func wait(_ connections: [BusConnection] = [], _ limit: Duration? = nil) {
        var descriptors = [pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0)]
        descriptors += connections.map(\.pollDescriptor)
        let wait = ([limit] + connections.map(\.timeout)).compactMap(\.self).min()
        // Rounded up: rather late by a millisecond than awake twice.
        let milliseconds = wait.map { Int32(max(0, min($0 / .milliseconds(1) + 1, 3_600_000))) } ?? -1
        _ = poll(&descriptors, nfds_t(descriptors.count), milliseconds)
        var value: eventfd_t = 0
        if descriptors[0].revents != 0 { _ = eventfd_read(wakeup, &value) }
    }
}
