package import BatonCore
import Crypto
import Files
package import Foundation
import Glibc
package import NIOPosix
import Synchronization

/// Stores blobs as files in a directory: `blobs/SPACE/HH/HASH`, and unfinished uploads in `uploads/`.
///
/// A file gets a blob's name only after its bytes were checked and are on the disk: it is written under another name,
/// checked, synchronized, renamed, and the directory synchronized. So after a crash a blob is correct or absent. A file
/// in `uploads/` may hold anything after a crash; it is checked before it becomes a blob.
package final class DirectoryBlobStore: BlobStore {
    private let directory: String
    private let threads: NIOThreadPool
    /// Blobs that a thread is adding to or finishing. Nothing may be added to one that was checked just now.
    private let busy = Mutex<Set<BlobAddress>>([])

    /// Blocks.
    package init(directory: String, threads: NIOThreadPool) throws(BatonError) {
        self.directory = directory
        self.threads = threads
        for path in [directory, directory + "/blobs", directory + "/uploads"] { try SecureDirectory.prepare(path) }
    }

    // MARK: BlobStore

    package func received(_ address: BlobAddress) async throws -> UInt64 {
        try await blocking { [self] in try Self.fileSize(upload(address)) ?? 0 }
    }

    package func append(_ bytes: Data, to address: BlobAddress, at offset: UInt64) async throws {
        try await alone(with: address) { [self] in
            let received = try Self.fileSize(upload(address)) ?? 0
            guard offset == received else { throw BlobFailure.wrongOffset(received) }
            let file = try BlobFile(writing: upload(address))
            do {
                try file.write(bytes, at: offset)
            } catch {
                // The bytes written by a failed attempt must not count as received.
                file.truncate(to: offset)
                throw error
            }
        }
    }

    package func finish(_ address: BlobAddress) async throws {
        try await alone(with: address) { [self] in
            if try Self.fileSize(blob(address)) != nil {
                try Self.remove(upload(address))
                return
            }
            let file = try BlobFile(writing: upload(address))
            guard try file.hash() == address.hash else {
                try Self.remove(upload(address))
                throw BlobFailure.mismatch
            }
            try file.synchronize()
            let folder = try makeFolder(of: address)
            guard rename(upload(address), blob(address)) == 0 else { throw BlobFile.failure("store") }
            try BlobFile.synchronize(directory: folder)
        }
    }

    package func dropUpload(_ address: BlobAddress) async throws {
        try await alone(with: address) { [self] in try Self.remove(upload(address)) }
    }

    package func size(of address: BlobAddress) async throws -> UInt64? {
        try await blocking { [self] in try Self.fileSize(blob(address)) }
    }

    package func read(_ address: BlobAddress, range: Range<UInt64>) async throws -> Data {
        try await blocking { [self] in
            guard let file = try BlobFile(reading: blob(address)) else { throw BlobFailure.unknown }
            return try file.read(range)
        }
    }

    package func remove(_ address: BlobAddress) async throws {
        try await alone(with: address) { [self] in
            try Self.remove(upload(address))
            try Self.remove(blob(address))
        }
    }

    /// Whether a blob's bytes are what its name says. Makes nothing in the directory. Blocks.
    package static func isWhole(_ address: BlobAddress, size: UInt64, in directory: String) -> Bool {
        let path = path(of: address, in: directory)
        guard let file = try? BlobFile(reading: path), Self.size(path) == size else { return false }
        return (try? file.hash()) == address.hash
    }

    // MARK: Files

    private func blob(_ address: BlobAddress) -> String { Self.path(of: address, in: directory) }

    /// Where a blob's file is.
    static func path(of address: BlobAddress, in directory: String) -> String {
        let name = address.hash.hexadecimal
        return "\(directory)/blobs/\(address.space.name)/\(name.prefix(2))/\(name)"
    }

    /// Size of a file; nil when it does not exist. Blocks.
    static func size(_ path: String) -> UInt64? { (try? fileSize(path)) ?? nil }

    private func upload(_ address: BlobAddress) -> String {
        "\(directory)/uploads/\(address.space.name)-\(address.hash.hexadecimal)"
    }

    /// Makes the folder of a blob so that it survives a loss of power.
    private func makeFolder(of address: BlobAddress) throws(BatonError) -> String {
        var path = directory + "/blobs"
        for name in [address.space.name, String(address.hash.hexadecimal.prefix(2))] {
            let parent = path
            path += "/" + name
            if mkdir(path, 0o700) == 0 {
                try BlobFile.synchronize(directory: parent)
            } else if errno != EEXIST {
                throw BlobFile.failure("make a folder for")
            }
        }
        return path
    }

    private static func fileSize(_ path: String) throws(BatonError) -> UInt64? {
        try BlobFile(reading: path)?.size()
    }

    private static func remove(_ path: String) throws(BatonError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw BlobFile.failure("remove") }
    }

    // MARK: Threads

    private func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await threads.runIfActive(body)
    }

    private func alone<Value: Sendable>(
        with address: BlobAddress, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        guard busy.withLock({ $0.insert(address).inserted }) else { throw BlobFailure.busy }
        defer { _ = busy.withLock { $0.remove(address) } }
        return try await blocking(body)
    }
}
