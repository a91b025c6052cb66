import BatonConcurrency
import BatonCore
import Opening
import Testing

@Suite("How often apps may have something opened")
struct OpeningRateTests {
    private static func app(_ number: Int) -> AppIdentity {
        AppIdentity(
            bundleID: BundleID(unchecked: "com.example.a\(number)"),
            team: TeamIdentity(fingerprint: [UInt8](repeating: 1, count: 32)))
    }

    private static func count(_ rate: inout OpeningRate, _ app: AppIdentity, at seconds: Int, of tries: Int) -> Int {
        (0..<tries).count { _ in (try? rate.take(app, now: Timestamp(.seconds(seconds)))) != nil }
    }

    @Test("An app has a burst and then one a second, and takes nothing from another app")
    func rate() {
        var rate = OpeningRate()
        #expect(Self.count(&rate, Self.app(1), at: 10, of: 100) == 20)
        #expect(Self.count(&rate, Self.app(2), at: 10, of: 5) == 5)
        #expect(Self.count(&rate, Self.app(1), at: 13, of: 100) == 3)
        #expect(Self.count(&rate, Self.app(1), at: 1000, of: 100) == 20)
        #expect(throws: BatonError.self) { try rate.take(Self.app(1), now: Timestamp(.seconds(1000))) }
    }

    @Test("It keeps few apps, and forgets the one that opened longest ago")
    func bound() {
        var rate = OpeningRate()
        for number in 0..<200 { _ = Self.count(&rate, Self.app(number), at: number, of: 1) }
        #expect(rate.count == OpeningRate.maximumApps)
    }
}
