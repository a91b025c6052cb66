import BatonCommands
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

/// The values of the command line, and how they are shown.
struct KeyValueContentTests {
    private static func item(_ key: String, _ value: PropertyValue?) -> Baton_Control_V1_KeyValueItem {
        .with {
            $0.key = key
            if let value { $0.value = .init(value) }
            $0.deviceID = "B"
            $0.deviceName = "Laptop"
        }
    }

    /// A store that holds these, and changes so while it is watched.
    private func fixture(
        holding items: [Baton_Control_V1_KeyValueItem] = [], then changes: [[Baton_Control_V1_KeyValueItem]] = []
    ) -> CommandLineFixture {
        let fixture = CommandLineFixture()
        fixture.daemon.on(ControlMethods.listApps) { _ in .init() }
        fixture.daemon.onStream(ControlMethods.readKeyValues) { request in
            AsyncThrowingStream { continuation in
                continuation.yield(.with { $0.items = items })
                for change in changes where request.watch { continuation.yield(.with { $0.items = change }) }
                continuation.finish()
            }
        }
        fixture.daemon.on(ControlMethods.writeKeyValue) { request in
            .with {
                $0.item.key = request.key
                $0.item.value = request.value
            }
        }
        return fixture
    }

    static let long = "[" + String(repeating: "x", count: 5000)
    static let brackets = String(repeating: "[", count: 100)

    static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
    }

    static func nestedValue(_ depth: Int) -> PropertyValue {
        var value = PropertyValue.integer(1)
        for _ in 0..<depth { value = .array([value]) }
        return value
    }

    private static let app = ["--app", "com.example.reader"]

    // MARK: Showing

    @Test(
        "Numbers that JSON does not have are shown by name, and are not null (K-6)",
        arguments: [
            (Double.nan, "NaN", "NaN"), (Double.infinity, "infinity", "Infinity"),
            (-Double.infinity, "-infinity", "-Infinity"),
        ])
    func numbersWithoutJSON(number: Double, text: String, json: String) async throws {
        let fixture = fixture(holding: [Self.item("real", .real(number)), Self.item("list", .array([.real(number)]))])
        #expect(await fixture.run(["kv", "get", "real"] + Self.app) == .success)
        #expect(fixture.output.text == text + "\n")
        #expect(await fixture.run(["kv", "get", "real", "--json"] + Self.app) == .success)
        let shown = try fixture.json(fixture.output)
        #expect(shown["value"] as? String == json && shown["type"] as? String == "real")
        #expect(await fixture.run(["kv", "get", "list", "--json"] + Self.app) == .success)
        #expect(try fixture.json(fixture.output)["value"] as? [String] == [json])
    }

    @Test("A text reaches a pipe as it was stored, and a terminal of any kind without what steers it")
    func controlCharacters() async throws {
        let text = "a\tb \u{1B}[31mred\u{1B}[0m\nnext \\t\r\n"
        let items = [Self.item("key\u{1B}[31m", .string(text))]
        let get = ["kv", "get", "key\u{1B}[31m"] + Self.app
        let piped = fixture(holding: items)
        #expect(await piped.run(get) == .success)
        #expect(piped.output.text == text + "\n")
        #expect(await piped.run(get + ["--json"]) == .success)
        #expect(try piped.json(piped.output)["value"] as? String == text)
        // One that cannot redraw its lines (TERM=dumb) is a terminal, too.
        for isInteractive in [true, false] {
            var fixture = fixture(holding: items)
            fixture.terminal = Terminal(
                isOutputInteractive: isInteractive, isInputInteractive: true, width: 400, isColoured: false)
            #expect(await fixture.run(get) == .success)
            #expect(fixture.output.text == "a\\tb \\u{1B}[31mred\\u{1B}[0m\nnext \\t\\r\n\n")
            for verb in ["list", "watch"] { await fixture.run(["kv", verb] + Self.app) }
            #expect(!fixture.output.text.contains("\u{1B}"))
            #expect(!fixture.output.text.contains("\\\\u"))
        }
    }

    @Test("The device that set a key is named, else identified")
    func setters() async {
        var (unnamed, nobody) = (Self.item("a", .integer(1)), Self.item("b", .integer(1)))
        unnamed.deviceID = "UNNAMED"
        unnamed.deviceName = ""
        (nobody.deviceID, nobody.deviceName) = ("", "")
        let fixture = fixture(holding: [unnamed, nobody])
        #expect(await fixture.run(["kv", "list"] + Self.app) == .success)
        let lines = fixture.output.text.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.dropFirst().first?.contains("UNNAMED") == true)
        #expect(lines.last?.contains("this device") == true)
    }

    @Test("A change that comes twice, from a device and from the cloud, is shown once (K-14)")
    func watchesOnce() async throws {
        let fixture = fixture(
            holding: [Self.item("page", .integer(1)), Self.item("rest", .real(.nan))],
            then: [
                [Self.item("page", .integer(2))], [Self.item("page", .integer(2))],
                [Self.item("page", .integer(2)), Self.item("new", .string("x"))], [Self.item("rest", .real(.nan))],
                [Self.item("page", nil)], [Self.item("page", nil)], [Self.item("unheard", nil)],
                [Self.item("page", .integer(2))],
            ])
        // The stream's end is an error: the daemon has ended.
        #expect(await fixture.run(["kv", "watch"] + Self.app) == .unreachable)
        let keys = try fixture.output.text.split(separator: "\n").map { line -> [String] in
            let list = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return (list?["items"] as? [[String: Any]] ?? []).compactMap { $0["key"] as? String }
        }
        #expect(keys == [["page", "rest"], ["page"], ["new"], ["page"], ["page"]])
    }

    // MARK: Taking

    @Test(
        "A text that is no value is refused in one short sentence that says why, and is not sent",
        arguments: [
            ("real", "nan", "invalid_value", "finite"), ("real", "-inf", "invalid_value", "finite"),
            ("real", "1e999", "value_out_of_range", "too large"), ("real", "-1e999", "value_out_of_range", "too large"),
            ("integer", "9223372036854775808", "value_out_of_range", "64 bits"),
            ("integer", "-9223372036854775809", "value_out_of_range", "--type string"),
            ("integer", "1.5", "invalid_value", "is no integer"), ("integer", "-", "invalid_value", "is no integer"),
            ("date", "2026-01-31T12:00:00Z and more", "invalid_value", "is no date"),
            ("date", "2026-02-30T12:00:00Z", "invalid_value", "no such day"),
            ("date", "2026-02-29T12:00:00Z", "invalid_value", "no such day"),
            ("date", "1900-02-29T12:00:00Z", "invalid_value", "no such day"),
            ("date", "2026-04-31T12:00:00Z", "invalid_value", "no such day"),
            ("date", "2026-01-00T12:00:00Z", "invalid_value", "is no date"),
            ("date", "2026-13-01T12:00:00Z", "invalid_value", "is no date"),
            ("date", "2026-01-31T24:00:00Z", "invalid_value", "no such day"),
            ("date", "2026-01-31T12:60:00Z", "invalid_value", "no such day"),
            ("date", "2026-01-31T12:00:60Z", "invalid_value", "no such day"),
            ("date", "2026-01-31T12:00:00+01:60", "invalid_value", "no such day"),
            ("json", #"{"a":1,"a":2}"#, "invalid_value", "“a” twice"),
            ("json", #"[{"b":{"a":1,"\u0061" : 2}}]"#, "invalid_value", "“a” twice"),
            ("json", "{\"\u{e9}\":1,\"e\u{301}\":2}", "invalid_value", "twice"),
            ("json", "{\"a\":[null]}", "invalid_value", "holds null"), ("json", "[NaN]", "invalid_value", "is no JSON"),
            ("json", KeyValueContentTests.long, "invalid_value", "is no JSON"),
            ("json", KeyValueContentTests.nested(65), "nesting_too_deep", "more than 64"),
            ("json", KeyValueContentTests.nested(5000), "nesting_too_deep", "more than 64"),
        ] as [(String, String, String, String)])
    func refuses(type: String, text: String, reason: String, said: String) async throws {
        let fixture = fixture()
        #expect(await fixture.run(["kv", "set", "key", "--json", "--type", type] + Self.app + ["--", text]) == .usage)
        let error = try #require(try fixture.json(fixture.errors)["error"] as? [String: Any])
        #expect(error["reason"] as? String == reason)
        let message = try #require(error["message"] as? String)
        #expect(message.contains(said) && message.utf8.count < 250, "\(message)")
        #expect(fixture.daemon.requests(of: Baton_Control_V1_WriteKeyValueRequest.self).isEmpty)
    }

    @Test(
        "A value that is just small enough is taken (K-6)",
        arguments: [
            ("integer", "9223372036854775807", PropertyValue.integer(.max)),
            ("integer", "-9223372036854775808", .integer(.min)), ("integer", "+5", .integer(5)),
            ("real", "1.7976931348623157e308", .real(.greatestFiniteMagnitude)),
            ("json", #"["\"[[", "]]\\", []]"#, .array([.string("\"[["), .string("]]\\"), .array([])])),
            ("json", KeyValueContentTests.nested(64), KeyValueContentTests.nestedValue(64)),
            (
                "json", #"{"a":{"a":"a"},"b":[{"a":1},{"a":1}],"c":"a\":"}"#,
                .dictionary([
                    .string("a"): .dictionary([.string("a"): .string("a")]),
                    .string("b"): .array([
                        .dictionary([.string("a"): .integer(1)]), .dictionary([.string("a"): .integer(1)]),
                    ]), .string("c"): .string("a\":"),
                ])
            ),
            // Brackets within a text nest nothing.
            ("json", "[\"\(KeyValueContentTests.brackets)\"]", .array([.string(KeyValueContentTests.brackets)])),
        ] as [(String, String, PropertyValue)])
    func takes(type: String, text: String, value: PropertyValue) async throws {
        let fixture = fixture()
        #expect(await fixture.run(["kv", "set", "key", "--type", type] + Self.app + ["--", text]) == .success)
        let request = try #require(fixture.daemon.requests(of: Baton_Control_V1_WriteKeyValueRequest.self).last)
        #expect(try PropertyValue(request.value) == value)
    }

    @Test(
        "A date is set and shown to the millisecond",
        arguments: [
            ("2026-01-31T12:00:00Z", "2026-01-31T12:00:00Z"), ("2026-01-31T12:00:00.123Z", "2026-01-31T12:00:00.123Z"),
            ("2026-01-31T12:00:00.007Z", "2026-01-31T12:00:00.007Z"),
            ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
            ("2026-01-31T13:00:00.5+01:00", "2026-01-31T12:00:00.500Z"),
            ("2026-01-31T12:00:00.9996Z", "2026-01-31T12:00:01Z"), ("2024-02-29T23:59:59Z", "2024-02-29T23:59:59Z"),
            ("2000-02-29T12:00:00-05:30", "2000-02-29T17:30:00Z"),
        ])
    func dates(text: String, shown: String) async throws {
        let writer = fixture()
        #expect(await writer.run(["kv", "set", "key", text, "--type", "date"] + Self.app) == .success)
        let request = try #require(writer.daemon.requests(of: Baton_Control_V1_WriteKeyValueRequest.self).last)
        let reader = fixture(holding: [Self.item("key", try PropertyValue(request.value))])
        #expect(await reader.run(["kv", "get", "key"] + Self.app) == .success)
        #expect(reader.output.text == shown + "\n")
        #expect(await reader.run(["kv", "get", "key", "--json"] + Self.app) == .success)
        #expect(try reader.json(reader.output)["value"] as? String == shown)
    }
}
