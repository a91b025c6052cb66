import Testing

@testable import Contacts

/// When the address books of the desktop are read again.
@Suite struct EvolutionPaceTests {
    private func pause(_ took: Duration, _ passed: Duration) -> Duration {
        EvolutionSource.pause(took: took, passed: passed)
    }

    @Test("a program that says without end that cards have changed has them read a twentieth of the time at most")
    func pace() {
        #expect(pause(.milliseconds(5), .zero) == EvolutionSource.settling)
        #expect(pause(.seconds(1), .zero) == .seconds(20))
        #expect(pause(.seconds(10), .zero) == EvolutionSource.longestPause)
    }

    @Test("a change that comes late is read at once")
    func late() {
        #expect(pause(.seconds(1), .seconds(15)) == .seconds(5))
        #expect(pause(.seconds(1), .seconds(3600)) == EvolutionSource.settling)
    }
}
