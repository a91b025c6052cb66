import BatonCore
import BatonTrust
import BatonWire
import Crypto
import Foundation
import SwiftProtobuf
import Testing

/// Two devices of different people, from the first message to what each remembers.
@Suite("Contacts")
struct ContactTests {
    private static let now: UInt64 = 1_700_000_000_000

    /// Both sides of one contact: `anna` is the one that `ben` remembers, and the reverse.
    private struct Pair {
        var anna: TrustedDevice
        var ben: TrustedDevice
    }

    private func sponsor(_ purpose: PairingPurpose = .contact) -> TestSponsor {
        var sponsor = TestSponsor()
        sponsor.machine = Sponsor(purpose)
        return sponsor
    }

    private func joiner(_ purpose: PairingPurpose = .contact) -> Joiner {
        Joiner(purpose, key: .init(), nonce: randomBytes(32))
    }

    private func profile(_ name: String, _ key: P256.Signing.PrivateKey) throws -> Baton_Link_V1_DeviceProfile {
        try DeviceProfiles.make(name: name, timestamp: HybridTimestamp(rawValue: 1), key: key)
    }

    private func pair() throws -> Pair {
        var (joiner, sponsor) = (joiner(), sponsor())
        let code = try untilCode(&joiner, &sponsor)
        #expect(sponsor.codes == [code])
        try joiner.confirm(.typed(code.digits))
        try sponsor.confirm(.typed(code.digits))
        let (annas, bens) = (P256.Signing.PrivateKey(), P256.Signing.PrivateKey())
        let request = try joiner.exchange(key: annas, profile: try profile("Anna", annas))
        try sponsor.exchange(request)
        let candidate = try #require(sponsor.candidates.first)
        let answer = try candidate.answer(key: bens, profile: try profile("Ben", bens))
        try sponsor.handle(.admitted(session: request.sessionID, answer))
        let sealed = try #require(sponsor.answers.first)
        let other = try joiner.finishContact(with: .with { $0.sealed = sealed })
        return Pair(
            anna: try TrustedDevice(candidate, own: bens, added: Self.now),
            ben: try TrustedDevice(other, own: annas, added: Self.now))
    }

    private func random(_ count: Int) -> [UInt8] { randomBytes(count) }

    @Test("after both people confirmed the code, each has the other's key and name, and both one secret (A-1)")
    func pairs() throws {
        let pair = try pair()
        #expect(pair.anna.name == "Anna" && pair.ben.name == "Ben")
        #expect(pair.anna.tokenKey == pair.ben.tokenKey)
        let (own, key) = try pair.ben.credentials(now: Date())
        #expect(!key.isEmpty)
        try pair.anna.check([own])
        #expect(throws: BatonError.self) { try pair.ben.check([own]) }
        #expect(!"\(pair.anna)".contains("Anna"))
    }

    @Test("two people who say yes to different codes become no contacts: what they send does not open (A-1)")
    func differentCodes() throws {
        var (joiner, sponsor) = (joiner(), sponsor())
        var begun = try sponsor.begin(try joiner.begin())
        // An attacker in the middle changes what it can without being caught at once.
        begun.nonce = Data(randomBytes(32))
        try sponsor.reveal(try joiner.reveal(after: begun))
        let code = try joiner.code()
        #expect(sponsor.codes != [code])
        try joiner.confirm(.same)
        try sponsor.confirm(.same)
        let key = P256.Signing.PrivateKey()
        try sponsor.exchange(try joiner.exchange(key: key, profile: try profile("Anna", key)))
        #expect(sponsor.candidates.isEmpty)
        #expect(sponsor.failures == 1)
    }

    @Test("a wrong code ends the attempt on the side where it was typed, and on the other one (A-1)")
    func wrongCode() throws {
        var (joiner, sponsor) = (joiner(), sponsor())
        let code = try untilCode(&joiner, &sponsor)
        let wrong = code.digits == "000000" ? "000001" : "000000"
        #expect(throws: BatonError.self) { try joiner.confirm(.typed(wrong)) }
        let key = P256.Signing.PrivateKey()
        #expect(throws: BatonError.self) { try joiner.exchange(key: key, profile: try profile("Anna", key)) }
        #expect(throws: BatonError.self) { try sponsor.confirm(.typed(wrong)) }
        #expect(sponsor.failures == 1)
    }

    @Test("pairing for an account and for contacts never mix, whatever the codes say")
    func purposes() throws {
        for (ours, theirs) in [(PairingPurpose.account, PairingPurpose.contact), (.contact, .account)] {
            var (joiner, sponsor) = (joiner(ours), sponsor(theirs))
            let code = try untilCode(&joiner, &sponsor)
            #expect(sponsor.codes != [code])
            try joiner.confirm(.same)
            try sponsor.confirm(.same)
            let key = P256.Signing.PrivateKey()
            try sponsor.exchange(try joiner.exchange(key: key, profile: try profile("Anna", key)))
            #expect(sponsor.candidates.isEmpty)
        }
    }

    @Test("what a device said of itself is no answer when it is said back")
    func echoed() throws {
        var (joiner, sponsor) = (joiner(), sponsor())
        let code = try untilCode(&joiner, &sponsor)
        try joiner.confirm(.typed(code.digits))
        try sponsor.confirm(.same)
        let key = P256.Signing.PrivateKey()
        let mine = try profile("Anna", key)
        let request = try joiner.exchange(key: key, profile: mine)
        try sponsor.exchange(request)
        let candidate = try #require(sponsor.candidates.first)
        try sponsor.handle(.admitted(session: request.sessionID, try candidate.answer(key: key, profile: mine)))
        let sealed = try #require(sponsor.answers.first)
        #expect(throws: BatonError.self) { try joiner.finishContact(with: .with { $0.sealed = sealed }) }
    }

    @Test("a contact's key used by another contact, or a certificate of anything else, is refused")
    func otherKey() throws {
        let (first, second) = (try pair(), try pair())
        let other = try second.ben.credentials(now: Date()).certificate
        #expect(throws: BatonError.self) { try first.anna.check([other]) }
        #expect(throws: BatonError.self) { try first.anna.check([]) }
        #expect(throws: BatonError.self) { try first.anna.check([[1, 2, 3]]) }
        // The right one behind another: TLS proves the first one's key only.
        let right = try first.ben.credentials(now: Date()).certificate
        #expect(throws: BatonError.self) { try first.anna.check([other, right]) }
    }

    @Test("only the contact reads its token, under the name that it was made for; their number is not told (A-1)")
    func tokens() throws {
        let pairs = try (0..<3).map { _ in try pair() }
        let contacts = pairs.map(\.anna)
        let attributes = TrustedDeviceTokens.attributes(instance: "ONE", contacts: contacts, random: random)
        for pair in pairs {
            let found = TrustedDeviceTokens.recognise(instance: "ONE", attributes: attributes, contacts: [pair.ben])
            #expect(found == pair.ben)
            #expect(TrustedDeviceTokens.recognise(instance: "TWO", attributes: attributes, contacts: [pair.ben]) == nil)
        }
        let stranger = try pair()
        #expect(TrustedDeviceTokens.recognise(instance: "ONE", attributes: attributes, contacts: [stranger.ben]) == nil)
        let again = TrustedDeviceTokens.attributes(instance: "TWO", contacts: contacts, random: random)
        let texts = (attributes.values.joined(), again.values.joined())
        #expect(texts.0.count == texts.1.count && texts.0 != texts.1)
        #expect(
            TrustedDeviceTokens.attributes(instance: "ONE", contacts: [stranger.anna], random: random)["c0"]?.count
                == attributes["c0"]?.count)
        #expect(attributes.allSatisfy { $0.key.utf8.count + 1 + $0.value.utf8.count <= 255 })
    }

    @Test(
        "hostile announcements are of nobody",
        arguments: [[:], ["c0": ""], ["c0": String(repeating: "é", count: 104)], ["c9": "A"], ["c0": "AAAA"]])
    func hostile(attributes: [String: String]) throws {
        #expect(
            TrustedDeviceTokens.recognise(instance: "ONE", attributes: attributes, contacts: [try pair().ben]) == nil)
    }

    @Test("a server name lets a contact in once, for what is announced now or was before, and is not replayed (A-1)")
    func gate() throws {
        let (first, second) = (try pair(), try pair())
        var gate = TrustedDeviceGate()
        let known = [first.anna, second.anna]
        func name(_ instance: String, _ contact: TrustedDevice) throws -> String {
            try #require(TrustedDeviceTokens.serverName(instance: instance, contact: contact, nonce: randomBytes(16)))
        }
        let early = try name("ONE", first.ben)
        #expect(gate.admit(early, among: known) == nil)
        gate.announce("ONE")
        #expect(gate.admit(early, among: known) == first.anna)
        #expect(gate.admit(early, among: known) == nil)
        #expect(gate.admit(try name("ONE", second.ben), among: known) == second.anna)
        gate.announce("TWO")
        #expect(gate.admit(early, among: known) == nil)
        #expect(gate.admit(try name("ONE", first.ben), among: known) == first.anna)
        gate.announce("THREE")
        #expect(gate.admit(try name("ONE", first.ben), among: known) == nil)
        // One that was removed is a stranger, and so is everybody once nothing is announced.
        #expect(gate.admit(try name("THREE", first.ben), among: [second.anna]) == nil)
        gate.withdraw()
        #expect(gate.admit(try name("THREE", second.ben), among: known) == nil)
        #expect(gate.admit("www.example.com", among: known) == nil)
    }

    @Test("keys that are none make no contact")
    func malformed() throws {
        let pair = try pair()
        let bad: [([UInt8], [UInt8], [UInt8])] = [
            ([], pair.anna.privateKey, pair.anna.tokenKey), (pair.anna.publicKey, [1], pair.anna.tokenKey),
            (pair.anna.publicKey, pair.anna.privateKey, [1, 2]),
            (pair.ben.publicKey, pair.anna.privateKey, pair.anna.tokenKey),
        ]
        for (publicKey, privateKey, tokenKey) in bad {
            #expect(throws: BatonError.self) {
                try TrustedDevice(
                    name: "Anna", publicKey: publicKey, privateKey: privateKey, tokenKey: tokenKey, added: 0)
            }
        }
    }
}
