import Glibc
import Testing

@testable import Media

@Suite struct PlayerRefusalTests {
    @Test("A player that does not answer has not refused: it may yet do what it was asked (P-62)")
    func silence() {
        #expect(PlayerWatch.refusal(of: "VLC", ETIMEDOUT, "Method call timed out").hasPrefix("VLC does not answer."))
        #expect(PlayerWatch.refusal(of: "VLC", EPERM, "No.\nNever.").hasPrefix("VLC refused. No."))
    }
}
