import Dispatch
package import Foundation
import Synchronization

/// Brings the events of one stream to its delegate, on the run loops in which the stream is scheduled.
///
/// A change is signalled only; which events it makes is asked on the thread that delivers them, so that many
/// changes before the delegate's turn are one. On the main run loop events come through the main queue, which runs in
/// programs without a run loop too (`dispatchMain`). On any other, a timer that never fires by itself is set off: it
/// also keeps the run loop from ending for want of anything to wait for.
package final class StreamEvents: Sendable {
    private struct Place {
        let runLoop: RunLoopReference
        let mode: RunLoop.Mode
        let timer: TimerReference
    }

    private let places = Mutex<[Place]>([])
    /// Asks the stream for its events, and delivers them.
    private let deliver = Mutex<(@Sendable () -> Void)?>(nil)

    package func onDelivery(_ body: @escaping @Sendable () -> Void) { deliver.withLock { $0 = body } }

    /// There may be events. Safe to call from any thread; nothing is called before it returns.
    package func changed() {
        for place in places.withLock({ $0 }) { signal(place) }
    }

    package func schedule(in runLoop: RunLoop, forMode mode: RunLoop.Mode) {
        // Every year, and when it is set off.
        let timer = Timer(fire: .distantFuture, interval: 31_536_000, repeats: true) { [weak self] _ in self?.run() }
        let place = Place(
            runLoop: RunLoopReference(value: runLoop), mode: mode, timer: TimerReference(value: timer))
        places.withLock { $0.append(place) }
        runLoop.add(timer, forMode: mode)
        signal(place)
    }

    package func remove(from runLoop: RunLoop, forMode mode: RunLoop.Mode) {
        let removed = places.withLock { places in
            let removed = places.filter { $0.runLoop.value === runLoop && $0.mode == mode }
            places.removeAll { $0.runLoop.value === runLoop && $0.mode == mode }
            return removed
        }
        for place in removed { place.timer.value.invalidate() }
    }

    /// No event is delivered any more.
    package func removeAll() {
        let removed = places.withLock { places in
            defer { places = [] }
            return places
        }
        for place in removed { place.timer.value.invalidate() }
    }

    private func signal(_ place: Place) {
        if place.runLoop.value === RunLoop.main {
            DispatchQueue.main.async { [weak self] in self?.run() }
        } else {
            place.timer.value.fireDate = Date(timeIntervalSinceNow: -1)
        }
    }

    private var isScheduled: Bool { places.withLock { !$0.isEmpty } }

    private func run() {
        guard isScheduled else { return }
        deliver.withLock { $0 }?()
    }
}

// @unchecked: the stream only calls its delegate, on a run loop in which the app has scheduled it.
package struct WeakStream<Referent: Stream>: @unchecked Sendable {
    package weak var stream: Referent?
}

// @unchecked: compared only, and given the timer while its own thread or its owner schedules it, as Foundation asks.
private struct RunLoopReference: @unchecked Sendable {
    let value: RunLoop
}

// @unchecked: the timer's date may be set from any thread, which the run loop underneath guards by a lock of its own.
private struct TimerReference: @unchecked Sendable {
    let value: Timer
}
