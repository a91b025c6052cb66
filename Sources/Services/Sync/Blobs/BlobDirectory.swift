import BatonConcurrency
import BatonCore
import Crypto
import Files
import Foundation
import Glibc

/// The files of sealed blobs: each is whole under its name, or absent. Incoming ones have another name.
struct BlobDirectory: Sendable {
    let path: String
    private let queue = BlockingQueue("development.baton.blobs")

    /// Blocks.
    init(path: String) throws(BatonError) {
        try SecureDirectory.prepare(path)
        self.path = path
    }

    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await queue.run(body)
    }

    private func file(_ blob: BlobID) -> String { "\(path)/\(blob)" }
    private func part(_ blob: BlobID) -> String { file(blob) + ".part" }

    // MARK: Names. All of these block.

    func size(of blob: BlobID) -> UInt64? { Self.size(file(blob)) }

    func remove(_ blob: BlobID) {
        unlink(file(blob))
        unlink(part(blob))
    }

    /// Removes leftovers of a crash: unknown blobs and unfinished imports. Parts of downloads stay.
    func clean(known: Set<BlobID>) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return }
        let whole = Set(known.map(\.description))
        for name in names where !whole.contains(name) && !(name.hasSuffix(".part")) { unlink("\(path)/\(name)") }
    }

    /// Parts of abandoned downloads.
    func cleanParts(olderThan seconds: Double) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return }
        for name in names where name.hasSuffix(".part") {
            let path = "\(path)/\(name)"
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            guard let date = attributes?[.modificationDate] as? Date, -date.timeIntervalSinceNow > seconds else {
                continue
            }
            unlink(path)
        }
    }

    // MARK: Writing

    /// A file that is being put.
    func temporary() throws(BatonError) -> StoredBlob {
        try StoredBlob(path: "\(path)/\(UInt64.random(in: .min ... .max)).new", create: true)
    }

    /// A blob that is being fetched: the bytes received so far are still there.
    func partial(_ blob: BlobID) throws(BatonError) -> StoredBlob { try StoredBlob(path: part(blob), create: true) }

    /// The whole blob is on the disk under its name when it returns.
    func keep(_ file: StoredBlob, as blob: BlobID) throws(BatonError) {
        try file.synchronize()
        try file.move(to: self.file(blob))
        try Self.synchronizeDirectory(path)
    }

    func open(_ blob: BlobID) throws(BatonError) -> StoredBlob { try StoredBlob(path: file(blob), create: false) }

    /// The SHA-256 of a file's bytes.
    func hash(of file: StoredBlob) throws(BatonError) -> Data {
        var hash = SHA256()
        var offset: UInt64 = 0
        while true {
            let bytes = try file.read(1 << 20, at: offset)
            guard !bytes.isEmpty else { return Data(hash.finalize()) }
            hash.update(data: bytes)
            offset += UInt64(bytes.count)
        }
    }

    static func synchronizeDirectory(_ path: String) throws(BatonError) {
        let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StoredBlob.failure("write", path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw StoredBlob.failure("write", path) }
    }

    private static func size(_ path: String) -> UInt64? {
        guard let file = try? StoredBlob(path: path, create: false) else { return nil }
        return try? file.size
    }
}

/// An open file, with the blobs' own words for what fails; closed with its last reference. Every method blocks.
final class StoredBlob: Sendable {
    let path: String
    private let descriptor: Int32

    /// - Parameter create: to be written; made unless it is there.
    init(path: String, create: Bool) throws(BatonError) {
        let flags = create ? O_RDWR | O_CREAT : O_RDONLY
        descriptor = open(path, flags | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(create ? "write" : "read", path) }
        self.path = path
    }

    deinit { close(descriptor) }

    var size: UInt64 {
        get throws(BatonError) {
            let end = lseek(descriptor, 0, SEEK_END)
            guard end >= 0 else { throw Self.failure("read", path) }
            return UInt64(end)
        }
    }

    func write(_ bytes: Data, at offset: UInt64) throws(BatonError) {
        try FileIO.writeAll(bytes, to: descriptor, at: offset) { Self.failure("write", path, errno: $0) }
    }

    /// Fewer at the end.
    func read(_ count: Int, at offset: UInt64) throws(BatonError) -> Data {
        Data(
            try FileIO.readAll(descriptor, count: count, at: offset) { Self.failure("read", path, errno: $0) })
    }

    func synchronize() throws(BatonError) {
        guard fsync(descriptor) == 0 else { throw Self.failure("write", path) }
    }

    func move(to other: String) throws(BatonError) {
        guard rename(path, other) == 0 else { throw Self.failure("write", other) }
    }

    func remove() { unlink(path) }

    static func failure(_ action: String, _ path: String, errno code: Int32 = errno) -> BatonError {
        let isFull = code == ENOSPC || code == EDQUOT
        return BatonError(
            isFull ? .resourceExhausted : code == ENOENT ? .notFound : .unavailable,
            reason: isFull ? "disk_full" : code == ENOENT ? "file_not_found" : "file_error",
            "Could not \(action) “\(path)”: \(FileFailure.description(of: code)). Check the disk and its free space.")
    }
}
