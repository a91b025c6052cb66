package import AirDropProtocol
package import BatonCore
import Glibc
import Synchronization

/// Unpacks the body of an `/Upload` while it comes, and delivers it whole or not at all.
///
/// Until ``deliver()`` everything is in a hidden folder in the destination that only this user can enter; it goes when the
/// extractor goes, is cancelled, or an error is thrown. Files get the mode 0600, whatever the sender says, and keep the
/// time when they were changed. Every function blocks on the disk; safe to call from any thread.
package final class ArchiveExtractor: Sendable {
    package struct Progress: Hashable, Sendable {
        /// Unpacked bytes of files.
        package var bytes: UInt64 = 0
        /// Files, folders and links.
        package var items = 0

        package init() {}
    }

    private struct State: ~Copyable {
        var reader: ArchiveReader
        /// Nil when it is over.
        var unpacker: ArchiveUnpacker?
        var failure: BatonError?
    }

    private let state: Mutex<State>

    /// - Parameters:
    ///   - files: what the sender announced, and the person accepted.
    ///   - destination: the absolute path of a folder that exists.
    /// - Throws: `disk_full`, `file_access_denied`, `file_not_found`, `file_error`.
    package init(_ files: [OfferedFile], into destination: String, limits: ArchiveLimits) throws(BatonError) {
        let unpacker = try ArchiveUnpacker(files, in: destination, limits: limits)
        state = Mutex(State(reader: ArchiveReader(limits: limits), unpacker: unpacker))
    }

    /// The next bytes of the body.
    /// - Returns: what has been unpacked so far.
    /// - Throws: as ``ArchiveReader``, ``ArchiveLayout`` and ``init(_:into:limits:)``; then again with each call.
    @discardableResult
    package func write(_ body: UnsafeRawBufferPointer) throws(BatonError) -> Progress {
        try update { state throws(BatonError) in
            guard var unpacker = state.unpacker.take() else { throw Self.ended }
            try state.reader.push(body) { event throws(BatonError) in try unpacker.handle(event) }
            let progress = unpacker.progress
            state.unpacker = consume unpacker
            return progress
        }
    }

    /// The body is over: checks that it is complete, and moves it into place.
    /// - Returns: the names of the items in the destination, which may have a number behind them.
    /// - Throws: as ``write(_:)``; `archive_incomplete`, `too_many_of_one_name`.
    package func deliver() throws(BatonError) -> [String] {
        try update { state throws(BatonError) in
            guard var unpacker = state.unpacker.take() else { throw Self.ended }
            try state.reader.finish()
            return try unpacker.deliver()
        }
    }

    /// Removes what has come. Nothing happens after ``deliver()``.
    package func cancel() { state.withLock { $0.unpacker = nil } }

    private func update<Result: Sendable>(
        _ body: (inout State) throws(BatonError) -> Result
    ) throws(BatonError) -> Result {
        let result = state.withLock { state -> Swift.Result<Result, BatonError> in
            if let failure = state.failure { return .failure(failure) }
            do throws(BatonError) {
                return .success(try body(&state))
            } catch {
                state.failure = error
                return .failure(error)
            }
        }
        return try result.get()
    }

    private static var ended: BatonError {
        BatonError(.failedPrecondition, reason: "transfer_over", "The transfer is over already.")
    }
}
