import Foundation
import Synchronization

/// Keeps the newest lines for the screen. Bounded: the oldest is dropped.
final class TerminalLog: EventLog {
    private static let capacity = 100

    private struct State {
        var lines: [String] = []
        var onChange: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    func record(_ event: Event) {
        let onChange = state.withLock { state in
            state.lines.append(event.fields["message"] ?? "\(event.name) \(event.fields["url"] ?? "")")
            if state.lines.count > Self.capacity { state.lines.removeFirst() }
            return state.onChange
        }
        onChange?()
    }

    var lines: [String] { state.withLock { $0.lines } }

    func observe(_ onChange: @escaping @Sendable () -> Void) {
        state.withLock { $0.onChange = onChange }
    }
}
