import BatonCore
import BatonStore
import BatonTestSupport
import Dispatch
import Foundation
import Synchronization
import Testing

@Suite struct EventLogTests {
    let temporary: TemporaryDirectory
    init() throws { temporary = try TemporaryDirectory() }
    var path: String { temporary.file("events.jsonl") }

    @Test func `records are lines of JSON, and the next daemon knows them`() async throws {
        let log = EventLog(path: path, now: { 1_234_567_890_123_456 })
        log.record("handoff", "payload_received", "It said “\"hello\"\\\n\u{1}” 猫.", ["acceptance_id": "A", "b": "\t"])
        log.record("launch", "launched", "Two.", [:])
        await log.flush()
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 2)
        let first = try JSONDecoder().decode(EventRecord.self, from: Data(lines[0].utf8))
        #expect(first == log.recent().first)
        #expect(first.message == "It said “\"hello\"\\\n\u{1}” 猫.")
        #expect(first.time == 1_234_567_890_123_456)
        let next = EventLog(path: path)
        #expect(next.recent() == log.recent())
        #expect(temporary.permissions("events.jsonl") == 0o600)
    }

    @Test func `the newest are kept in order, and found by acceptance`() async {
        let log = EventLog(path: path)
        for number in 0..<5000 {
            log.record("test", "n", "\(number)", number % 100 == 0 ? ["acceptance_id": "A"] : [:])
            // More than the disk takes would be counted instead.
            if number % 250 == 249 { await log.flush() }
        }
        let recent = log.recent()
        #expect(recent.count == EventLog.ringSize)
        #expect(recent.map(\.message) == (3000..<5000).map(String.init))
        #expect(log.recent(limit: 3).map(\.message) == ["4997", "4998", "4999"])
        #expect(log.recent(limit: 2, acceptanceID: "A").map(\.message) == ["4800", "4900"])
    }

    @Test func `the file is put aside when it is full, and one older is kept`() async throws {
        let log = EventLog(path: path, fileLimit: 10_000)
        for number in 0..<1000 {
            log.record("test", "n", "\(number)", [:])
            if number % 10 == 0 { await log.flush() }
        }
        await log.flush()
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: temporary.path).sorted() == [
                "events.jsonl", "events.jsonl.1",
            ])
        for name in ["events.jsonl", "events.jsonl.1"] {
            let size = try FileManager.default.attributesOfItem(atPath: temporary.file(name))[.size] as? Int ?? .max
            #expect(size <= 10_000)
        }
        let next = EventLog(path: path, fileLimit: 10_000)
        #expect(next.recent(limit: 100).map(\.message) == (900..<1000).map(String.init))
    }

    @Test func `a last line that a crash cut short costs itself only`() async throws {
        let log = EventLog(path: path)
        log.record("test", "n", "whole", [:])
        await log.flush()
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try (text + "{\"category\":\"te").write(toFile: path, atomically: false, encoding: .utf8)
        let next = EventLog(path: path)
        next.record("test", "n", "after", [:])
        await next.flush()
        #expect(EventLog(path: path).recent().map(\.message) == ["whole", "after"])
    }

    @Test func `a disk that takes nothing costs records, not the daemon`() async {
        let log = EventLog(path: temporary.file("missing/events.jsonl"))
        for _ in 0..<10_000 { log.record("test", "n", "x", [:]) }
        await log.flush()
        #expect(log.recent().count == EventLog.ringSize)
    }

    @Test func `what comes faster than the disk takes it is dropped, and the drop is told`() async {
        let gate = DispatchSemaphore(value: 0)
        let isFirst = Mutex(true)
        let log = EventLog(
            path: path,
            beforeWriting: {
                let mustWait = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                if mustWait { gate.wait() }
            })
        let count = EventLog.queueLimit * 2
        for number in 0..<count { log.record("test", "n", "\(number)", [:]) }
        gate.signal()
        await log.flush()
        let written = EventLog(path: path).recent(limit: 0)
        #expect(written.last?.message == "\(count - 1)")
        let notice = log.recent().first { $0.event == "records_dropped" }
        let dropped = notice?.fields["count"].flatMap { Int($0) } ?? 0
        #expect(dropped >= count - EventLog.queueLimit)
        #expect(dropped < count)
        let lines = try? String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count
        #expect(lines == count - dropped + 1)
    }

    @Test func `texts from elsewhere are cut`() {
        let log = EventLog(path: path)
        let fields = Dictionary(uniqueKeysWithValues: (0..<100).map { ("\($0)", String(repeating: "v", count: 1000)) })
        log.record("test", "n", String(repeating: "猫", count: 10_000), fields)
        let record = log.recent()[0]
        #expect(record.message.utf8.count < 1010)
        #expect(record.fields.count == 32)
        #expect(record.fields.values.allSatisfy { $0.utf8.count < 310 })
    }

    @Test func `a follower sees each record from then on, and a slow one loses the oldest`() async {
        let log = EventLog(path: path)
        log.record("test", "n", "before", [:])
        let stream = log.follow()
        for number in 0..<(EventLog.followerLimit + 10) { log.record("test", "n", "\(number)", [:]) }
        var iterator = stream.makeAsyncIterator()
        let seen = [await iterator.next(), await iterator.next()]
        #expect(seen.map(\.?.message) == ["10", "11"])
    }
}
