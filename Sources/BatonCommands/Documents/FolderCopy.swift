import BatonCore
import CoreFoundation
import Foundation
import Glibc

/// Copies a person's folder as it is, but for what is no document: pipes and the like, which would be waited for, and what Baton keeps.
/// Names are bytes, and holes stay holes.
enum FolderCopy {
    // Not in the module Glibc.
    private static let (seekData, seekHole): (Int32, Int32) = (3, 4)
    private static let ownNames = [".baton-folder", ".baton-reverted"].map { Array($0.utf8) }

    /// - Parameter target: is made, with the directories that it is in.
    static func copy(_ source: String, to target: String) throws {
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        try fill(Array(target.utf8), from: Array(source.utf8), without: ownNames)
    }

    private static func fill(_ target: [UInt8], from source: [UInt8], without left: [[UInt8]]) throws {
        for name in try names(in: source) where !left.contains(name) {
            let (from, to) = (source + [UInt8(ascii: "/")] + name, target + [UInt8(ascii: "/")] + name)
            var status = stat()
            guard lstat(terminated(from), &status) == 0 else { throw failure(from) }
            switch status.st_mode & S_IFMT {
            case S_IFDIR:
                guard mkdir(terminated(to), 0o700) == 0 else { throw failure(to) }
                try fill(to, from: from, without: [])
            case S_IFREG: try file(to, from: from, size: status.st_size)
            case S_IFLNK:
                var text = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
                guard readlink(terminated(from), &text, Int(PATH_MAX)) >= 0, symlink(text, terminated(to)) == 0 else {
                    throw failure(from)
                }
                continue
            default: continue
            }
            try finish(to, status)
        }
    }

    private static func file(_ target: [UInt8], from source: [UInt8], size: off_t) throws {
        let input = open(terminated(source), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard input >= 0 else { throw failure(source) }
        defer { close(input) }
        let output = open(terminated(target), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw failure(target) }
        defer { close(output) }
        var offset = lseek(input, 0, seekData)
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while offset >= 0 {
            let end = lseek(input, offset, seekHole)
            while offset < end {
                let count = pread(input, &buffer, min(buffer.count, Int(end - offset)), offset)
                guard count >= 0 else { throw failure(source) }
                // It became shorter meanwhile.
                guard count > 0 else { return }
                guard pwrite(output, buffer, count, offset) == count else { throw failure(target) }
                offset += off_t(count)
            }
            offset = lseek(input, offset, seekData)
        }
        guard ftruncate(output, size) == 0 else { throw failure(target) }
    }

    private static func finish(_ path: [UInt8], _ status: stat) throws {
        guard chmod(terminated(path), status.st_mode & 0o7777) == 0,
            utimensat(AT_FDCWD, terminated(path), [status.st_atim, status.st_mtim], 0) == 0
        else { throw failure(path) }
    }

    private static func names(in directory: [UInt8]) throws -> [[UInt8]] {
        guard let stream = opendir(terminated(directory)) else { throw failure(directory) }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
        }
        return names
    }

    private static func terminated(_ path: [UInt8]) -> [CChar] { path.map { CChar(bitPattern: $0) } + [0] }

    private static func failure(_ path: [UInt8]) -> BatonError {
        BatonError(
            .unknown, reason: "not_copied",
            "“\(String(decoding: path, as: UTF8.self).shortened(toBytes: 200))”: \(String(cString: strerror(errno)))")
    }
}
