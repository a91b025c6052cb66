import BatonCore
import Foundation

/// Takes what a command prints.
package protocol TextSink: Sendable {
    /// - Throws: ``CommandFailure/outputClosed`` when the reader is gone, ``CommandStatus/outputFailed`` with the
    ///   reason when it cannot be written, as to a full disk.
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
                let number = errno
                switch number {
                case EINTR: continue
                case EAGAIN: waitForRoom()
                case EPIPE: throw CommandFailure.outputClosed
                default: throw Self.failure(number)
                }
                continue
            }
            bytes = bytes.dropFirst(written)
        }
    }

    /// Another process that shares the descriptor may have made it non-blocking.
    private func waitForRoom() {
        var descriptor = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&descriptor, 1, -1)
    }

    private static func failure(_ number: Int32) -> CommandFailure {
        let code: BatonError.Code =
            switch number {
            case ENOSPC, EDQUOT, EFBIG: .resourceExhausted
            default: .dataLoss
            }
        return CommandFailure(
            .outputFailed,
            BatonError(
                code, reason: "output_failed",
                "The output could not be written: \(String(cString: strerror(number))). The written part is not "
                    + "whole."))
    }
}
