import BatonCore
import Synchronization

/// Keeps what was recorded.
final class MemoryRecorder: EventRecorder {
    private let records = Mutex<[String]>([])
    func record(_ category: String, _ event: String, _ message: String, _ fields: [String: String]) {
        records.withLock { $0.append(event) }
    }
    var events: [String] { records.withLock { $0 } }
}
