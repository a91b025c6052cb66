import BatonCore
import Foundation

/// Reads an app's output: the lines of its log, from an offset on. When a log has grown, the daemon renames it at the
/// next launch and starts a new one.
struct AppOutput: Sendable {
    /// Between two looks at a log that is followed. A person sees no difference, and the machine neither.
    static let pause = Duration.milliseconds(200)
    /// Read at once.
    private static let pieceSize = 1 << 20
    /// A longer line is shown in pieces.
    private static let maximumLine = 64 << 10

    let path: String
    private var file: UInt64?
    private var offset: UInt64 = 0
    /// The beginning of a line whose end was not printed yet.
    private var rest = Data()

    init(path: String) { self.path = path }

    /// The newest lines that are there. One that has no end yet comes with its end.
    /// - Parameter limit: nil for all.
    mutating func newest(_ limit: Int?) async throws -> [String] {
        var lines: [String] = []
        while true {
            let more = try await next()
            if more.isEmpty { break }
            lines += more
            if let limit, lines.count > limit { lines.removeFirst(lines.count - limit) }
        }
        return lines
    }

    /// The lines that came since; none when nothing did.
    mutating func next() async throws -> [String] {
        let (path, known, start) = (path, file, offset)
        let read = try await blocking { try Self.read(path, from: known, start) }
        var lines: [String] = []
        if read.file != file, !rest.isEmpty {
            lines.append(String(decoding: rest, as: UTF8.self))
            rest = Data()
        }
        (file, offset) = (read.file, read.offset)
        rest += read.bytes
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            lines.append(String(decoding: rest[..<end], as: UTF8.self))
            rest = Data(rest[rest.index(after: end)...])
        }
        if rest.count > Self.maximumLine {
            lines.append(String(decoding: rest, as: UTF8.self))
            rest = Data()
        }
        return lines
    }

    /// Reads the rest of a renamed log first. Blocks.
    private static func read(
        _ path: String, from known: UInt64?, _ offset: UInt64
    ) throws -> (file: UInt64?, offset: UInt64, bytes: Data) {
        let present = number(of: path)
        if let known, present != known, number(of: path + ".1") == known {
            let old = try piece(path + ".1", offset)
            if !old.isEmpty { return (known, offset + UInt64(old.count), old) }
        }
        guard let present else { return (nil, 0, Data()) }
        let start = present == known ? offset : 0
        let bytes = try piece(path, start)
        return (present, start + UInt64(bytes.count), bytes)
    }

    private static func number(of path: String) -> UInt64? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.systemFileNumber] as? NSNumber)?.uint64Value
    }

    private static func piece(_ path: String, _ offset: UInt64) throws -> Data {
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? handle.close() }
            try handle.seek(toOffset: offset)
            return try handle.read(upToCount: pieceSize) ?? Data()
        } catch {
            throw BatonError(
                .failedPrecondition, reason: "app_log_unreadable", "The log “\(path)” cannot be read.", cause: error)
        }
    }
}
