import BatonCore
import BatonTestSupport
import Foundation
import Testing

@Suite("Identifiers")
struct IdentifierTests {
    @Test("Bundle identifiers are reverse-DNS names (H-97)", arguments: ["com.example.App", "a", "a-b_c.D9"])
    func validBundleIDs(text: String) {
        #expect(BundleID(rawValue: text)?.rawValue == text)
    }

    @Test(
        "A text that could leave a folder, or is no name, is not a bundle identifier: a path that leaves its folder",
        arguments: [
            "", ".", "..", "a..b", ".a", "a.", "../x", "a/b", "a\\b", "a b", "a\0b", "ä.b", "a\n", "-rf", "_a.b",
            "--help.example",
            String(repeating: "a", count: 156),
        ])
    func invalidBundleIDs(text: String) {
        #expect(BundleID(rawValue: text) == nil)
        #expect(throws: BatonError.self) { try BundleID(validating: text) }
    }

    @Test(
        "Activity types are printable text without spaces (H-8, H-19, H-86)",
        arguments: ["com.company.app.activity", "NSUserActivityTypeBrowsingWeb", "com.xamarin.monkeybrowser.tab1", "ü"])
    func validActivityTypes(text: String) {
        #expect(ActivityType(rawValue: text) != nil)
    }

    @Test(
        "Spaces, controls and invisible characters are no activity type",
        arguments: ["", "a b", "a\n", "a\u{200B}", "a\u{202E}b", "\u{0}", String(repeating: "a", count: 256)])
    func invalidActivityTypes(text: String) {
        #expect(ActivityType(rawValue: text) == nil)
    }

    @Test("A Team ID follows from its key's fingerprint and proves itself (H-3)")
    func teamProvesItself() throws {
        let fingerprint = (0..<32).map { UInt8($0 * 7) }
        let team = TeamIdentity(fingerprint: fingerprint)
        #expect(team.id.rawValue.count == 10)
        #expect(try TeamIdentity(id: team.id, fingerprint: fingerprint) == team)
        var other = fingerprint
        other[0] ^= 1
        #expect(throws: BatonError.self) { try TeamIdentity(id: team.id, fingerprint: other) }
        #expect(throws: BatonError.self) { try TeamIdentity(id: team.id, fingerprint: []) }
        #expect(throws: BatonError.self) { try TeamIdentity(id: .development, fingerprint: fingerprint) }
        #expect(try TeamIdentity(id: .development, fingerprint: []) == .development)
    }

    @Test("No derived Team ID can be the development team's")
    func developmentIsApart() {
        #expect(TeamID.development.rawValue.contains("0"))
        #expect(!Base32.encode(Array(repeating: 0xFF, count: 32)).contains("0"))
    }

    @Test("Base32 agrees with RFC 4648")
    func base32Vectors() {
        for (text, expected) in [
            ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
            ("foobar", "MZXW6YTBOI"),
        ] {
            #expect(Base32.encode(Array(text.utf8)) == expected)
            #expect(Base32.decode(expected) == Array(text.utf8))
            #expect(Base32.decode(expected.lowercased()) == Array(text.utf8))
        }
        for malformed in ["1", "M1", "MZ=", "M", "MZX", "MZ", "M Y", "ä"] { #expect(Base32.decode(malformed) == nil) }
    }

    @Test("Base32 gives back every byte string", arguments: 0..<64)
    func base32RoundTrip(count: Int) {
        var random = SeededGenerator(seed: UInt64(count))
        let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        #expect(Base32.decode(Base32.encode(bytes)) == bytes)
    }

    @Test("Random identifiers are valid and differ")
    func randomIdentifiers() {
        let identifiers = (0..<1000).map { _ in ActivityID.random() }
        #expect(Set(identifiers).count == 1000)
        #expect(identifiers.allSatisfy { ActivityID.isValid($0.rawValue) })
    }
}
