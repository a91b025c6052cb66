import BatonConcurrency
import BatonCore
import Crypto
import FileSync
import Foundation

/// Contents that are here whole, and reading them for another device, or for another file of this one.
extension ContainerEngine {
    /// Bytes that are read under one lease, so that no program waits long to write.
    private static let pieceBytes = 4 << 20

    /// Reads ranges of a content while nobody writes to it.
    /// - Parameters:
    ///   - ranges: in ascending order.
    ///   - take: is given bytes and where in the content they are; each part lies in one range.
    /// - Throws: `unavailable`: `content_busy` while somebody writes to it, `content_not_here`.
    nonisolated func readHeld(
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
    private static func read(_ file: any RestingContent, _ count: Int, at offset: UInt64) throws -> [UInt8]? {
        do {
            guard try file.seek(to: offset) else { return nil }
            var bytes: [UInt8] = []
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
    private nonisolated func readWhole(
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
                // What was read may be torn, until all of it was read and is as it was.
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

    // MARK: Room

    /// Soon, once for all contents that come until then.
    func tidyShelfLater() {
        guard !isTidyDue else { return }
        isTidyDue = true
        later(after: Self.retryDelay) { $0.tidyShelf() }
    }

    /// What the shelf has that is in the tree, or that nothing names any more, goes.
    func tidyShelf() {
        isTidyDue = false
        guard !isStopped else { return }
        let hashes = shelf.hashes
        guard !hashes.isEmpty else { return }
        let inTree = planner.state.base.hashes
        for hash in hashes {
            guard !flights.contains(hash) else { continue }
            // What is kept for another device may be named a little later.
            let isNeeded = planner.state.entries.isNamed(hash) || !shelf.isOld(hash)
            if inTree.contains(hash) || !isNeeded { shelf.remove(hash) }
        }
    }

    /// A file that left the tree here stays as a content, where no cloud has it.
    /// - Returns: whether it is kept.
    func keepDisplaced(_ handle: LocalHandle, _ hash: ContentHash) -> Bool {
        guard !direct.hasCloud || direct.notInCloud.contains(hash) || direct.awaited[hash] != nil,
            planner.state.entries.isNamed(hash), !shelf.has(hash), planner.state.base.ids(holding: hash).isEmpty,
            let name = disk.staged[handle]
        else { return false }
        do {
            guard disk.isPlain(handle) else {
                try copy(handle, hash)
                return false
            }
            try shelf.keep(name, as: hash)
            disk.forgetStaged(handle)
            return true
        } catch {
            // It may be the only copy: it waits in staging, and the next start tries again.
            return true
        }
    }

    /// A crash may have come after it was durable that a file was compared, and before it was kept.
    /// - Returns: whether the file stays, since it is a content that no cloud has, or cannot be looked at now.
    func keepLeftover(_ handle: LocalHandle) -> Bool {
        guard !direct.hasCloud || !direct.notInCloud.isEmpty, let (directory, name, node) = disk.find(handle) else {
            return false
        }
        if node.kind == .directory || node.kind == .package { disk.packages.insert(handle) }
        if node.mode & 0o400 == 0 { disk.makeReadable(directory, name) }
        do {
            let file = try disk.resting(directory, name, handle)
            var whole = SHA256()
            while true {
                let piece = try file.read()
                if piece.isEmpty { break }
                whole.update(data: piece)
            }
            return keepDisplaced(handle, ContentCutter.digest(whole))
        } catch RestingFile.Unrest.changed {
            return false
        } catch {
            // It is in use, or cannot be read now: it may be the only copy.
            return true
        }
    }

    /// A package or a database is kept as the one file that its content is.
    private func copy(_ handle: LocalHandle, _ hash: ContentHash) throws {
        guard let (directory, name, _) = disk.find(handle) else { return }
        let file = try disk.resting(directory, name, handle, content: hash)
        let part = try shelf.part(hash)
        var offset: UInt64 = 0
        while true {
            let piece = try file.read()
            if piece.isEmpty { break }
            try part.write(piece, at: offset)
            offset += UInt64(piece.count)
        }
        try file.check()
        _ = try shelf.finish(part, hash, size: offset)
    }
}
