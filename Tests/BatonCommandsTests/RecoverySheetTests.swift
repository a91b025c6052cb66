import BatonCore
import BatonTrust
import Testing

@testable import BatonCommands

struct RecoverySheetTests {
    private let code = RecoveryCode(
        account: AccountID(unchecked: String(repeating: "A", count: 26)), secret: [UInt8](repeating: 7, count: 16))
    private let fingerprint = [UInt8](0..<32)

    private var sheet: RecoverySheet {
        RecoverySheet(cloud: "https://cloud.example:8443", fingerprint: fingerprint, code: code)
    }

    private func read(_ lines: [String]) throws -> RecoverySheet {
        var reader = RecoverySheetReader(cloud: nil, fingerprint: nil)
        for line in lines where !reader.isComplete { reader.take(line) }
        return try reader.sheet()
    }

    @Test("What the QR code holds, and what is printed, typed from paper, is read as it was")
    func readsItself() throws {
        #expect(try read(sheet.text.split(separator: "\n").map(String.init)) == sheet)
        #expect(try read(sheet.lines) == sheet)
        // As a person types it, who leaves the names out.
        #expect(try read(sheet.lines.map { String($0.dropFirst(17)).lowercased() }) == sheet)
        var plain = sheet
        plain.fingerprint = []
        #expect(try read(plain.text.split(separator: "\n").map(String.init)) == plain)
        #expect(try read(plain.lines) == plain)
        #expect(QRCode(sheet.text) != nil)
    }

    @Test("A sheet without its cloud, with half of a fingerprint, or with a code that is none is refused")
    func refuses() {
        #expect(throws: CommandFailure.self) { try read([code.text]) }
        #expect(throws: CommandFailure.self) {
            try read(["https://cloud.example", "00010203 04050607 08090a0b 0c0d0e0f", code.text])
        }
        #expect(throws: BatonError.self) { try read(["https://cloud.example", "nothing"]) }
        #expect(throws: BatonError.self) { try read([]) }
    }
}
