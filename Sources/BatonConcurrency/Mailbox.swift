import Synchronization

/// A state that collects for one reader, who is woken when it has changed.
///
/// Its bound is that of the state: the writers see to it.
package final class Mailbox<State: Sendable>: Sendable {
    private let state: Mutex<State>
    private let changed = Signal()

    package init(_ state: State) { self.state = Mutex(state) }

    /// An element after each change, or several; for one reader.
    package var changes: AsyncStream<Void> { changed.stream }

    /// Changes the state, and wakes the reader. Does not block.
    package func post(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
        changed.send()
    }

    /// Wakes the reader without a change.
    package func wake() { changed.send() }

    /// Looks at the state, and may take of it, without waking the reader.
    package func withLock<Value: Sendable>(_ body: (inout State) -> Value) -> Value { state.withLock { body(&$0) } }

    /// - Returns: all that has collected; `empty` is in its place.
    package func take(leaving empty: State) -> State {
        state.withLock { state in
            defer { state = empty }
            return state
        }
    }
}
