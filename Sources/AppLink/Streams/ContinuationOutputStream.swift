package import BatonClient
package import Foundation
import Synchronization

/// Bytes to the app on the other device: Foundation's `OutputStream`, over a ``StreamEndpoint``.
///
/// Writing waits while the other app does not read, so it is for a thread of the app's own, or for the delegate's
/// `hasSpaceAvailable`.
package final class ContinuationOutputStream: OutputStream {
    private struct State {
        var isOpen = false
        var isClosed = false
        var isWriting = false
        var told: Stream.Event = []
    }

    private let endpoint: StreamEndpoint?
    private let events = StreamEvents()
    private let state = Mutex(State())

    package init(_ endpoint: StreamEndpoint) {
        self.endpoint = endpoint
        super.init(toMemory: ())
        let reference = WeakStream(stream: self)
        events.onDelivery { reference.stream?.tell() }
        endpoint.observeOutput { [events] in events.changed() }
    }

    /// Required by Foundation of every subclass: a stream that leads nowhere.
    package required init(toMemory: ()) {
        endpoint = nil
        super.init(toMemory: ())
    }

    deinit {
        events.removeAll()
        endpoint?.observeOutput(nil)
        endpoint?.closeOutput()
    }

    package override func open() {
        let isFirst = state.withLock { state in
            guard !state.isOpen, !state.isClosed else { return false }
            state.isOpen = true
            return true
        }
        guard isFirst else { return }
        endpoint?.noteOpened()
        events.changed()
    }

    /// Sends the bytes that were written; then the other app reads the end.
    package override func close() {
        state.withLock { $0.isClosed = true }
        events.removeAll()
        endpoint?.closeOutput()
    }

    package override func write(_ buffer: UnsafePointer<UInt8>, maxLength length: Int) -> Int {
        guard let endpoint, isUsable else { return -1 }
        guard length > 0 else { return 0 }
        state.withLock {
            $0.isWriting = true
            $0.told.remove(.hasSpaceAvailable)
        }
        let result = endpoint.write(UnsafeRawBufferPointer(start: buffer, count: length))
        state.withLock { $0.isWriting = false }
        events.changed()
        if case .bytes(let count) = result { return count }
        return -1
    }

    private var isUsable: Bool { state.withLock { $0.isOpen && !$0.isClosed } }

    /// Whether `write` would return at once.
    package override var hasSpaceAvailable: Bool {
        guard isUsable, case .bytes? = endpoint?.output else { return false }
        return true
    }

    package override var streamStatus: Stream.Status {
        let (isOpen, isClosed, isWriting) = state.withLock { ($0.isOpen, $0.isClosed, $0.isWriting) }
        if isClosed { return .closed }
        guard isOpen else { return .notOpen }
        return switch endpoint?.output {
        case .broken, .refused, nil: .error
        case .closed: .closed
        case .bytes, .nothing: isWriting ? .writing : .open
        }
    }

    package override var streamError: (any Error)? {
        guard streamStatus == .error else { return nil }
        return endpoint?.output == .refused
            ? ContinuationStreamError.refused : ContinuationStreamError.failure(of: endpoint)
    }

    package override func property(forKey key: Stream.PropertyKey) -> AnyObject? { nil }
    package override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool { false }

    package override func schedule(in runLoop: RunLoop, forMode mode: RunLoop.Mode) {
        events.schedule(in: runLoop, forMode: mode)
    }

    package override func remove(from runLoop: RunLoop, forMode mode: RunLoop.Mode) {
        events.remove(from: runLoop, forMode: mode)
    }

    /// Delivers the events that are due: each once, and “has space” once after each write.
    private func tell() {
        for event in news() where isUsable { delegate?.stream(self, handle: event) }
    }

    private func news() -> [Stream.Event] {
        let output = endpoint?.output
        return state.withLock { state in
            guard state.isOpen, !state.isClosed else { return [] }
            var news: [Stream.Event] = [.openCompleted]
            switch output {
            case .bytes: news.append(.hasSpaceAvailable)
            case .broken, .refused: news.append(.errorOccurred)
            case .closed, .nothing, nil: break
            }
            news.removeAll { state.told.contains($0) }
            for event in news { state.told.insert(event) }
            return news
        }
    }
}
