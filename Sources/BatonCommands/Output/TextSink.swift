import Foundation

/// Takes what a command prints.
package protocol TextSink: Sendable {
    /// - Throws: ``CommandFailure/outputClosed`` when nobody reads any more.
    func write(_ text: String) throws
}

/// A file descriptor, written to at once and whole.
package struct FileDescriptorSink: TextSink {
    private let descriptor: Int32

    package init(_ descriptor: Int32) { self.descriptor = descriptor }

    package func write(_ text: String) throws { try write(Array(text.utf8)) }

    package func write(_ bytes: [UInt8]) throws {
        var bytes = bytes[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0 {
                if errno == EINTR { continue }
                throw CommandFailure.outputClosed
            }
            bytes = bytes.dropFirst(written)
        }
    }
}
