import BatonConcurrency
import BatonCore
import FileSync
import Synchronization

/// Puts pieces into the file of a content as they come. Safe to use from any task.
final class ContentFiller: Sendable {
    private struct State {
        var queue: PieceQueue
        var done: UInt64
        var excluded: Set<DeviceID> = []
        var cameNearby = false
        var isUnchecked = false
        var failure: (any Error)?
    }

    private static let copiedAtOnce: UInt64 = 16 << 20

    /// Hashes the pieces that have come.
    let digest: RisingDigest
    private let part: OpenContent
    private let io: BlockingQueue
    /// Copying holds up no piece that comes.
    private let copying = BlockingQueue("development.baton.documents-copying")
    private let size: UInt64
    private let progress: @Sendable (Double) -> Void
    private let state: Mutex<State>

    /// - Parameters:
    ///   - pieces: all of the content.
    ///   - missing: those of them that are to come.
    init(
        part: OpenContent, io: BlockingQueue, size: UInt64, pieces: [ContentPiece], missing: [ContentPiece],
        progress: @escaping @Sendable (Double) -> Void
    ) {
        (self.part, self.io, self.size, self.progress) = (part, io, size, progress)
        digest = RisingDigest(part)
        let bytes = missing.reduce(0) { $0 + UInt64($1.chunk.length) }
        state = Mutex(State(queue: PieceQueue(missing), done: size - min(size, bytes)))
        guard missing.count < pieces.count else { return }
        let absent = Set(missing)
        for piece in pieces where !absent.contains(piece) { digest.has(piece.range) }
    }

    var isDone: Bool { state.withLock { $0.queue.isEmpty } }
    var cameNearby: Bool { state.withLock { $0.cameNearby } }
    /// Pieces were copied that were not checked.
    var isUnchecked: Bool { state.withLock { $0.isUnchecked } }
    /// The error of the disk. After it no more pieces are requested.
    var failure: (any Error)? { state.withLock { $0.failure } }

    func take() -> [ContentPiece] { state.withLock { $0.queue.take() } }

    /// All pieces that a device has which does not have all of them.
    func take(where isThere: (ContentPiece) -> Bool) -> [ContentPiece] {
        state.withLock { $0.queue.takeAll(where: isThere) }
    }

    func giveBack(_ pieces: some Collection<ContentPiece>) { state.withLock { $0.queue.giveBack(pieces) } }

    func isExcluded(_ device: DeviceID) -> Bool { state.withLock { $0.excluded.contains(device) } }

    func exclude(_ device: DeviceID, giving pieces: [ContentPiece]) {
        state.withLock { state in
            state.excluded.insert(device)
            state.queue.giveBack(pieces)
        }
    }

    /// - Parameter pieces: whose hashes were checked.
    func came(_ pieces: [(piece: ContentPiece, bytes: [UInt8])], nearby: Bool = false) async throws {
        do {
            try await io.run { [part] in
                for (piece, bytes) in pieces { try part.write(bytes, at: piece.offset) }
            }
        } catch {
            state.withLock { $0.failure = error }
            throw error
        }
        for (piece, _) in pieces { digest.has(piece.range) }
        count(pieces.map(\.piece), nearby: nearby)
    }

    private func count(_ pieces: [ContentPiece], nearby: Bool = false) {
        let done = state.withLock { state in
            state.queue.came(pieces.count)
            state.done += pieces.reduce(0) { $0 + UInt64($1.chunk.length) }
            if nearby { state.cameNearby = true }
            return state.done
        }
        progress(Double(done) / Double(max(size, 1)))
    }

    /// Copies pieces of a file of this disk to which no program writes meanwhile, without looking at their bytes.
    /// - Parameters:
    ///   - pieces: in ascending order, and where the file has them.
    ///   - mayClone: nothing has come yet.
    /// - Throws: where the file changed; then none of them has come.
    func copy(
        _ pieces: [(piece: ContentPiece, source: UInt64)], of file: StableFile, mayClone: Bool
    ) async throws {
        state.withLock { $0.isUnchecked = true }
        let (part, digest) = (part, digest)
        let runs = Self.runs(pieces)
        try await copying.run {
            let isCloned = mayClone && file.clone(to: part.file.number)
            for run in runs where !(isCloned && run.source == run.range.lowerBound) {
                for start in stride(from: run.range.lowerBound, to: run.range.upperBound, by: Int(Self.copiedAtOnce)) {
                    let end = min(start + Self.copiedAtOnce, run.range.upperBound)
                    let source = run.source + (start - run.range.lowerBound)
                    try file.copy(source..<source + (end - start), to: part.file.number, at: start)
                    digest.has(start..<end)
                }
            }
            if isCloned { for run in runs where run.source == run.range.lowerBound { digest.has(run.range) } }
            guard try file.isUnchanged() else { throw StableFile.UnstableFileError.busy }
        }
        count(pieces.map(\.piece))
    }

    /// Pieces that follow each other in both files, as one.
    static func runs(
        _ pieces: [(piece: ContentPiece, source: UInt64)]
    ) -> [(range: Range<UInt64>, source: UInt64)] {
        var runs: [(range: Range<UInt64>, source: UInt64)] = []
        for (piece, source) in pieces {
            if let last = runs.last, last.range.upperBound == piece.offset,
                last.source + UInt64(last.range.count) == source
            {
                runs[runs.count - 1].range = last.range.lowerBound..<piece.range.upperBound
            } else {
                runs.append((piece.range, source))
            }
        }
        return runs
    }
}
