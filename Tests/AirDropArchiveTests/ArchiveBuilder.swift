import AirDropProtocol
import BatonCore

/// The body of an upload, written as a test wants it.
struct ArchiveBuilder: ~Copyable {
    private var writer = ArchiveWriter()
    private var bytes: [UInt8] = []

    mutating func file(_ path: String, _ text: String = "text") throws(BatonError) {
        try add(path, .file, Array(text.utf8))
    }

    mutating func directory(_ path: String) throws(BatonError) { try add(path, .directory, []) }

    mutating func link(_ path: String, to target: String) throws(BatonError) {
        try add(path, .symbolicLink, Array(target.utf8))
    }

    mutating func add(_ path: String, _ kind: ArchiveEntry.Kind, _ data: [UInt8]) throws(BatonError) {
        let entry = ArchiveEntry(path: Array(path.utf8), kind: kind, size: UInt64(data.count), modified: 1_700_000_000)
        try writer.begin(entry) { bytes += $0 }
        let result = data.withUnsafeBytes { buffer -> Result<Void, BatonError> in
            do throws(BatonError) { return .success(try writer.write(buffer) { bytes += $0 }) } catch {
                return .failure(error)
            }
        }
        try result.get()
        try writer.end()
    }

    consuming func finished() throws(BatonError) -> [UInt8] {
        try writer.finish { bytes += $0 }
        return bytes
    }
}
