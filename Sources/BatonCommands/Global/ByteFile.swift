import BatonCore
import Files
import Foundation

/// Files of bytes that a person names. Blocks.
enum ByteFile {
    /// The beginning of a file, up to one byte over `limit`.
    static func read(_ path: String, limit: Int) throws(BatonError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("read", path) }
        defer { close(descriptor) }
        return try read(descriptor: descriptor, limit: limit, name: path)
    }

    static func read(
        descriptor: Int32, limit: Int, name: String = "standard input"
    ) throws(BatonError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= limit {
            let wanted = min(buffer.count, limit + 1 - bytes.count)
            let chunk = try readSome(descriptor, &buffer, wanted, name)
            if chunk.isEmpty { break }
            bytes += chunk
        }
        return bytes
    }

    /// Reads the bytes that are there, and waits if there are none; empty at the end.
    static func readChunk(descriptor: Int32, name: String = "standard input") throws(BatonError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        return Array(try readSome(descriptor, &buffer, buffer.count, name))
    }

    private static func readSome(
        _ descriptor: Int32, _ buffer: inout [UInt8], _ wanted: Int, _ name: String
    ) throws(BatonError) -> ArraySlice<UInt8> {
        let count = buffer.withUnsafeMutableBytes { bytes in
            Result { () throws(BatonError) in
                try FileIO.read(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<wanted])) {
                    failure("read", name, errno: $0)
                }
            }
        }
        return buffer[..<(try count.get())]
    }

    /// Puts a file in the place of what is there: either is whole, whatever happens.
    static func write(_ bytes: [UInt8], to path: String) throws(BatonError) {
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw BatonError(
                .failedPrecondition, reason: "file_not_written",
                "The file “\(path)” could not be written. Is its folder there, and is it yours?", cause: error)
        }
    }

    private static func failure(_ verb: String, _ path: String, errno number: Int32 = errno) -> BatonError {
        let code: BatonError.Code =
            switch number {
            case ENOENT, ENOTDIR: .notFound
            case EACCES, EPERM: .permissionDenied
            default: .failedPrecondition
            }
        return BatonError(
            code, reason: "file_not_\(verb)",
            "“\(path)” could not be \(verb): \(FileFailure.description(of: number)).")
    }
}
