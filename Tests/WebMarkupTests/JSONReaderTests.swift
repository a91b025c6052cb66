import Testing
import WebMarkup

/// JSON as real pages have it, and no more than that.
@Suite struct JSONReaderTests {
    private func read(_ text: String, values: Int = 1000) throws -> JSONValue? {
        var remaining = values
        return try JSONReader.value(of: Array(text.utf8), values: &remaining).value
    }

    private static let object = JSONValue.object(JSONObject([("a", .number("1"))]))

    @Test(arguments: [
        "{\"a\":1}", " {\"a\":1 } ", "\u{FEFF}{\"a\":1}", "{\"a\":1,}", "{\"a\":1};", "{\"a\":1} ;\n",
        "<!--\n{\"a\":1}\n-->", "<!-- a page's -->{\"a\":1}", "<![CDATA[{\"a\":1}]]>", "//<![CDATA[\n{\"a\":1}\n//]]>",
        "/*<![CDATA[*/{\"a\":1}/*]]>*/", "/* a */ {\"a\":1} // b",
    ])
    func `What pages do to JSON is taken`(_ text: String) throws {
        #expect(try read(text) == Self.object)
    }

    @Test func `Raw control characters in texts are kept`() throws {
        #expect(try read("\"a\nb\tc\"") == .string("a\nb\tc"))
    }

    @Test(arguments: [
        "{a:1}", "{'a':1}", "{\"a\":1,,}", "{,}", "[,1]", "[1 2]", "{\"a\" 1}", "{\"a\":}", "01", "1.", "+1", ".5",
        "1e",
        "NaN", "undefined", "tru", "\"a", "\"\\x\"", "\"\\u12\"", "{\"a\":1}}", "{\"a\":1};;", "{\"a\":/**/1}", "[1;]",
        "{\"a\":1} {\"b\":2}",
    ])
    func `Anything else is no JSON`(_ text: String) {
        #expect(throws: JSONReader.Failure.self) { try read(text) }
    }

    @Test func `A text without a value is none`() throws {
        #expect(try read("  <!-- nothing --> ") == nil)
    }

    @Test func `Escapes are read, and half of a surrogate pair is replaced`() throws {
        #expect(try read(#""\u00e9\ud83d\ude00\/\n""#) == .string("é😀/\n"))
        #expect(try read(#""\ud83dx""#) == .string("\u{FFFD}x"))
    }

    @Test func `Numbers keep their digits`() throws {
        #expect(try read("[94105.00, -1e5]") == .array([.number("94105.00"), .number("-1e5")]))
    }

    @Test func `At the bound on values everything that is open is closed`() throws {
        var remaining = 4
        let (value, isTruncated) = try JSONReader.value(
            of: Array(#"{"a":[1,2,3,4,5],"b":6}"#.utf8), values: &remaining)
        #expect(isTruncated)
        #expect(value == .object(JSONObject([("a", .array([.number("1"), .number("2")]))])))
    }

    @Test func `Values too deep within each other are refused`() {
        let text = String(repeating: "[", count: 10_000)
        #expect(throws: JSONReader.Failure.tooDeep) { try read(text, values: 100_000) }
    }
}
