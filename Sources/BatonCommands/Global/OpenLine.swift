import Synchronization

/// Whether the cursor stands behind a question or a redrawn line, so that the next message needs a line of its own.
package final class OpenLine: Sendable {
    private let open = Mutex(false)

    package init() {}

    package var isOpen: Bool { open.withLock { $0 } }

    func note(_ text: String) {
        guard let last = text.last else { return }
        open.withLock { $0 = last != "\n" }
    }

    /// The person's Enter has ended the line.
    func close() { open.withLock { $0 = false } }

    /// A sink that reports what it writes.
    struct Sink: TextSink {
        let sink: any TextSink
        let line: OpenLine

        func write(_ text: String) throws {
            try sink.write(text)
            line.note(text)
        }
    }
}
