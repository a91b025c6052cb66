import BatonCore
import Crypto
import Files
import Foundation

/// How a file lies sealed: a mark, the length of the head in four bytes, the head (JSON), HPKE's encapsulated key (32), and
/// pieces of 1 MiB, each with a tag. The head is bound to the key, the order of pieces and the last one are authenticated, so
/// nothing can be cut off, moved or passed off as another file.
enum SealedFile {
    /// Where the file belongs, and what it was.
    struct Head: Codable, Hashable, Sendable {
        var bundleID: String
        var name: String
        var size: Int64
        /// Nanoseconds since 1970.
        var modified: Int64
        /// The clear file's, by which it is recognised after a crash.
        var inode: UInt64
    }

    private static let mark = Array("BATONSEALED1".utf8)
    private static let maximumHead = 4096
    private static let pieceSize = 1 << 20
    private static let tagSize = 16
    private static let keySize = 32
    private static let suite = HPKE.Ciphersuite.Curve25519_SHA256_ChachaPoly

    /// Blocks.
    static func seal(_ source: OpenFile, _ head: Head, to target: OpenFile, publicKey: Data) throws {
        let info = try JSONEncoder().encode(head)
        let key = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey)
        var sender = try HPKE.Sender(recipientKey: key, ciphersuite: suite, info: info)
        let length = UInt32(clamping: info.count)
        try target.write(mark + (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) })
        try target.write(Array(info) + Array(sender.encapsulatedKey))
        let reader = PieceReader(source, pieceSize)
        // A piece and the one after it, which says whether it is the last.
        var (present, following) = (try SecretBuffer(size: pieceSize), try SecretBuffer(size: pieceSize))
        var count = try reader.next(into: present)
        while true {
            let next = try reader.next(into: following)
            let piece = UnsafeRawBufferPointer(rebasing: present.bytes[..<count])
            try target.write(Array(try sender.seal(piece, authenticating: [next == 0 ? 1 : 0] as [UInt8])))
            guard next > 0 else { return }
            (present, following, count) = (following, present, next)
        }
    }

    /// Blocks.
    static func head(of source: OpenFile) throws -> Head {
        var reader = PieceReader(source, mark.count + 4)
        return try JSONDecoder().decode(Head.self, from: info(&reader))
    }

    /// Writes the clear content. Blocks.
    /// - Throws: `data_loss` for one that was damaged, with part of the content written.
    static func open(
        _ source: OpenFile, to target: OpenFile, privateKey: Curve25519.KeyAgreement.PrivateKey
    ) throws {
        var reader = PieceReader(source, mark.count + 4)
        let info = try info(&reader)
        reader.size = keySize
        guard let encapsulated = try reader.next(), encapsulated.count == keySize else { throw damaged }
        do {
            var recipient = try HPKE.Recipient(
                privateKey: privateKey, ciphersuite: suite, info: info, encapsulatedKey: Data(encapsulated))
            reader.size = pieceSize + tagSize
            guard var piece = try reader.next() else { throw damaged }
            while true {
                let next = try reader.next()
                var clear = try recipient.open(piece, authenticating: [next == nil ? 1 : 0] as [UInt8])
                defer { clear.overwrite() }
                try clear.withUnsafeBytes { try target.write($0) }
                guard let next else { return }
                piece = next
            }
        } catch let error as BatonError {
            throw error
        } catch {
            throw damaged
        }
    }

    private static func info(_ reader: inout PieceReader) throws -> Data {
        guard let start = try reader.next(), start.count == mark.count + 4, start.starts(with: mark) else {
            throw damaged
        }
        let length = start.suffix(4).reduce(0) { $0 << 8 | Int($1) }
        guard length > 0, length <= maximumHead else { throw damaged }
        reader.size = length
        guard let info = try reader.next(), info.count == length else { throw damaged }
        return Data(info)
    }

    static let damaged = BatonError(
        .dataLoss, reason: "sealed_file_damaged", "A sealed file is damaged, and cannot be opened.")
}
