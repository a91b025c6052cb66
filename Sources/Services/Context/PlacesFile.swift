import BatonConcurrency
import BatonCore
import Files
import Foundation
import Synchronization

/// Where places are kept: a file of this device that only the daemon reads.
final class PlacesFile: Sendable {
    private static let limit = 4 << 20
    /// Milliseconds. Counts are written at most so often; a person's changes, at once.
    private static let interval: UInt64 = 5 * 60_000

    private let path: String
    private let recorder: any EventRecorder
    private let queue = BlockingQueue("baton.context.places")
    private let written = Mutex<UInt64>(0)

    init(path: String, recorder: any EventRecorder) {
        self.path = path
        self.recorder = recorder
    }

    /// Blocks. A file that cannot be read is reported, and there are no places.
    func read() -> StayMachine.Memory {
        do {
            guard let bytes = try AtomicFile.read(path, limit: Self.limit) else { return .init() }
            return try JSONDecoder().decode(StayMachine.Memory.self, from: Data(bytes))
        } catch {
            recorder.record(
                "context", "places_unreadable", "The file of places cannot be read, so places are learned anew.",
                ["error": "\(error)"])
            return .init()
        }
    }

    /// - Parameter memory: read when it is its turn, so that what is forgotten is not written again by an older state.
    func write(_ memory: @escaping @Sendable () -> StayMachine.Memory) async throws {
        try await queue.run { [path] in
            try AtomicFile.write(Array(try JSONEncoder().encode(memory())), to: path)
        }
    }

    /// - Parameter memory: as ``write(_:)``.
    func writeSoon(_ memory: @escaping @Sendable () -> StayMachine.Memory, now: UInt64) async {
        let isDue = written.withLock { last in
            guard now < last || now - last >= Self.interval else { return false }
            last = now
            return true
        }
        guard isDue else { return }
        do {
            try await write(memory)
        } catch {
            recorder.record("context", "places_not_kept", "Places could not be written.", ["error": "\(error)"])
        }
    }
}
