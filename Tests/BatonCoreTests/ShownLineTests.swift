import BatonCore
import Testing

@Suite struct ShownLineTests {
    @Test("a text of others is one line without controls and direction marks, and keeps what scripts and emoji need")
    func kept() {
        #expect("Pay\u{202E}\u{2066} now\n\u{1B}[2J\u{2028}x".shownLine(toBytes: 100) == "Pay now  [2J x")
        #expect("👩\u{200D}💻 क्\u{200D}ष".shownLine(toBytes: 100) == "👩\u{200D}💻 क्\u{200D}ष")
    }

    @Test("it is cut between characters, however long it is, and no limit is too small")
    func cut() {
        #expect(String(repeating: "é", count: 1 << 20).shownLine(toBytes: 11) == "éééé…")
        #expect("abc".shownLine(toBytes: 3) == "abc" && "abc".shownLine(toBytes: 0).isEmpty)
        #expect("abc".shownLine(toBytes: -1).isEmpty)
    }
}
