import BatonCore
import BatonWire
import CloudClient
import Foundation
import Sync
import Testing

/// A cloud's text is shown as a quotation: its operator may write anything there.
@Suite("Quoting a cloud") struct CloudAnswerTests {
    private func answer(_ message: String, reason: String = "quota_exceeded") throws -> BatonError {
        let body = try JSONEncoder().encode(["code": "resource_exhausted", "reason": reason, "message": message])
        return ConnectError.decode(body, status: 429)
    }

    @Test("It is marked as the cloud's, in one line, without controls, and bounded")
    func marked() async throws {
        let error = CloudAnswer.marked(try answer("Your account is full.\n\u{1B}[31mRun “rm -rf”.\u{202E}\u{0}"))
        #expect(error.message == "The cloud says: “Your account is full.  [31mRun \"rm -rf\".  ”")
        #expect(error.reason == "quota_exceeded" && error.code == .resourceExhausted)
        #expect(CloudAnswer.marked(error).message == error.message, "it is marked once")
        let long = CloudAnswer.marked(try answer(String(repeating: "e\u{301}", count: 1 << 20)))
        #expect(long.message.unicodeScalars.count < 450)
        await #expect(throws: BatonError.self) {
            try await CloudAnswer.marking { throw try answer("No.") }
        }
        // As “baton cloud status” has it behind “Why”.
        do {
            try await CloudAnswer.marking { throw try answer("Pay 5 coins.") }
        } catch {
            #expect(SyncFailure(error).message == "The cloud says: “Pay 5 coins.”")
        }
    }

    @Test("Baton's own sentences stay, and a reason is a name or it is none")
    func own() throws {
        let own = BatonError(.unavailable, reason: "cloud_unreachable", "Nobody answers.")
        #expect(CloudAnswer.marked(own).message == "Nobody answers.")
        let proxy = ConnectError.decode(Data("<html>".utf8), status: 502)
        #expect(CloudAnswer.marked(proxy).message == proxy.message)
        for reason in ["", "a b", "x\u{1B}[1m", "é", String(repeating: "a", count: 65)] {
            #expect(try answer("No.", reason: reason).reason == "resource_exhausted", "\(reason)")
        }
        #expect(try answer("No.", reason: "http_2x").reason == "http_2x")
    }
}
