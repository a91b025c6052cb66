import Baton
import Foundation

// Uses the key-value store in ways that tests ask for, and prints one line for each; see KeyValueStoreTests.
//
// It runs no main queue, as a plain tool that has none.

func write(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

/// The first use of the store, by more tasks than the pool has threads, each of which waits for the daemon.
///
/// A function, because tasks of top-level code are the main actor's, whose thread waits here.
func crowd() {
    let count = 4 * ProcessInfo.processInfo.activeProcessorCount
    let done = DispatchSemaphore(value: 0)
    for number in 0..<count {
        // Awaited by the semaphore below.
        Task {
            let store = NSUbiquitousKeyValueStore.default
            store.set(Int64(number), forKey: "crowd \(number)")
            write("\(number) \(store.synchronize()) \(store.longLong(forKey: "crowd \(number)"))")
            done.signal()
        }
    }
    for _ in 0..<count { done.wait() }
}

/// One value of every kind that a property list has.
enum PropertyLists {
    static var values: [String: Any] {
        [
            "string": "Ünïcode 🐒", "data": Data([0, 255, 1]), "date": Date(timeIntervalSinceReferenceDate: 123_456.789),
            "integer": -42, "unsigned": UInt64.max, "real": 0.1, "boolean": true, "empty": [String: Any](),
            "array": [1, "two", [3.5, false] as [Any]] as [Any],
            "dictionary": ["deep": ["er": [Data([7]), Date(timeIntervalSinceReferenceDate: 1)] as [Any]]],
        ]
    }

    /// The keys whose values are not what was set.
    static func differences(from kept: [String: Any]) -> [String] {
        Set(values.keys).union(kept.keys).filter { key in
            guard let value = values[key], let other = kept[key] else { return true }
            // A Boolean is no number, and a fraction no integer.
            return type(of: value as Any) != type(of: other as Any) && !(value is [Any] || value is [String: Any])
                || !NSArray(array: [value]).isEqual(NSArray(array: [other]))
        }.sorted()
    }
}

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "crowd":
    crowd()
    write("end")
case "main":
    // On the main thread, whose queue does not run.
    let store = NSUbiquitousKeyValueStore.default
    store.set("main", forKey: "main")
    write("\(store.synchronize()) \(store.string(forKey: "main") ?? "")")
case "exit":
    // Ends at once.
    NSUbiquitousKeyValueStore.default.set(arguments[1], forKey: "exit")
case "read":
    write(NSUbiquitousKeyValueStore.default.string(forKey: arguments[1]) ?? "nil")
case "set-values":
    let store = NSUbiquitousKeyValueStore.default
    for (key, value) in PropertyLists.values { store.set(value as Any?, forKey: key) }
    write(store.synchronize() ? "kept" : "not kept")
case "compare-values":
    let differences = PropertyLists.differences(from: NSUbiquitousKeyValueStore.default.dictionaryRepresentation)
    write(differences.isEmpty ? "same" : "different: \(differences)")
case "fill":
    // Until it is killed: each number is printed once it is on the disk.
    for number in 0... {
        NSUbiquitousKeyValueStore.default.set(Int64(number), forKey: "fill")
        if NSUbiquitousKeyValueStore.default.synchronize() { write("\(number)") }
    }
case "work":
    // Sets one key of its own and ten that others set too, until its input ends, and looks that no worker's own key goes back.
    Worker(name: arguments[1], run: Int(arguments[2]) ?? 0).work()
default:
    write("unknown")
}
