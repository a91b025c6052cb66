import BatonCommands
import BatonCore
import Foundation
import Testing

struct OutputTests {
    @Test(
        "Text from elsewhere cannot steer a terminal",
        arguments: [
            ("\u{1B}[2Jgone", "\\u{1B}[2Jgone"),
            ("a\u{9B}31mb", "a\\u{9B}31mb"),
            ("two\nlines\r\t", "two\\nlines\\r\\t"),
            ("\u{202E}txt.exe", "\\u{202E}txt.exe"),
            ("zero\u{200B}width\u{FEFF}", "zero\\u{200B}width\\u{FEFF}"),
            ("a\u{2028}b\u{7F}", "a\\u{2028}b\\u{7F}"),
            ("Küche 厨房 👩‍🍳", "Küche 厨房 👩‍🍳"),
        ])
    func escapes(text: String, expected: String) {
        #expect(TerminalText.escape(text) == expected)
    }

    @Test(
        "A text of several lines keeps its lines and Baton's colours, and nothing else that steers",
        arguments: [
            ("a\n\u{1B}[31mred\u{1B}[0m", "a\n\u{1B}[31mred\u{1B}[0m"),
            ("\u{1B}[2J\u{1B}[m\u{1B}[1;31m\u{1B}[", "\\u{1B}[2J\u{1B}[m\\u{1B}[1;31m\\u{1B}["),
            ("a\r\n\u{2066}b\u{1B}", "a\\r\n\\u{2066}b\\u{1B}"), ("\u{1B}[1", "\\u{1B}[1"),
        ])
    func defuses(text: String, expected: String) {
        #expect(TerminalText.defuse(text) == expected)
    }

    @Test(
        "A text of several lines that somebody stored keeps its lines, and nothing that steers",
        arguments: [
            ("a\n\n\u{1B}[31mred\tx", "a\n\n\\u{1B}[31mred\\tx"), ("a\r\n", "a\\r\n"), ("\\t\n", "\\t\n"), ("", ""),
        ])
    func escapesLines(text: String, expected: String) {
        #expect(TerminalText.escapeLines(text) == expected)
    }

    @Test(
        "The rows of a text are those to which a terminal wraps it",
        arguments: [
            ("", 1), ("12345", 1), ("123456", 2), ("1\n2\n", 3), ("12345\n1234567890\n1", 4),
            ("\u{1B}[1m12345\u{1B}[0m", 1),
            // Wide characters take two columns and are not cut in half.
            ("厨房", 1), ("厨房厨", 2), ("1234厨", 2),
        ])
    func rows(text: String, rows: Int) {
        #expect(TerminalText.rows(text, columns: 5) == rows)
        #expect(
            TerminalText.rows(text, columns: nil) == text.split(separator: "\n", omittingEmptySubsequences: false).count
        )
    }

    @Test("A redrawn block begins where the old one began, wrapped rows included")
    func redraws() {
        var block = RedrawnText(columns: 5)
        #expect(block.replacing(with: "123456\nx") == "123456\nx\n")
        #expect(block.replacing(with: "y") == "\u{1B}[3A\u{1B}[Jy\n")
        #expect(block.replacing(with: "z") == "\u{1B}[1A\u{1B}[Jz\n")
    }

    @Test("JSON is read back as it was written, and holds no character that steers a terminal")
    func jsonRoundTrip() throws {
        let text = "quote \" back \\ \u{1B}[2J \u{9B} \u{202E} \u{E0001} ümlaut 👩‍🍳 \n"
        let value: JSONValue = ["text": .string(text), "list": [1, true, nil, "x"], "big": .init(UInt64.max)]
        let line = value.description
        #expect(!line.unicodeScalars.contains(where: TerminalText.isUnsafe))
        let read = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(read["text"] as? String == text)
        #expect((read["list"] as? [Any])?.count == 4)
        #expect(read["big"] as? Int64 == .max)
    }

    @Test("The members of a JSON object stay in order")
    func jsonOrder() {
        let value: JSONValue = ["b": 1, "a": 2]
        #expect(value.merging(["0": nil]).description == #"{"b":1,"a":2,"0":null}"#)
    }

    @Test("A table aligns its columns by what a terminal shows, wide characters included")
    func tableAligns() {
        var table = TextTable(columns: [.init("NAME"), .init("STATE")], width: nil, paint: Paint(isColoured: false))
        table.add("厨房", "here")
        table.add("abc", "there")
        #expect(table.render() == "NAME  STATE\n厨房  here\nabc   there")
    }

    @Test("A table that is too wide cuts its flexible columns")
    func tableFits() {
        var table = TextTable(
            columns: [.init("TITLE", isFlexible: true), .init("ID")], width: 20, paint: Paint(isColoured: false))
        table.add(String(repeating: "long ", count: 10), "ABCDEF")
        let lines = table.render().split(separator: "\n").map(String.init)
        #expect(lines.allSatisfy { TerminalText.width($0) <= 20 })
        #expect(lines.last == "long long l…  ABCDEF")
    }

    @Test("Sentences about a row stand below it, and make no column wide")
    func tableNotes() {
        for width in [nil, 40] {
            var table = TextTable(
                columns: [.init("NAME"), .init("STATE", isFlexible: true), .init("PLACE")], width: width,
                paint: Paint(isColoured: false))
            table.add("a", "waits", "x")
            table.add(notes: ["A program has the file open\nfor writing."])
            table.add("b", "fine", "y")
            let lines = table.render().split(separator: "\n").map(String.init)
            #expect(lines.first == "NAME  STATE  PLACE" && lines.last == "b     fine   y")
            let notes = lines.dropFirst(2).dropLast().map { $0.drop { $0 == " " } }
            #expect(notes.joined(separator: " ") == "A program has the file open\\nfor writing.")
            #expect(lines.allSatisfy { TerminalText.width($0) <= width ?? 80 })
        }
    }

    @Test("A cell cannot start a line of its own")
    func tableEscapes() {
        var table = TextTable(columns: [.init("NAME")], width: nil, paint: Paint(isColoured: false))
        table.add("evil\nNAME\u{1B}[1A")
        #expect(table.render() == "NAME\nevil\\nNAME\\u{1B}[1A")
    }

    @Test("Words are coloured only when colours are wanted")
    func paints() {
        #expect(Paint(isColoured: true)(.red, "x") == "\u{1B}[31mx\u{1B}[0m")
        #expect(Paint(isColoured: false)(.red, "x") == "x")
    }

    @Test("A log's time is local and has milliseconds; the date is there when it is another day")
    func clockTime() throws {
        let zone = try #require(TimeZone(secondsFromGMT: 3600))
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let time: UInt64 = 1_800_000_000_007_900
        #expect(TimeFormat.clockTime(microseconds: time, now: now, timeZone: zone) == "09:00:00.007")
        let later = now.addingTimeInterval(86_400)
        #expect(TimeFormat.clockTime(microseconds: time, now: later, timeZone: zone) == "2027-01-15 09:00:00.007")
    }

    @Test("An age is told in the unit that suits it")
    func ages() {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let ages = [0, 1_800_000_000_000, 1_799_999_990_000, 1_799_999_000_000, 1_799_990_000_000, 1_799_000_000_000]
            .map { TimeFormat.age(milliseconds: UInt64($0), now: now) }
        #expect(ages == ["never", "just now", "10 s ago", "16 min ago", "2 h ago", "11 d ago"])
    }

    @Test("Writing to a pipe that nobody reads ends the command")
    func closedPipe() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        signal(SIGPIPE, SIG_IGN)
        close(ends[0])
        defer { close(ends[1]) }
        let sink = FileDescriptorSink(ends[1])
        let failure = #expect(throws: CommandFailure.self) { try sink.write("text") }
        #expect(failure?.status == .outputClosed && failure?.error == nil)
    }

    @Test("A full disk is not taken for a reader that has gone")
    func fullDisk() throws {
        let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let failure = #expect(throws: CommandFailure.self) { try FileDescriptorSink(descriptor).write("text") }
        #expect(failure?.status == .outputFailed && failure?.error?.code == .resourceExhausted)
        #expect(failure?.error?.message.contains("No space left on device") == true)
    }

    @Test("A pipe that does not wait is written to as a whole, as its reader reads")
    func unwaitingPipe() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (reader, writer) = (ends[0], ends[1])
        try #require(fcntl(writer, F_SETFL, O_NONBLOCK) == 0)
        let bytes = [UInt8](repeating: 7, count: 1 << 20)
        async let count = blockingCount(reader)
        try FileDescriptorSink(writer).write(bytes)
        close(writer)
        #expect(await count == bytes.count)
        close(reader)
    }

    private func blockingCount(_ descriptor: Int32) async -> Int {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var buffer = [UInt8](repeating: 0, count: 65_536)
                var total = 0
                while case let count = read(descriptor, &buffer, buffer.count), count > 0 { total += count }
                continuation.resume(returning: total)
            }
        }
    }
}
