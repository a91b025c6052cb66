import Baton
import Foundation
import Synchronization

/// Writes without end, and says what is known to be kept; see KillerTests.
///
/// A value is `NAME RUN NUMBER`, so that the later of two of one worker is known.
struct Worker {
    let name: String
    let run: Int

    private static let names = ["A", "B", "C"]
    private static let sharedKeys = 10
    /// Between two writes.
    private static let pause: useconds_t = 20_000

    func work() {
        let ending = Ending()
        Thread.detachNewThread {
            while readLine() != nil {}
            ending.isOver.store(true, ordering: .relaxed)
        }
        let store = NSUbiquitousKeyValueStore.default
        var seen: [String: [Int]] = [:]
        var number = 0
        while !ending.isOver.load(ordering: .relaxed) {
            let key = number.isMultiple(of: 3) ? "own \(name)" : "shared \(Int.random(in: 0..<Self.sharedKeys))"
            let value = "\(name) \(run) \(number)"
            let begin = Self.now
            store.set(value, forKey: key)
            let isKept = store.synchronize()
            write("\(isKept ? "kept" : "unsure")\t\(begin)\t\(Self.now)\t\(key)\t\(value)")
            for other in Self.names {
                guard let text = store.string(forKey: "own \(other)") else { continue }
                let place = text.split(separator: " ").dropFirst().compactMap { Int($0) }
                if let last = seen[other], place.lexicographicallyPrecedes(last) {
                    write("back\t\(Self.now)\town \(other)\t\(text) after \(last)")
                }
                seen[other] = place
            }
            number += 1
            usleep(Self.pause)  // sleeps: as often as an app writes that is used
        }
        write("end")
    }

    /// Milliseconds since 1970.
    private static var now: Int { Int(Date().timeIntervalSince1970 * 1000) }

    private final class Ending: Sendable {
        let isOver = Atomic(false)
    }
}
