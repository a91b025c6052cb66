import BatonConcurrency
import BatonCore
import Files
import Foundation
import Glibc
import Synchronization

/// Pictures of what plays, as files for the programs of the desktop, which load them themselves. One for each player.
final class ArtworkFolder: Sendable {
    private let path: String
    private let files = BlockingQueue("baton.media.artwork")
    private let isPrepared = Mutex(false)
    /// A file's name is never used again: programs keep pictures by their addresses.
    private let written = Mutex<UInt64>(0)
    /// Sessions whose picture is on its way. Bounded by the apps that play.
    private let underWay = Mutex<Set<String>>([])

    init(_ path: String) { self.path = path }

    /// - Returns: false when one of this player is on its way.
    func begin(_ session: String) -> Bool { underWay.withLock { $0.insert(session).inserted } }
    func end(_ session: String) { underWay.withLock { _ = $0.remove(session) } }

    /// The ending of the file's name; nil for what is neither PNG nor JPEG, or has too many pixels.
    static func fileType(of picture: Data) -> String? {
        guard let size = PictureSize([UInt8](picture)), size.canBeShown else { return nil }
        return picture.first == 0xFF ? "jpg" : "png"
    }

    /// - Returns: the file's path.
    func write(_ picture: Data, type: String) async throws -> String {
        try await files.run { [self] in
            try prepare()
            let number = written.withLock { number in
                number += 1
                return number
            }
            let file = "\(path)/\(number).\(type)"
            try AtomicFile.write([UInt8](picture), to: file)
            return file
        }
    }

    /// Removes the files of an earlier daemon.
    private func prepare() throws {
        guard !isPrepared.withLock({ $0 }) else { return }
        try? FileManager.default.removeItem(atPath: path)
        try SecureDirectory.prepare(path)
        isPrepared.withLock { $0 = true }
    }

    /// Soon.
    func remove(_ file: String) { files.queue.async { unlink(file) } }

    func clear() async {
        await files.run { [self] in
            if isPrepared.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: path) }
        }
    }
}
