import BatonConcurrency
import BatonCore
import Crypto
import FileSync
import Foundation

/// Contents that are here whole, and reading them for another device, or for another file of this one.
extension ContainerWriter {
    /// Bytes that are read under one lease, so that no program waits long to write.
    static let pieceBytes = 4 << 20

    /// Reads ranges of a content while no process writes to it.
    /// - Parameters:
    ///   - ranges: in ascending order.
    ///   - take: is given bytes and where in the content they are; each part lies in one range.
    /// - Throws: `unavailable`: `content_busy` while a process writes to it, `content_not_here`.
    func readHeld(
        _ hash: ContentHash, entry: EntryID?, _ ranges: [Range<UInt64>],
        take: (_ bytes: [UInt8], _ offset: UInt64) async throws -> Void
    ) async throws {
        for (index, range) in ranges.enumerated() {
            var offset = range.lowerBound
            while offset < range.upperBound {
                let count = Int(min(UInt64(Self.pieceBytes), range.upperBound - offset))
                let source = try await perform { try $0.reader.openHeld(hash, entry) }
                switch source {
                case .shelf(let content):
                    let start = offset
                    let bytes = try await io.run { try content.read(count, at: start) }
                    guard bytes.count == count else { throw Self.notHeld }
                    try await take(bytes, start)
                case .file(let file):
                    let start = offset
                    guard let bytes = try await io.run({ try Self.read(file, count, at: start) }) else {
                        // It can be read from its beginning only.
                        var rest = Array(ranges[index...])
                        rest[0] = offset..<range.upperBound
                        return try await readWhole(file, rest, take: take)
                    }
                    try await take(bytes, start)
                }
                offset += UInt64(count)
            }
        }
    }

    /// - Returns: nil for one that is read from its beginning only.
    static func read(_ file: any RestingContent, _ count: Int, at offset: UInt64) throws -> [UInt8]? {
        do {
            guard try file.seek(to: offset) else { return nil }
            var bytes: [UInt8] = []
            if let file = file as? StableFile {
                bytes = try file.read(count)
                guard bytes.count == count else { throw notHeld }
            }
            while bytes.count < count {
                let piece = try file.read()
                guard !piece.isEmpty else { throw notHeld }
                bytes += piece.prefix(count - bytes.count)
            }
            guard try file.isUnchanged() else { throw busy }
            return bytes
        } catch let error as BatonError {
            throw error
        } catch {
            throw busy
        }
    }

    /// Packages and databases that are in use.
    func readWhole(
        _ file: any RestingContent, _ ranges: [Range<UInt64>],
        take: (_ bytes: [UInt8], _ offset: UInt64) async throws -> Void
    ) async throws {
        let parts = try await io.run {
            var parts: [(bytes: [UInt8], offset: UInt64)] = []
            var rest = ranges[...]
            var offset: UInt64 = 0
            do {
                while !rest.isEmpty {
                    let piece = try file.read()
                    guard !piece.isEmpty else { throw Self.notHeld }
                    let end = offset + UInt64(piece.count)
                    while let range = rest.first, range.lowerBound < end {
                        let part = max(range.lowerBound, offset)..<min(range.upperBound, end)
                        if !part.isEmpty {
                            let start = Int(part.lowerBound - offset)
                            parts.append((Array(piece[start..<start + part.count]), part.lowerBound))
                        }
                        guard range.upperBound <= end else { break }
                        rest = rest.dropFirst()
                    }
                    offset = end
                }
                // The bytes read so far may be torn, until all of them are read and unchanged.
                while try !file.read().isEmpty {}
                try file.check()
            } catch let error as BatonError {
                throw error
            } catch {
                throw Self.busy
            }
            return parts
        }
        for part in parts { try await take(part.bytes, part.offset) }
    }

    static let busy = BatonError(
        .unavailable, reason: "content_busy", "A program writes to the file at this moment. It is asked again.")

    static let notHeld = BatonError(
        .unavailable, reason: "content_not_here", "The contents of the file are not on the other device any more.")
}
