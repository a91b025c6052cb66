import FileSync
import Synchronization

/// Small contents that were written lately, of all containers: what came from another device is put to the disk soon after that.
///
/// Bound: ``maximumBytes``, with what a content costs besides its own bytes; the one that came first leaves first. One that is asked for keeps its turn, since each is needed once.
final class SmallContentCache: Sendable {
    static let maximumBytes = 8 << 20
    static let overhead = 128

    private struct State {
        var contents: SmallContents = [:]
        /// In their order, from `first`.
        var order: [ContentHash] = []
        var first = 0
        var bytes = 0
    }

    private let state = Mutex(State())
    private let maximum: Int

    init(maximumBytes: Int = SmallContentCache.maximumBytes) { maximum = maximumBytes }

    var bytes: Int { state.withLock { $0.bytes } }

    subscript(hash: ContentHash) -> ByteString? { state.withLock { $0.contents[hash] } }

    func add(_ content: ByteString, _ hash: ContentHash) {
        state.withLock { state in
            guard state.contents.updateValue(content, forKey: hash) == nil else { return }
            state.order.append(hash)
            state.bytes += content.bytes.count + Self.overhead
            while state.bytes > maximum, state.first < state.order.count {
                let old = state.contents.removeValue(forKey: state.order[state.first])
                state.bytes -= (old?.bytes.count ?? 0) + Self.overhead
                state.first += 1
            }
            guard state.first > 1024, state.first > state.order.count / 2 else { return }
            state.order.removeFirst(state.first)
            state.first = 0
        }
    }
}
