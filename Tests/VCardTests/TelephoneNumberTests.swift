import Testing
import VCard

@Suite struct TelephoneNumberTests {
    @Test("Numbers are one whatever parts their digits, and with or without the country's code")
    func matches() {
        #expect(TelephoneNumber.matches("(800) 275-2273", "800.275.2273"))
        #expect(TelephoneNumber.matches("+1 800 275 2273", "800 2752273"))
        #expect(TelephoneNumber.matches("٨٠٠٢٧٥٢٢٧٣", "8002752273"))
    }

    @Test("Short numbers are one only when they are equal, and no number is none")
    func shortNumbers() {
        #expect(TelephoneNumber.matches("110", "1-1-0"))
        #expect(!TelephoneNumber.matches("110", "555110"))
        #expect(!TelephoneNumber.matches("", ""))
        #expect(!TelephoneNumber.matches("none", "of them"))
    }
}
