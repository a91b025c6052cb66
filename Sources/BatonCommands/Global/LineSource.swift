import Foundation

/// Lines that are typed or piped in.
package protocol LineSource: Sendable {
    /// From now on; ends at the end of the input.
    func lines() -> AsyncStream<String>
}

/// Standard input.
package struct StandardInput: LineSource {
    private let line: OpenLine

    /// - Parameter line: is ended by what a person types.
    package init(closing line: OpenLine = OpenLine()) { self.line = line }

    package func lines() -> AsyncStream<String> {
        // Bound 16, later lines are dropped: no command asks more than a few questions.
        let (stream, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingOldest(16))
        // Reading blocks, so it has a thread of its own. The thread ends with the input, at the latest with the
        // process: a blocked read cannot be called back, and commands end right after their last question.
        let thread = Thread { [line] in
            while let text = readLine() {
                line.close()
                continuation.yield(text)
            }
            continuation.finish()
        }
        thread.name = "standard input"
        thread.start()
        return stream
    }
}
