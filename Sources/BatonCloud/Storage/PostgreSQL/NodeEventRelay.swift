import Synchronization

/// Passes a store's events to a receiver that is made after the store.
package final class NodeEventRelay: Sendable {
    private struct State {
        var hear: (@Sendable (StoreNews) -> Void)?
        /// Databases of which nothing is heard.
        var interrupted = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// With several databases it takes all of them to hear again.
    package func hear(_ news: StoreNews) {
        let (hear, told) = state.withLock { state -> ((@Sendable (StoreNews) -> Void)?, StoreNews?) in
            switch news {
            case .interrupted: state.interrupted += 1
            case .resumed:
                state.interrupted -= 1
                return (state.hear, state.interrupted == 0 ? news : nil)
            default: break
            }
            return (state.hear, news)
        }
        if let told { hear?(told) }
    }

    /// Earlier events concern no subscriber, except an interruption that still lasts.
    package func attach(_ hear: @escaping @Sendable (StoreNews) -> Void) {
        let isInterrupted = state.withLock { state in
            state.hear = hear
            return state.interrupted > 0
        }
        if isInterrupted { hear(.interrupted) }
    }
}
