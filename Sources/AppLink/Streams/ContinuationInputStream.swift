package import BatonClient
package import Foundation
import Synchronization

/// Bytes from the app on the other device: Foundation's `InputStream`, over a ``StreamEndpoint``.
///
/// Reading waits until there is something, so it is for a thread of the app's own, or for the delegate's
/// `hasBytesAvailable`. The stream's own state is guarded, but two threads that read at once share the bytes among them.
package final class ContinuationInputStream: InputStream {
    private struct State {
        var isOpen = false
        var isClosed = false
        var isReading = false
        var told: Stream.Event = []
    }

    private let endpoint: StreamEndpoint
    private let events = StreamEvents()
    private let state = Mutex(State())

    package init(_ endpoint: StreamEndpoint) {
        self.endpoint = endpoint
        super.init(data: Data())
        let reference = WeakStream(stream: self)
        events.onDelivery { reference.stream?.tell() }
        endpoint.observeInput { [events] in events.changed() }
    }

    deinit {
        events.removeAll()
        endpoint.observeInput(nil)
        endpoint.closeInput()
    }

    package override func open() {
        let isFirst = state.withLock { state in
            guard !state.isOpen, !state.isClosed else { return false }
            state.isOpen = true
            return true
        }
        guard isFirst else { return }
        endpoint.noteOpened()
        events.changed()
    }

    package override func close() {
        state.withLock { $0.isClosed = true }
        events.removeAll()
        endpoint.closeInput()
    }

    package override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        guard length > 0, isUsable else { return state.withLock { $0.isOpen && !$0.isClosed } && length == 0 ? 0 : -1 }
        state.withLock {
            $0.isReading = true
            $0.told.remove(.hasBytesAvailable)
        }
        let result = endpoint.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: length))
        state.withLock { $0.isReading = false }
        events.changed()
        return switch result {
        case .bytes(let count): count
        case .end: 0
        case .broken, .closed, .nothing: -1
        }
    }

    private var isUsable: Bool { state.withLock { $0.isOpen && !$0.isClosed } }

    package override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, length: UnsafeMutablePointer<Int>
    ) -> Bool { false }

    /// Whether `read` would return at once with bytes.
    package override var hasBytesAvailable: Bool {
        guard isUsable, case .bytes = endpoint.input else { return false }
        return true
    }

    package override var streamStatus: Stream.Status {
        let (isOpen, isClosed, isReading) = state.withLock { ($0.isOpen, $0.isClosed, $0.isReading) }
        if isClosed { return .closed }
        guard isOpen else { return .notOpen }
        return switch endpoint.input {
        case .end: .atEnd
        case .broken: .error
        case .closed: .closed
        case .bytes, .nothing: isReading ? .reading : .open
        }
    }

    package override var streamError: (any Error)? {
        streamStatus == .error ? ContinuationStreamError.failure(of: endpoint) : nil
    }

    package override func property(forKey key: Stream.PropertyKey) -> AnyObject? { nil }
    package override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool { false }

    package override func schedule(in runLoop: RunLoop, forMode mode: RunLoop.Mode) {
        events.schedule(in: runLoop, forMode: mode)
    }

    package override func remove(from runLoop: RunLoop, forMode mode: RunLoop.Mode) {
        events.remove(from: runLoop, forMode: mode)
    }

    /// Delivers the events that are due: each once, and “has bytes” once after each read.
    private func tell() {
        for event in news() where isUsable { delegate?.stream(self, handle: event) }
    }

    private func news() -> [Stream.Event] {
        let input = endpoint.input
        return state.withLock { state in
            guard state.isOpen, !state.isClosed else { return [] }
            var news: [Stream.Event] = [.openCompleted]
            switch input {
            case .bytes: news.append(.hasBytesAvailable)
            case .end: news.append(.endEncountered)
            case .broken: news.append(.errorOccurred)
            case .closed, .nothing: break
            }
            news.removeAll { state.told.contains($0) }
            for event in news { state.told.insert(event) }
            return news
        }
    }
}
