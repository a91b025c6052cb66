import Foundation
import Prediction
import Testing

/// Remembering, explaining and forgetting (P-59 to P-61).
@Suite struct PredictionMemoryTests {
    private static let (mail, notes, player) = (
        PredictionItem.app("com.example.mail"), PredictionItem.app("com.example.notes"),
        PredictionItem.app("com.example.player")
    )

    /// Mail and notes in turn, and eight times headphones, after six of which the player came.
    private static func taught() -> PredictionMemory {
        var memory = PredictionMemory()
        var now: UInt64 = 1_000_000_000
        func name(_ item: PredictionItem) -> String { String(item.app.split(separator: ".").last ?? "") }
        func use(_ item: PredictionItem) {
            now += 60_000
            memory.used(item, name: name(item), now: now, minute: 500)
        }
        for round in 0..<8 {
            for _ in 0..<5 {
                use(mail)
                use(notes)
            }
            now += 3_600_000
            memory.happened(.headphones, now: now, minute: 500)
            use(round < 6 ? player : mail)
        }
        use(mail)
        use(notes)
        return memory
    }

    @Test("headphones lead to what came after them, and it is said how often (P-61)")
    func headphones() throws {
        var memory = Self.taught()
        let now: UInt64 = 2_000_000_000
        #expect(memory.predictions(.app, now: now, minute: 500, limit: 1).first?.item == Self.mail)
        memory.happened(.headphones, now: now, minute: 500)
        let first = try #require(memory.predictions(.app, now: now + 1000, minute: 500, limit: 3).first)
        #expect(first.item == Self.player && first.probability > PredictionNoticePolicy.threshold && first.rank == 1)
        let reasons = memory.reasons(for: Self.player, now: now + 1000, minute: 500) { $0.app }
        #expect(reasons.contains("after headphones connected, 6 of 8 times"))
        // It is over after ten minutes.
        #expect(memory.predictions(.app, now: now + 700_000, minute: 500, limit: 1).first?.item == Self.mail)
        #expect(
            memory.reasons(for: Self.mail, now: now + 700_000, minute: 500) { $0.app }
                .contains { $0.hasPrefix("used often") })
    }

    @Test("what is forgotten leaves no trace: the tables are those of the rest (P-59)")
    func forgetting() throws {
        var memory = Self.taught()
        let before = memory.eventCount
        #expect(memory.forget { item, _ in item == Self.player } == 6)
        #expect(memory.eventCount == before - 6 && memory.uses(of: Self.player) == 0)
        memory.happened(.headphones, now: 2_000_000_000, minute: 500)
        let left = memory.predictions(.app, now: 2_000_000_001, minute: 500, limit: 9)
        #expect(left.map(\.item) == [Self.mail])
        #expect(!String(decoding: try memory.encoded(), as: UTF8.self).contains("player"))
        #expect(memory.forget(since: 0) == memory.eventCount + before - 5)
        #expect(memory.eventCount == 0 && memory.predictions(.app, now: 0, minute: 0, limit: 9).isEmpty)
    }

    @Test("an app that is not here any more is no candidate (P-59)")
    func candidates() {
        let memory = Self.taught()
        let found = memory.predictions(.app, now: 2_000_000_000, minute: 500, limit: 9) { $0 != Self.mail }
        #expect(found.map(\.item) == [Self.player] && found.first?.probability == 1)
    }

    @Test("the file gives the same predictions, and one that is broken gives none (P-59)")
    func file() throws {
        let memory = Self.taught()
        let copy = try PredictionMemory(decoding: try memory.encoded())
        let now: UInt64 = 2_000_000_000
        #expect(
            copy.predictions(.app, now: now, minute: 500, limit: 9)
                == memory.predictions(.app, now: now, minute: 500, limit: 9))
        #expect(throws: (any Error).self) { try PredictionMemory(decoding: Data("{}".utf8)) }
        #expect(throws: (any Error).self) {
            try PredictionMemory(decoding: Data(#"{"version":2,"items":[],"events":[]}"#.utf8))
        }
        let odd = #"{"version":1,"items":[],"events":[1,2,3,-1,0,-1,5,9999,-1,5,5,-99,7,7,-1,8]}"#
        #expect(try PredictionMemory(decoding: Data(odd.utf8)).eventCount == 1)
    }

    @Test("events and items are bounded by number and by age (P-59)")
    func bounds() throws {
        var limits = PredictionMemory.Limits()
        limits.events = 200
        limits.items = 20
        var memory = PredictionMemory(limits: limits)
        for number in 0..<1000 {
            memory.used(
                .init(kind: .media, app: "a", id: "\(number)"), name: "", now: UInt64(number) * 1000, minute: 0)
            #expect(memory.eventCount <= 200)
            #expect(memory.predictions(.media, now: 0, minute: 0, limit: .max).count <= 20)
        }
        memory.used(Self.mail, name: String(repeating: "x", count: 9999), now: 91 * 86_400_000, minute: 0)
        memory.used(Self.notes, name: "", now: 92 * 86_400_000, minute: 0)
        #expect(memory.eventCount == 2)
        #expect(memory.predictions(.app, now: 0, minute: 0, limit: 1).first?.name.utf8.count == 256)
        memory.used(.app(String(repeating: "x", count: 9999)), name: "", now: 0, minute: 0)
        #expect(memory.eventCount == 2)
    }

    @Test("a song may come again, an app in front may not (P-61)")
    func repeats() {
        var memory = PredictionMemory()
        let song = PredictionItem(kind: .media, app: "com.example.player", id: "tone")
        for time in 1...3 {
            memory.used(song, name: "Tone", now: UInt64(time), minute: 0)
            memory.used(Self.mail, name: "Mail", now: UInt64(time), minute: 0)
        }
        #expect(memory.uses(of: song) == 3 && memory.uses(of: Self.mail) == 1)
        #expect(memory.predictions(.media, now: 9, minute: 0, limit: 1).first?.item == song)
        #expect(memory.predictions(.app, now: 9, minute: 0, limit: 1).isEmpty)
    }
}
