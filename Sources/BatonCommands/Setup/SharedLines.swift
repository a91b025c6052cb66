import Synchronization

/// One reading of the input for several askers, one after the other: a second reader would take lines from the first.
final class SharedLines: LineSource {
    private let source: any LineSource
    private let stream = Mutex<AsyncStream<String>?>(nil)

    init(_ source: any LineSource) { self.source = source }

    func lines() -> AsyncStream<String> {
        stream.withLock { stream in
            if let stream { return stream }
            let lines = source.lines()
            stream = lines
            return lines
        }
    }
}
