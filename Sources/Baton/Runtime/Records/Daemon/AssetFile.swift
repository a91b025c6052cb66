import BatonConcurrency
import Foundation
import Synchronization

/// Reads the file of an asset in parts, and says if it changes meanwhile. One task reads at a time.
final class AssetFile: Sendable {
    /// Bytes of one asset at most.
    static let limit: Int64 = 2 << 30

    private let url: URL
    private let handle: FileHandle
    private let before: Stamp
    private let queue: BlockingQueue

    private struct Stamp: Equatable {
        var size: Int64
        var seconds: Int
        var nanoseconds: Int
        var inode: UInt64
    }

    /// - Throws: `CKError` if it is no regular file, cannot be read, or is too large.
    init(_ url: URL, queue: BlockingQueue) throws(CKError) {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw CKError(.assetFileNotFound, "The file of an asset cannot be read: “\(url.path)”.")
        }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard let stamp = Self.stamp(descriptor) else {
            throw CKError(.assetFileNotFound, "An asset is a regular file, and “\(url.path)” is something else.")
        }
        guard stamp.size <= Self.limit else {
            throw CKError(.limitExceeded, "An asset has at most 2 GiB, and “\(url.path)” has more.")
        }
        before = stamp
        self.url = url
        self.queue = queue
    }

    private static func stamp(_ descriptor: Int32) -> Stamp? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Stamp(
            size: Int64(status.st_size), seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec,
            inode: UInt64(status.st_ino))
    }

    /// The next part; empty at the end.
    func next(_ count: Int) async throws -> Data {
        try await queue.run { [self] in
            let data = try handle.read(upToCount: count) ?? Data()
            guard Self.stamp(handle.fileDescriptor) == before else {
                throw CKError(.assetFileModified, "The file “\(url.path)” changed while it was saved: save it again.")
            }
            return data
        }
    }
}
