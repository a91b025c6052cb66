package import BatonCore
import Files
import Synchronization

/// A file that says that a cloud has had an account. It is beside the database, and is there when that is lost.
package final class RegisteredMark: Sendable {
    static let name = "registered"

    private let path: String
    private let isSet = Mutex(false)

    init(folder: String) { path = folder + "/" + Self.name }

    /// Blocks, the first time.
    /// - Throws: when the file cannot be written.
    package func set() throws(BatonError) {
        try isSet.withLock { isSet throws(BatonError) in
            guard !isSet else { return }
            try AtomicFile.write([], to: path)
            isSet = true
        }
    }
}
