import BatonConcurrency
import BatonTransport
import FileSync
import Synchronization

/// Small contents that were written lately, of all containers: what came from another device is put to the disk soon after that.
///
/// Bound: ``maximumBytes``, with what a content costs besides its own bytes; the one that came first leaves first. One that is asked for keeps its turn, since each is needed once.
/// All leave when none came for ``rest``: small blocks that came last keep many pages of freed memory from going back to the system.
final class SmallContentCache: Sendable {
    static let maximumBytes = 8 << 20
    static let overhead = 128

    private struct State {
        var contents: SmallContents = [:]
        /// In their order, from `first`.
        var order: [ContentHash] = []
        var first = 0
        var bytes = 0
        var lastAdded = ContinuousClock.now
        var isClearingPlanned = false
    }

    private let state = Mutex(State())
    private let maximum: Int
    private let rest: Duration

    init(maximumBytes: Int = SmallContentCache.maximumBytes, rest: Duration = .seconds(10)) {
        maximum = maximumBytes
        self.rest = rest
    }

    var bytes: Int { state.withLock { $0.bytes } }

    subscript(hash: ContentHash) -> ByteString? { state.withLock { $0.contents[hash] } }

    func add(_ content: ByteString, _ hash: ContentHash) {
        let isToPlan = state.withLock { state in
            state.lastAdded = .now
            defer { state.isClearingPlanned = true }
            Self.add(content, hash, maximum, &state)
            return !state.isClearingPlanned
        }
        if isToPlan { planClearing(after: rest) }
    }

    private static func add(_ content: ByteString, _ hash: ContentHash, _ maximum: Int, _ state: inout State) {
        guard state.contents.updateValue(content, forKey: hash) == nil else { return }
        state.order.append(hash)
        state.bytes += content.bytes.count + overhead
        while state.bytes > maximum, state.first < state.order.count {
            let old = state.contents.removeValue(forKey: state.order[state.first])
            state.bytes -= (old?.bytes.count ?? 0) + overhead
            state.first += 1
        }
        guard state.first > 1024, state.first > state.order.count / 2 else { return }
        state.order.removeFirst(state.first)
        state.first = 0
    }

    private func planClearing(after delay: Duration) {
        _ = DeadlineTimer.shared.schedule(after: delay) { [weak self] in self?.clearAtRest() }
    }

    private func clearAtRest() {
        let left = state.withLock { state -> Duration? in
            let left = rest - state.lastAdded.duration(to: .now)
            if left <= .zero { state = State() }
            return left > .zero ? left : nil
        }
        if let left { planClearing(after: left) } else { FreeMemory.giveBackSoon() }
    }
}
