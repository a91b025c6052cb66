import BatonTestSupport
import Foundation
import Testing

@testable import Sync

/// One message of an exchange with a near device.
@Suite("Contents that fit into a message", .timeLimit(.minutes(1))) struct FittingContentsTests {
    private func fill(_ store: [String: Data], _ names: [String], bytes: Int) -> (FittingContents, asked: [Int]) {
        var message = FittingContents(bytes: bytes)
        var asked: [Int] = []
        while let some = message.next(of: names) {
            asked.append(some.count)
            message.add(store.filter { some.contains($0.key) }, for: some)
        }
        return (message, asked)
    }

    @Test("many small ones are asked for together, and not many more than fit")
    func small() {
        let names = (0..<5000).map { "\(10_000 + $0)" }
        let store = Dictionary(uniqueKeysWithValues: names.map { ($0, Data(count: 100)) })
        let (message, asked) = fill(store, names, bytes: 100_000)
        let each = 100 + 5 + 16
        #expect(message.count == 100_000 / each && message.contents.count == message.count)
        #expect(asked.count < 10 && asked.reduce(0, +) < message.count + 10)
    }

    @Test("what is not there is settled, and one that is too large is given alone")
    func others() {
        let names = ["a", "gone", "b", "large", "c"]
        let store = ["a": Data(count: 1), "b": Data(count: 1), "large": Data(count: 1000), "c": Data(count: 1)]
        let (message, _) = fill(store, names, bytes: 200)
        #expect(message.count == 3 && Set(message.contents.keys) == ["a", "b"])
        let (rest, _) = fill(store, Array(names[3...]), bytes: 200)
        #expect(rest.count == 1 && Set(rest.contents.keys) == ["large"])
        let (last, _) = fill(store, Array(names[4...]), bytes: 200)
        #expect(last.count == 1 && Set(last.contents.keys) == ["c"])
        #expect(fill(store, ["gone", "gone too"], bytes: 200).0.count == 2)
        #expect(fill(store, [], bytes: 200).0.count == 0)
    }

    @Test("all of any contents come, in some messages", arguments: 0..<20 as Range<UInt64>)
    func complete(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let names = (0..<Int.random(in: 1..<700, using: &generator)).map { "name \($0)" }
        var store: [String: Data] = [:]
        for name in names where Int.random(in: 0..<5, using: &generator) > 0 {
            store[name] = Data(count: Int.random(in: 0..<3, using: &generator) == 0 ? 4000 : 20)
        }
        var rest = names[...]
        var came: [String: Data] = [:]
        while !rest.isEmpty {
            let (message, _) = fill(store, Array(rest), bytes: 10_000)
            #expect(message.count > 0)
            #expect(message.contents.reduce(0) { $0 + $1.value.count + $1.key.utf8.count + 16 } <= 10_000)
            came.merge(message.contents) { $1 }
            rest = rest.dropFirst(message.count)
        }
        #expect(came == store)
    }
}
