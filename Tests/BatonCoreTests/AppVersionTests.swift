import BatonCore
import Testing

@Suite struct AppVersionTests {
    @Test func `versions are compared number by number`() throws {
        let ordered = try ["0", "0.9", "1", "1.0.1", "1.2", "1.10", "2", "10"].map { try #require(AppVersion($0)) }
        #expect(ordered == ordered.shuffled().sorted())
        #expect(AppVersion("1.0.0") == AppVersion("1"))
        #expect(AppVersion("1.0.0")?.description == "1.0.0")
        #expect(AppVersion("999999999999999999") != nil)
    }

    @Test(
        "what is not 1 to 8 numbers of at most 18 digits is no version",
        arguments: ["", ".", "1.", ".1", "a", "1.-2", "1..2", "1.2.3.4.5.6.7.8.9", "１", "1 2", "1000000000000000000"])
    func invalid(text: String) {
        #expect(AppVersion(text) == nil)
    }
}
