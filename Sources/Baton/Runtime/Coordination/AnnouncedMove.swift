import FileCoordination
import Foundation
import Glibc

/// A move that a program has announced, and how it is known that it was made.
struct AnnouncedMove: Sendable {
    let source: URL
    let destination: URL
    private let device: UInt64
    private let inode: UInt64

    /// - Returns: nil where there is nothing to be moved.
    init?(from source: URL, to destination: URL) {
        guard let found = Self.identity(source) else { return nil }
        (self.source, self.destination) = (source, destination)
        (device, inode) = found
    }

    /// The very file is at the new place, and nothing at the old one.
    var isDone: Bool {
        guard let found = Self.identity(destination), Self.identity(source) == nil else { return false }
        return found == (device, inode)
    }

    private static func identity(_ url: URL) -> (UInt64, UInt64)? {
        var status = stat()
        guard url.isFileURL, lstat(url.path, &status) == 0 else { return nil }
        return (UInt64(status.st_dev), UInt64(status.st_ino))
    }
}

extension NSFileCoordinator {
    /// A claim that an accessor runs under.
    struct Claim {
        let id: CoordinationRequestID
        /// Paths that were announced to presenters.
        var moved: Set<CoordinatedPath> = []
        var announced: [CoordinatedPath: AnnouncedMove] = [:]
    }
}
