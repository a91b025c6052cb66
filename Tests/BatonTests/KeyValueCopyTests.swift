import Baton
import BatonCore
import Foundation
import Testing

@testable import AppLink

@Suite("The app's copy of its key-value store") struct KeyValueCopyTests {
    private func loaded(_ values: [String: PropertyValue] = [:], _ limits: KeyValueLimits = .classic) -> KeyValueCopy {
        var copy = KeyValueCopy(limits: limits)
        _ = tell(&copy, values.mapValues { Optional($0) }, isSnapshot: true, revision: 1)
        return copy
    }

    private func tell(
        _ copy: inout KeyValueCopy, _ values: [String: PropertyValue?], _ reason: KeyValueCopy.Reason? = nil,
        isSnapshot: Bool = false, era: UInt64 = 1, revision: UInt64
    ) -> KeyValueCopy.Announcements {
        copy.told(
            values.map { ($0.key, .init(value: $0.value, version: Data("\(revision)\($0.key)".utf8)), reason) },
            isSnapshot: isSnapshot, era: era, revision: revision, limits: copy.limits)
    }

    /// A separate function, because a mutating call cannot be an expectation.
    private func write(_ copy: inout KeyValueCopy, _ value: PropertyValue?, forKey key: String, time: UInt64) -> Bool {
        copy.write(value, forKey: key, time: time)
    }

    @Test("A written value is read until the daemon has taken it and said so, and nothing is announced")
    func writes() {
        var copy = loaded(["key": .integer(1)])
        #expect(write(&copy, .integer(2), forKey: "key", time: 5))
        let batch = copy.takeBatch()
        #expect(batch.map(\.write.replaces) == [Data("1key".utf8)])
        #expect(copy.value(forKey: "key") == .integer(2))
        #expect(copy.answered([("key", .taken, Data("v".utf8))], revision: 2).isEmpty)
        #expect(copy.value(forKey: "key") == .integer(2))
        // The replacement is known before its notification has come.
        #expect(write(&copy, .integer(3), forKey: "key", time: 6))
        #expect(copy.takeBatch().map(\.write.replaces) == [Data("v".utf8)])
        #expect(tell(&copy, ["key": .integer(2)], revision: 2).isEmpty)
        #expect(copy.value(forKey: "key") == .integer(3))
        #expect(copy.answered([("key", .taken, Data("w".utf8))], revision: 3).isEmpty)
        #expect(tell(&copy, ["key": .integer(3)], revision: 3).isEmpty)
        #expect(copy.values == ["key": .integer(3)])
        #expect(copy.totalBytes == 8)
        #expect(copy.count == 1)
    }

    @Test("A later value of another device shows when the own one has lost against it, not before")
    func superseded() {
        var copy = loaded()
        _ = copy.write(.integer(1), forKey: "key", time: 5)
        _ = copy.takeBatch()
        #expect(tell(&copy, ["key": .integer(9)], .server, revision: 2).isEmpty)
        #expect(copy.value(forKey: "key") == .integer(1))
        #expect(copy.answered([("key", .superseded, Data("v".utf8))], revision: 2) == [.server: ["key"]])
        #expect(copy.value(forKey: "key") == .integer(9))
    }

    @Test("Writes of one key wait once; a second one goes out after the first was answered, and replaces it")
    func coalesces() {
        var copy = loaded()
        for number in 0..<1000 { _ = copy.write(.integer(Int64(number)), forKey: "key", time: 5) }
        #expect(copy.takeBatch().map(\.write.value) == [.integer(999)])
        for number in 0..<1000 { _ = copy.write(.integer(Int64(-number)), forKey: "key", time: 6) }
        #expect(copy.values == ["key": .integer(-999)])
        _ = copy.answered([("key", .taken, Data("v".utf8))], revision: 2)
        #expect(!copy.isAnswered(copy.lastNumber))
        let batch = copy.takeBatch()
        #expect(batch.map(\.write.replaces) == [Data("v".utf8)])
        _ = copy.answered([("key", .taken, Data("w".utf8))], revision: 3)
        #expect(copy.isAnswered(copy.lastNumber))
        #expect(copy.takeBatch().isEmpty)
    }

    @Test("Writes in transit when the connection broke are sent again, unchanged")
    func connectionLost() {
        var copy = loaded()
        _ = copy.write(.integer(1), forKey: "a", time: 5)
        _ = copy.write(.integer(1), forKey: "b", time: 6)
        let first = copy.takeBatch()
        _ = copy.write(.integer(2), forKey: "b", time: 7)
        copy.connectionLost()
        #expect(copy.values == ["a": .integer(1), "b": .integer(2)])
        #expect(tell(&copy, [:], isSnapshot: true, revision: 1).isEmpty)
        let again = copy.takeBatch()
        #expect(again.map(\.key) == ["a", "b"])
        #expect(again.map(\.write.time) == [5, 7])
        #expect(again.map(\.write.replaces) == first.map(\.write.replaces))
    }

    @Test("Writes that the daemon refuses as a whole are sent one by one, and only those refused then are dropped")
    func careful() {
        var copy = loaded(["b": .integer(0)])
        for key in ["a", "b", "c"] { _ = copy.write(.integer(1), forKey: key, time: 5) }
        _ = copy.takeBatch()
        copy.batchRefused()
        var outcomes: [KeyValueCopy.Announcements] = []
        for key in ["a", "b", "c"] {
            #expect(copy.takeBatch().map(\.key) == [key])
            outcomes.append(copy.answered([(key, key == "b" ? .refused : .taken, Data())], revision: 0))
        }
        #expect(outcomes == [[.server: ["a"]], [.quotaViolation: ["b"]], [.server: ["c"]]])
        #expect(copy.value(forKey: "b") == .integer(0))
    }

    @Test("A value without room is not written; what others filled beyond the limit may shrink (K-3, K-4, K-5)")
    func limits() {
        var copy = loaded(["a": .data(Data(count: 60_000))])
        #expect(!write(&copy, .data(Data(count: 70_000)), forKey: "a", time: 5))
        #expect(!write(&copy, .data(Data(count: 6000)), forKey: "b", time: 5))
        #expect(copy.values == ["a": .data(Data(count: 60_000))])
        _ = tell(&copy, ["c": .data(Data(count: 60_000))], .server, revision: 2)
        #expect(!write(&copy, .data(Data(count: 60_001)), forKey: "a", time: 5))
        #expect(write(&copy, .data(Data(count: 50_000)), forKey: "a", time: 5))
        #expect(write(&copy, nil, forKey: "c", time: 5))
        #expect(write(&copy, .data(Data(count: 6000)), forKey: "b", time: 5))
        #expect(copy.totalBytes == 56_000)
        var present = loaded([:], .present)
        for number in 0..<1024 { #expect(write(&present, .integer(1), forKey: "\(number)", time: 5)) }
        #expect(!write(&present, .integer(1), forKey: "more", time: 5))
    }

    @Test("Another spelling of one text has its own size, so that later values that fit are taken (K-3, K-4)")
    func spellings() {
        let (composed, decomposed) = (
            String(repeating: "\u{e9}", count: 20_000), String(repeating: "e\u{301}", count: 20_000)
        )
        var copy = loaded(["text": .string(decomposed), "list": .array([.string(decomposed.prefix(1).description)])])
        #expect(write(&copy, .string(composed), forKey: "text", time: 5))
        #expect(copy.totalBytes == 40_008)
        #expect(write(&copy, .data(Data(count: (64 << 10) - 40_008)), forKey: "rest", time: 5))
        #expect(copy.totalBytes == 64 << 10)
        // From another device, too; and within a container.
        let told = tell(
            &copy, ["list": .array([.string("\u{e9}")]), "text": .string(composed)], .server, revision: 2)
        #expect(told == [.server: ["list"]])
        #expect(copy.totalBytes == (64 << 10) - 1)
    }

    @Test("A snapshot takes the place of everything but what waits; only what the app sees otherwise is announced")
    func snapshots() {
        var copy = loaded(["gone": .integer(1), "same": .integer(1), "changed": .integer(1), "waits": .integer(1)])
        _ = copy.write(.integer(2), forKey: "waits", time: 5)
        let announced = tell(
            &copy, ["same": .integer(1), "changed": .integer(2), "waits": .integer(1), "new": .integer(1)],
            isSnapshot: true, revision: 9)
        #expect(announced == [.server: ["changed", "gone", "new"]])
        #expect(copy.values["waits"] == .integer(2))
        #expect(copy.count == 4)
        // Each with its reason; what the store forgot is no value.
        let news = copy.told(
            [
                ("new", .init(value: .integer(5), version: Data([1])), .initialSync),
                ("same", .init(value: nil, version: Data()), .server),
            ], isSnapshot: false, era: 1, revision: 10, limits: .classic)
        #expect(news == [.initialSync: ["new"], .server: ["same"]])
    }

    @Test("With another account everything goes, also what was written for the former one")
    func accounts() {
        var copy = loaded(["key": .integer(1)])
        _ = copy.write(.integer(2), forKey: "mine", time: 5)
        #expect(
            tell(&copy, ["new": .integer(3)], isSnapshot: true, era: 2, revision: 1) == [
                .account: ["key", "mine", "new"]
            ])
        #expect(copy.values == ["new": .integer(3)])
        #expect(!copy.hasQueued)
        // With the daemon away from the start, writes are for any account.
        var early = KeyValueCopy(limits: .classic)
        _ = early.write(.integer(1), forKey: "key", time: 5)
        _ = early.write(nil, forKey: "other", time: 5)
        _ = tell(&early, ["other": .integer(1)], isSnapshot: true, era: 7, revision: 1)
        #expect(early.values == ["key": .integer(1)])
        #expect(early.takeBatch().map(\.key) == ["key", "other"])
    }
}
