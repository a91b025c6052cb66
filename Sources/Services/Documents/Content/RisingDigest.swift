import BatonConcurrency
import CLinux
import Crypto
import Dispatch
import FileSync
import Synchronization

/// The hash of a content that is put together in a file, piece by piece and in any order: what is whole from the beginning on is read
/// while the rest still comes, so at the end little is left to read. It goes to the disk meanwhile too. Safe to use from any task.
final class RisingDigest: Sendable {
    private static let pieceSize = 1 << 20
    /// So much is handed to the disk at once.
    private static let writtenAtOnce: UInt64 = 8 << 20

    private struct State {
        /// Everything before is there.
        var whole: UInt64 = 0
        /// Ranges behind that: their ends by their beginnings. Bound: the pieces of the content.
        var beyond: [UInt64: UInt64] = [:]
        var isReading = false
    }

    /// Used on the queue only.
    private final class Reading: @unchecked Sendable {
        var hash = SHA256()
        var done: UInt64 = 0
        var written: UInt64 = 0
        var failure: DiskFailure?
    }

    private let content: OpenContent
    private let queue = BlockingQueue("development.baton.documents-digest")
    private let state = Mutex(State())
    private let reading = Reading()

    init(_ content: OpenContent) { self.content = content }

    /// A range was written. It is not written again.
    func has(_ range: Range<UInt64>) {
        let isDue = state.withLock { state in
            guard range.lowerBound == state.whole else {
                state.beyond[range.lowerBound] = range.upperBound
                return false
            }
            state.whole = range.upperBound
            while let end = state.beyond.removeValue(forKey: state.whole) { state.whole = end }
            guard !state.isReading else { return false }
            state.isReading = true
            return true
        }
        if isDue { queue.queue.async { [self] in readOn() } }
    }

    /// Everything is there.
    /// - Returns: nil where the file is shorter.
    func finish(size: UInt64) async throws -> ContentHash? {
        try await queue.run { [self] in
            read(to: size)
            if let failure = reading.failure { throw failure }
            return reading.done == size ? ContentHash(reading.hash.finalize()) : nil
        }
    }

    private func readOn() {
        while true {
            let end = state.withLock { state -> UInt64? in
                guard state.whole > reading.done, reading.failure == nil else {
                    state.isReading = false
                    return nil
                }
                return state.whole
            }
            guard let end else { return }
            let before = reading.done
            read(to: end)
            // The file is shorter than it should be, which its end shows.
            if reading.done == before, reading.failure == nil { return state.withLock { $0.isReading = false } }
        }
    }

    private func read(to end: UInt64) {
        do throws(DiskFailure) {
            while reading.done < end {
                let bytes = try content.read(Int(min(UInt64(Self.pieceSize), end - reading.done)), at: reading.done)
                guard !bytes.isEmpty else { return }
                reading.hash.update(data: bytes)
                // A run of zeros may have come in several pieces.
                content.makeHoles(in: bytes, at: reading.done)
                reading.done += UInt64(bytes.count)
                if reading.done - reading.written >= Self.writtenAtOnce { beginWriting() }
            }
        } catch {
            reading.failure = error
        }
    }

    private func beginWriting() {
        baton_begin_writing(content.file.number, Int(reading.written), Int(reading.done - reading.written))
        reading.written = reading.done
    }
}
