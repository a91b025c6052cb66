import BatonCore
import BatonStore
import BatonTrust
import Crypto
package import Foundation

/// A blob that is here. Every byte that is read was verified. It stays readable for as long as this value exists.
package struct BlobFile: Sendable {
    let file: StoredBlob
    let reference: BlobReference
    let directory: BlobDirectory

    package var size: UInt64 { reference.size }

    /// - Parameter range: the part beyond the end is left out.
    /// - Throws: `data_loss` (`damaged_blob`).
    package func read(_ range: Range<UInt64>) async throws -> Data {
        let (file, reference) = (file, reference)
        return try await directory.run { try Self.read(range, of: file, reference) }
    }

    package func read() async throws -> Data { try await read(0..<size) }

    private static func read(
        _ range: Range<UInt64>, of file: StoredBlob, _ reference: BlobReference
    ) throws(BatonError) -> Data {
        try open(range, reference) { (place: Range<UInt64>) throws(BatonError) in
            try file.read(place.count, at: place.lowerBound)
        }
    }

    /// - Parameter read: gives sealed bytes.
    static func open(
        _ range: Range<UInt64>, _ reference: BlobReference, read: (Range<UInt64>) throws(BatonError) -> Data
    ) throws(BatonError) -> Data {
        let range = range.clamped(to: 0..<reference.size)
        guard !range.isEmpty || reference.size == 0 else { return Data() }
        return try SealedRange(range, of: reference.paddedSize).open(key: reference.key, read: read)
    }

    /// Writes the contents to a file, which is whole there or not at all, and on the disk when it returns.
    /// - Parameter path: an existing file is replaced.
    package func copy(to path: String) async throws {
        let (file, reference) = (file, reference)
        try await directory.run {
            let copy = try StoredBlob(path: "\(path).\(UInt64.random(in: .min ... .max)).new", create: true)
            do {
                var offset: UInt64 = 0
                while offset < reference.size {
                    let bytes = try Self.read(offset..<offset + (1 << 20), of: file, reference)
                    try copy.write(bytes, at: offset)
                    offset += UInt64(bytes.count)
                }
                if reference.size == 0 { _ = try Self.read(0..<0, of: file, reference) }
                try copy.synchronize()
                try copy.move(to: path)
            } catch {
                copy.remove()
                throw error
            }
            let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
            try BlobDirectory.synchronizeDirectory(parent.isEmpty ? "/" : parent)
        }
    }
}

/// Seals what comes, piece by piece, into a file without a name. Used by one task.
final class BlobWriter {
    private let directory: BlobDirectory
    private let file: StoredBlob
    private let key: [UInt8]
    private var sealer: BlobSealer
    private var hash = SHA256()
    private var waiting = Data()
    private var sealedSize: UInt64 = 0
    private var size: UInt64 = 0

    init(_ directory: BlobDirectory) async throws {
        self.directory = directory
        key = SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
        sealer = try BlobSealer(key: key)
        file = try await directory.run { try directory.temporary() }
    }

    func write(_ piece: Data) async throws {
        guard UInt64(piece.count) <= BlobService.maximumSize, size + UInt64(piece.count) <= BlobService.maximumSize
        else {
            throw BatonError(
                .resourceExhausted, reason: "blob_too_large",
                "A blob may have \(ByteSize.text(BlobService.maximumSize)). Make several of it.")
        }
        size += UInt64(piece.count)
        try await seal(piece)
    }

    private func seal(_ piece: Data) async throws {
        waiting += piece
        // The last chunk is known for the last only at the end.
        var sealed = Data()
        var rest = waiting[...]
        while rest.count > BlobCipher.chunkSize {
            sealed += try sealer.seal(Data(rest.prefix(BlobCipher.chunkSize)), isLast: false)
            rest = rest.dropFirst(BlobCipher.chunkSize)
        }
        waiting = Data(rest)
        try await append(sealed)
    }

    func finish() async throws -> (reference: BlobReference, file: StoredBlob) {
        try await seal(Data(count: Int(clamping: BlobReference.paddedSize(size) - size)))
        try await append(try sealer.seal(waiting, isLast: true))
        guard let id = BlobID(Data(hash.finalize())) else { throw BlobService.damaged }
        return (BlobReference(id: id, key: key, size: size), file)
    }

    /// Has no effect on a blob that has got its name.
    func abandon() { file.remove() }

    private func append(_ bytes: Data) async throws {
        guard !bytes.isEmpty else { return }
        hash.update(data: bytes)
        let (file, offset) = (file, sealedSize)
        try await directory.run { try file.write(bytes, at: offset) }
        sealedSize += UInt64(bytes.count)
    }
}
