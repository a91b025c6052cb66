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

    @Test("The zero before a town's number, or two before a country's, say only how it is dialled")
    func zeros() {
        #expect(TelephoneNumber.matches("0171 4445556", "+49 171 4445556"))
        #expect(TelephoneNumber.matches("0532 123 45 67", "0090 532 1234567"))
        #expect(TelephoneNumber.matches("06 12345678", "+39 06 12345678"))
        #expect(!TelephoneNumber.matches("0171 4445556", "+49 172 4445556"))
        // Short ones are what they are.
        #expect(!TelephoneNumber.matches("0110", "110"))
        #expect(TelephoneNumber.digits(of: "00 49 171 4445556") == "491714445556")
    }

    @Test("An extension or a remark is no part of the number")
    func extensions() {
        for text in ["+49-30-5550000;ext=12", "+49 30 5550000 x12", "+49 30 5550000 ext. 12", "+49 30 5550000,,12#"] {
            #expect(TelephoneNumber.digits(of: text) == "49305550000", "\(text)")
        }
        #expect(TelephoneNumber.matches("030 5550000 (after 6 pm)", "+49305550000"))
        #expect(TelephoneNumber.matches("Tel. 030 5550000", "+49305550000"))
    }

    @Test(
        "What is dialled has digits and a plus only, and nothing else is dialled",
        arguments: [
            ("+49 (30) 555-00.00", "+49305550000"), ("0171/4445556", "01714445556"),
            ("+49-30-5550000;ext=12", "+49305550000"), ("030 5550000 x12", "0305550000"), ("Tel. 112", "112"),
            ("٠٣٠٥٥٥٠٠٠٠", "0305550000"), ("*21*0305550000#", nil), ("0800 FLOWERS", nil), ("12", nil), ("", nil),
            ("030 5550000 or 030 5550001", nil), ("mailto:a@b", nil), ("123456789012345678901", nil),
        ])
    func dialled(text: String, number: String?) {
        #expect(TelephoneNumber.dialled(text) == number)
    }

    @Test("The zero in brackets behind a country's code is no part of the number, and is not dialled")
    func trunk() {
        for number in ["+49 (0)30 555-0100", "0049 (0) 30 5550100", "+49(0)305550100"] {
            #expect(TelephoneNumber.digits(of: number) == "49305550100", "\(number)")
            #expect(TelephoneNumber.matches(number, "030 5550100") && TelephoneNumber.matches(number, "+49 30 5550100"))
        }
        #expect(TelephoneNumber.dialled("+49 (0)30 555-0100") == "+49305550100")
        #expect(
            TelephoneNumber.dialled("(0)30 5550100") == "0305550100" && TelephoneNumber.digits(of: "+44 (0") == "440")
    }
}
