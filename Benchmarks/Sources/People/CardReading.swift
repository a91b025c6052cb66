import BatonCore
import Contacts
import Foundation
import VCard

/// A folder of vCards: how long until all are known, and a look for a telephone number.
enum CardReading {
    static func run(count: Int, folder: String) async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for number in 0..<count {
            let card = """
                BEGIN:VCARD\r
                VERSION:3.0\r
                UID:card-\(number)\r
                N:Family\(number % 997);Given\(number);;;\r
                FN:Given\(number) Family\(number % 997)\r
                TEL;TYPE=CELL:\(telephone(number))\r
                EMAIL:given\(number)@example.com\r
                END:VCARD\r

                """
            try Data(card.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(number).vcf"))
        }
        let book = ContactBook(
            sources: [
                VCardFolder(
                    paths: { AsyncStream { $0.yield(folder) } }, recorder: NullEventRecorder())
            ], recorder: NullEventRecorder())
        let begin = monotonicNanoseconds()
        let changes = book.changes()
        let running = Task { try await book.run() }
        for await _ in changes where book.index.entries.count == count { break }
        let read = Double(monotonicNanoseconds() - begin) / 1e9
        var times: [Double] = []
        for number in stride(from: 0, to: count, by: max(count / 500, 1)) {
            let begin = monotonicNanoseconds()
            let found = book.cards(handle: telephone(number))
            times.append(Double(monotonicNanoseconds() - begin) / 1e6)
            guard found.count == 1 else { throw CocoaError(.featureUnsupported) }
        }
        running.cancel()
        times.sort()
        Lines.print([
            "event": "cards", "count": count, "read_s": read, "look_p50_ms": times[times.count / 2],
            "look_p95_ms": times[times.count * 95 / 100],
        ])
    }

    private static func telephone(_ number: Int) -> String { "+49 30 \(5_000_000 + number)" }
}
