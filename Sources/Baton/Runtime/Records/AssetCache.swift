import Foundation
import Synchronization

/// Where the bytes of fetched assets lie: a folder of this process, only for its user, which goes when the process ends.
///
/// A file is named by what is in it, so one content lies here once. Bounded by what the app fetches.
final class AssetCache: Sendable {
    private let made = Mutex<URL?>(nil)

    /// Made at the first use; what processes that were killed have left goes then.
    func folder() throws -> URL {
        try made.withLock { made in
            if let made { return made }
            let temporary = FileManager.default.temporaryDirectory
            Self.removeLeftovers(in: temporary)
            let path = temporary.appendingPathComponent("\(Self.prefix)\(getpid())-XXXXXX").path
            var template = Array(path.utf8CString)
            guard mkdtemp(&template) != nil else {
                throw CKError(.internalError, "No folder for assets could be made in “\(temporary.path)”.")
            }
            let name = template.withUnsafeBufferPointer { buffer in
                String(decoding: buffer.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            }
            let folder = URL(fileURLWithPath: name, isDirectory: true)
            made = folder
            return folder
        }
    }

    func remove() {
        made.withLock { made in
            if let made { try? FileManager.default.removeItem(at: made) }
            made = nil
        }
    }

    private static let prefix = "baton-assets-"

    /// Those of this user whose process is gone.
    private static func removeLeftovers(in folder: URL) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where name.hasPrefix(prefix) {
            guard let number = name.dropFirst(prefix.count).split(separator: "-").first.flatMap({ pid_t($0) }),
                number > 0, kill(number, 0) != 0, errno == ESRCH
            else { continue }
            let path = folder.appendingPathComponent(name).path
            var status = stat()
            guard lstat(path, &status) == 0, status.st_uid == getuid() else { continue }
            try? FileManager.default.removeItem(atPath: path)
        }
    }
}
