import Testing

@testable import BatonCommands

@Suite("Identifiers as people see them")
struct ShownIdentifierTests {
    @Test("An identifier of another program's, as the UID of a calendar's file, steers no terminal and begins no line")
    func escaped() {
        #expect(ShownIdentifier.text("x\u{1B}[31m\n") == "x\\u{1B}[31m\\n")
        #expect(ShownIdentifier.text("ABCDEFGHIJ") == "ABCDEFGH")
    }
}
