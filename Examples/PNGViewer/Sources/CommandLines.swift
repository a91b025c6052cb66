import Foundation

/// Lines that a person types at the terminal. An app that the daemon launched has none: it reads the FIFO that `BATON_SCRIPT`
/// names, if there is one.
enum CommandLines {
    /// On a thread of its own, since reading waits; it ends with the process.
    static func read(_ perform: @escaping @MainActor @Sendable (String) -> Void) {
        let script = ProcessInfo.processInfo.environment["BATON_SCRIPT"]
        guard script != nil || isatty(STDIN_FILENO) == 1 else { return }
        Thread.detachNewThread {
            // A FIFO is opened for writing too, so that it does not end when a writer closes it.
            guard let file = script.map({ fopen($0, "r+") }) ?? fdopen(STDIN_FILENO, "r") else {
                return print("The commands cannot be read.")
            }
            var buffer: UnsafeMutablePointer<CChar>?
            var capacity = 0
            while case let count = getline(&buffer, &capacity, file), count > 0, let bytes = buffer {
                let text = String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
                let line = text.trimmingCharacters(in: .newlines)
                DispatchQueue.main.async { MainActor.assumeIsolated { perform(line) } }
            }
            free(buffer)
        }
    }
}
