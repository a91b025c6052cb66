import Baton
import Foundation
import Synchronization

/// An app with the key-value store, driven line by line: `set KEY VALUE`, `fill COUNT` (so many keys, and on the disk),
/// and `await COUNT` (until the store holds so many). Prints changes, with the times at which they arrived. `container`
/// opens the app's container for documents.
enum Values {
    static func run() {
        let store = NSUbiquitousKeyValueStore.default
        let waiting = Waiting()
        let observer = NotificationCenter.default.addObserver(
            forName: NSUbiquitousKeyValueStore.didChangeExternallyNotification, object: nil, queue: nil
        ) { notification in
            let time = monotonicNanoseconds()
            let keys = notification.userInfo?[NSUbiquitousKeyValueStoreChangedKeysKey] as? [String] ?? []
            Lines.print([
                "event": "changed", "t": Int(time), "count": keys.count, "keys": Array(keys.prefix(10)),
                "value": keys.first.flatMap { store.string(forKey: $0) } ?? "",
            ])
            waiting.look(store, at: time)
        }
        _ = store.synchronize()
        Lines.print(["event": "ready"])
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            switch (words.first, words.count) {
            case ("set", 3):
                let time = monotonicNanoseconds()
                store.set(words[2], forKey: words[1])
                Lines.print(["event": "set", "t": Int(time)])
            case ("fill", 2):
                guard let count = Int(words[1]) else { continue }
                let begin = monotonicNanoseconds()
                for number in 0..<count { store.set("the value \(number)", forKey: "key \(number)") }
                let end = monotonicNanoseconds()
                let isKept = store.synchronize()
                Lines.print([
                    "event": "filled", "kept": isKept, "set_ns": Int(end - begin),
                    "ns": Int(monotonicNanoseconds() - begin),
                ])
            case ("await", 2):
                guard let count = Int(words[1]) else { continue }
                waiting.expect(count)
                waiting.look(store, at: monotonicNanoseconds())
            case ("container", 1):
                let url = FileManager.default.url(forUbiquityContainerIdentifier: nil)
                Lines.print(["event": "container", "path": url?.path ?? ""])
            default: break
            }
        }
        withExtendedLifetime(observer) {}
    }

    private final class Waiting: Sendable {
        private let count = Mutex(Int.max)

        func expect(_ number: Int) { count.withLock { $0 = number } }

        func look(_ store: NSUbiquitousKeyValueStore, at time: UInt64) {
            let held = store.dictionaryRepresentation.count
            let isMet = count.withLock { count in
                guard held >= count else { return false }
                count = .max
                return true
            }
            if isMet { Lines.print(["event": "has", "t": Int(time), "count": held]) }
        }
    }
}
