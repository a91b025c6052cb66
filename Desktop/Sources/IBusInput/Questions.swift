import CIBus
import Dispatch
import InputMethod
import Synchronization

/// Asks the daemon away from the main thread, one question at a time. Policy: one that was followed by another before its turn is
/// left out.
final class Questions: Sendable {
    private let daemon: DaemonQuestion
    private let queue = DispatchQueue(label: "org.baton.IBus.questions")
    private let latest = Mutex<UInt64>(0)

    init(_ daemon: DaemonQuestion) { self.daemon = daemon }

    /// - Parameter answer: called on the main thread.
    func ask(_ answer: @escaping @MainActor (FieldOffer?) -> Void) {
        let number = latest.withLock { latest in
            latest += 1
            return latest
        }
        queue.async { [self] in
            guard latest.withLock({ $0 == number }) else { return }
            Self.onMainThread(daemon.offer(), answer)
        }
    }

    private final class Turn: Sendable {
        let offer: FieldOffer?
        let answer: @MainActor (FieldOffer?) -> Void

        init(_ offer: FieldOffer?, _ answer: @escaping @MainActor (FieldOffer?) -> Void) {
            self.offer = offer
            self.answer = answer
        }
    }

    /// GLib's loop calls it, which is the main thread's.
    private static func onMainThread(_ offer: FieldOffer?, _ answer: @escaping @MainActor (FieldOffer?) -> Void) {
        _ = g_idle_add_full(
            0,
            { data in
                guard let data else { return 0 }
                let turn = Unmanaged<Turn>.fromOpaque(data).takeUnretainedValue()
                MainActor.assumeIsolated { turn.answer(turn.offer) }
                return 0
            }, Unmanaged.passRetained(Turn(offer, answer)).toOpaque(),
            { data in
                if let data { Unmanaged<Turn>.fromOpaque(data).release() }
            })
    }
}
