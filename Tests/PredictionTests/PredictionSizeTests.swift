import Foundation
import Testing

@testable import Prediction

/// 20,000 events are small, in memory and on the disk, and files of earlier versions are read (P-59).
@Suite struct PredictionSizeTests {
    @Test("an event takes 8 bytes and keeps its second, its minute and its subject (P-59)")
    func event() {
        #expect(MemoryLayout<PredictionEvent>.size == 8)
        for subject in [PredictionEvent.Subject.item(0), .item(70_000), .context(.headphones), .context(.unlock)] {
            let event = PredictionEvent(subject: subject, minute: 1439, time: 1_767_225_599_999)
            #expect(event.subject == subject && event.minute == 1439)
            #expect(event.time == 1_767_225_599_000 && event.end == 1_767_225_599_999)
        }
        // A clock that lies does not become another event.
        #expect(PredictionEvent(subject: .item(3), minute: 0, time: .max).subject == .item(3))
    }

    @Test("what came after two others is counted in 8 bytes each, in any order, without an end to the count (P-59)")
    func triples() {
        var triples = PredictionTriples()
        var expected: [[UInt32]: Int] = [:]
        var state: UInt64 = 1
        for _ in 0..<20_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let parts = [UInt32(state >> 60), UInt32(state >> 56 & 15), UInt32(state >> 52 & 15)]
            triples.add(last: parts[0], before: parts[1], next: UInt16(parts[2]))
            expected[parts, default: 0] += 1
        }
        for (parts, count) in expected {
            #expect(triples.count(last: parts[0], before: parts[1], next: UInt16(parts[2])) == count)
        }
        #expect(triples.count(last: 16, before: 0, next: 0) == 0)
        #expect(triples.count(last: 65_535, before: 65_535, next: 65_535) == 0)
        for _ in 0..<70_000 { triples.add(last: 65_534, before: 65_535, next: 65_535) }
        #expect(triples.count(last: 65_534, before: 65_535, next: 65_535) == 65_535)
        #expect(triples.count(last: 65_535, before: 0, next: 0) == 0)
    }

    @Test("20,000 events of 100 items are less than 1 MiB on the disk (P-59)")
    func file() throws {
        var memory = PredictionMemory()
        for number in 0..<20_000 {
            memory.used(
                .app("com.example.application\(number * 7919 % 100)"), name: "Application \(number % 100)",
                now: 1_700_000_000_000 + UInt64(number) * 300_000, minute: number * 5 % 1440)
        }
        let size = try memory.encoded().count
        #expect(memory.eventCount > 17_000 && size < 1 << 20)
    }

    @Test("a file of the first version is read, with its times in milliseconds (P-59)")
    func oldFile() throws {
        let text = """
            {"version":1,"items":[{"kind":"app","app":"com.example.mail","id":"","name":"Mail"},
            {"kind":"media","app":"com.example.player","id":"tone","name":"Tone"}],
            "events":[1700000000123,480,0,1700000060456,481,-1,1700000061789,481,1,1700000061790,481,7,1,2,-99]}
            """
        let memory = try PredictionMemory(decoding: Data(text.utf8))
        #expect(memory.eventCount == 3 && memory.known.map(\.name) == ["Mail", "Tone"])
        #expect(
            memory.times(PredictionItem(kind: .media, app: "com.example.player", id: "tone"), after: .headphones) == 1)
        var rest = memory
        #expect(rest.forget(since: 1_700_000_060_456) == 2)
    }
}
