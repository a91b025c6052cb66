import Foundation
import Synchronization

/// A line of the script.
struct ProbeCommand: Decodable, Sendable {
    var `do`: String
    var id: String?
    var type: String?
    var title: String?
    var mode: String?
    var minimum: String?
    var bytes: Int?
    var number: Int?
    var values: Bool?
    var needsSave: Bool?
    var current: Bool?
    var expiresIn: Double?
    var streams: Bool?
    var page: String?
    var handoff: Bool?
    var search: Bool?
    var prediction: Bool?
    var publicIndexing: Bool?
    var keywords: [String]?
    var required: [String]?
    var persistent: String?
    var description: String?
    /// Whether the activity is about a place.
    var place: Bool?
    /// The place without MapKit: texts and numbers of the attribute set.
    var attributes: [String: String]?
    /// The names of responders.
    var names: [String]?
    /// Entries of `userInfo`.
    var texts: [String: String]?
    /// Whether the activity's delegate has a method for saving; true unless it says otherwise.
    var saves: Bool?
    var urls: [String]?
}

/// How the probe misbehaves; read by callbacks on other threads.
final class Behaviour: Sendable {
    private let value = Mutex("")
    var mode: String {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}

/// Holds a callback up until it is ended.
final class Silence: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    func wait() { semaphore.wait() }
    func end() { semaphore.signal() }
}

enum ProbeLog {
    static func print(_ event: [String: String]) {
        let data = try? JSONSerialization.data(withJSONObject: event, options: [.sortedKeys, .withoutEscapingSlashes])
        FileHandle.standardOutput.write((data ?? Data()) + Data("\n".utf8))
    }
}

/// A FIFO that outlives its writers.
struct CommandPipe: Sendable {
    let path: String

    /// On a thread of its own, which ends with the process.
    func read(_ handle: @escaping @Sendable (String) -> Void) {
        unlink(path)
        guard mkfifo(path, 0o600) == 0, let file = fopen(path, "r+") else {
            return ProbeLog.print(["event": "error", "message": "No FIFO at \(path)"])
        }
        let descriptor = fileno(file)
        Thread.detachNewThread {
            guard let file = fdopen(descriptor, "r") else { return }
            var buffer: UnsafeMutablePointer<CChar>?
            var capacity = 0
            while case let count = getline(&buffer, &capacity, file), count > 0, let buffer {
                handle(String(decoding: UnsafeRawBufferPointer(start: buffer, count: count - 1), as: UTF8.self))
            }
        }
    }
}

/// One value of every type that a `userInfo` may hold (H-23), and what it must be on arrival.
enum ProbeValues {
    static let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    static let date = Date(timeIntervalSinceReferenceDate: 123_456.789)

    static var all: [AnyHashable: Any] {
        [
            "boolean": true, "integer": -42, "unsigned": UInt64.max, "real": 1.0, "string": "Ünïcode 🐒",
            "data": Data([0, 255, 1]), "date": date, "url": URL(string: "https://example.org/a?b#c") as Any,
            "uuid": uuid, "null": NSNull(), "array": [1, "two", [3.5]] as [Any], "set": Set(["a", "b"]),
            "dictionary": ["nested": ["deep": false]], 7: "a key that is a number",
        ]
    }

    /// Bytes that show when one is missing, doubled or in the wrong place.
    static func data(_ count: Int) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ ($0 >> 8)) })
    }

    /// The entries that are texts and numbers, as `key=value`.
    static func text(_ userInfo: [AnyHashable: Any]?) -> String {
        let entries = (userInfo ?? [:]).compactMap { key, value -> String? in
            guard let key = key.base as? String else { return nil }
            if let text = value as? String { return "\(key)=\(text)" }
            return (value as? Int).map { "\(key)=\($0)" }
        }
        return entries.sorted().joined(separator: ",")
    }

    /// Names what did not arrive as it was sent; “same” when all did.
    static func difference(_ userInfo: [AnyHashable: Any]) -> String {
        let array = userInfo["array"] as? [Any]
        let nested = (userInfo["dictionary"] as? [AnyHashable: Any])?["nested"] as? [AnyHashable: Any]
        let checks: [(String, Bool)] = [
            ("boolean", userInfo["boolean"] as? Bool == true && type(of: userInfo["boolean"] ?? 0) == Bool.self),
            ("integer", userInfo["integer"] as? Int == -42 && type(of: userInfo["integer"] ?? "") == Int.self),
            ("unsigned", userInfo["unsigned"] as? UInt64 == .max),
            ("real", userInfo["real"] as? Double == 1 && type(of: userInfo["real"] ?? 0) == Double.self),
            ("string", userInfo["string"] as? String == "Ünïcode 🐒"),
            ("data", userInfo["data"] as? Data == Data([0, 255, 1])),
            ("date", userInfo["date"] as? Date == date),
            ("url", (userInfo["url"] as? URL)?.absoluteString == "https://example.org/a?b#c"),
            ("uuid", userInfo["uuid"] as? UUID == uuid), ("null", userInfo["null"] is NSNull),
            (
                "array",
                array?.count == 3 && array?[0] as? Int == 1 && array?[1] as? String == "two"
                    && array?[2] as? [Double] == [3.5]
            ),
            ("set", userInfo["set"] as? Set<String> == ["a", "b"]),
            ("dictionary", nested?["deep"] as? Bool == false),
            ("number key", userInfo[7] as? String == "a key that is a number"),
            ("count", userInfo.filter { $0.key != AnyHashable("filled") }.count == 14),
        ]
        let wrong = checks.filter { !$0.1 }.map(\.0)
        return wrong.isEmpty ? "same" : wrong.joined(separator: ",")
    }
}
