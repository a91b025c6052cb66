import BatonCore
import BatonTrust
import BatonWire
import Foundation
import Testing

@Suite("Recovery key")
struct RecoveryTests {
    private var account: TestAccount
    private let code: RecoveryCode
    private let paper: TestDevice
    private let second = TestDevice()

    init() throws {
        account = try TestAccount()
        code = RecoveryCode(account: account.membership.accountID, secret: randomBytes(16))
        paper = TestDevice(key: try code.key())
        try account.add(second, by: account.first)
        try account.add(paper, by: second)
    }

    private func zone(_ ring: KeyRing, by device: TestDevice) throws -> [Data: Data] {
        var zone: [Data: Data] = [:]
        for missing in ContentKeyEnvelopes.missing(ring, membership: account.membership, existing: [:]) {
            zone[missing.itemID] = try ContentKeyEnvelope.make(
                missing, ring: ring, membership: account.membership, writer: device.key,
                discoveryKey: DiscoveryKey(timestamp: time(3), bytes: [UInt8](repeating: 8, count: 32)))
        }
        return zone
    }

    @Test("A code is read however it is typed, and its description does not tell the secret")
    func typing() throws {
        let text = code.text
        #expect(text.count == 71 && text.split(separator: "-").count == 12)
        for typed in [
            text, text.lowercased(), text.replacing("-", with: " "), text.replacing("-", with: ""), "  \(text)\n",
            text.replacing("0", with: "O").replacing("1", with: "l"),
        ] {
            #expect(try RecoveryCode(typed: typed) == code)
        }
        #expect(!String(describing: code).contains(text.suffix(11)))
    }

    @Test("Every wrong character is noticed, and its group is named")
    func mistyped() throws {
        let text = code.text
        for (place, character) in text.enumerated() where character != "-" {
            var wrong = Array(text)
            wrong[place] = character == "7" ? "8" : "7"
            let error = try #require(throws: BatonError.self) { try RecoveryCode(typed: String(wrong)) }
            #expect(error.reason == "recovery_code_mistyped")
            #expect(error.message.contains("group \(place / 6 + 1) "), "\(error.message)")
        }
        // Two that were exchanged.
        var exchanged = Array(text)
        let place = try #require((0..<70).first { exchanged[$0] != exchanged[$0 + 1] && $0 % 6 < 4 })
        exchanged.swapAt(place, place + 1)
        let error = try #require(throws: BatonError.self) { try RecoveryCode(typed: String(exchanged)) }
        #expect(error.message.contains("group \(place / 6 + 1) "))
    }

    @Test("Other texts are refused", arguments: ["", "1", "hello, world", "ÄÖÜ", String(repeating: "0", count: 60)])
    func noCode(text: String) {
        #expect(reason { try RecoveryCode(typed: text) } == "recovery_code_mistyped")
    }

    @Test("Too much, too little, and what no code holds are told")
    func shape() throws {
        let long = try #require(throws: BatonError.self) { try RecoveryCode(typed: code.text + "00") }
        #expect(long.message.contains("62"))
        let endless = String(repeating: "0", count: 1_000_000)
        #expect(reason { try RecoveryCode(typed: endless) } == "recovery_code_mistyped")
        var wrong = Array(code.text)
        wrong[8] = "U"
        let error = try #require(throws: BatonError.self) { try RecoveryCode(typed: String(wrong)) }
        #expect(error.message.contains("Character 3 of group 2"))
    }

    @Test("With the code and what the cloud has, the account, its keys and its way to be found are there again")
    mutating func recovery() throws {
        var ring = try KeyRing(of: account)
        let lost = TestDevice()
        try account.add(lost, by: account.first)
        try account.revoke(lost, by: account.first)
        try ring.make(by: account.first, account.membership)
        let blinded = ring.zoneID(of: "a/b")
        let sealed = try ring.seal(Data([7]), name: "x", zoneID: blinded, membership: account.membership)
        let recovered = try code.recover(
            statements: account.membership.messages, envelopes: Array(zone(ring, by: account.first).values).shuffled())
        #expect(recovered.membership.accountID == account.membership.accountID)
        #expect(recovered.keyRing.generations == ring.generations)
        #expect(recovered.discoveryKeys.allSatisfy { $0.timestamp == time(3) } && !recovered.discoveryKeys.isEmpty)
        let opened = try recovered.keyRing.open(
            sealed, zoneID: blinded, itemID: recovered.keyRing.itemID("x", zoneID: blinded))
        #expect(opened.content == Data([7]))
        // The recovery key lets this device in.
        let fresh = TestDevice()
        try account.add(fresh, by: paper)
        #expect(account.membership.isMember(fresh.id))
    }

    @Test("A recovery key that was revoked, that nobody knows, or for which there is no content key, says so")
    mutating func refusals() throws {
        let ring = try KeyRing(of: account)
        let envelopes = try Array(zone(ring, by: account.first).values)
        let statements = account.membership.messages
        #expect(reason { try code.recover(statements: statements, envelopes: []) } == "no_content_keys")
        #expect(reason { try code.recover(statements: [], envelopes: envelopes) } == "account_not_believed")
        #expect(reason { try code.recover(statements: statements, envelopes: [Data([1])]) } == "no_content_keys")
        let other = RecoveryCode(account: code.account, secret: randomBytes(16))
        #expect(reason { try other.recover(statements: statements, envelopes: envelopes) } == "unknown_recovery_key")
        let foreign = RecoveryCode(account: try TestAccount().membership.accountID, secret: code.secret)
        #expect(reason { try foreign.recover(statements: statements, envelopes: envelopes) } == "no_content_keys")
        let forOthers = try envelopes.filter {
            try ContentKeyEnvelope($0, account: ring.account).recipient != paper.id
        }
        #expect(reason { try code.recover(statements: statements, envelopes: forOthers) } == "no_content_keys")
        try account.revoke(paper, by: account.first)
        #expect(
            reason { try code.recover(statements: account.membership.messages, envelopes: envelopes) }
                == "recovery_key_revoked")
    }

    @Test("Another first generation that a member makes up is not taken when the maker of the recovery key wrote one")
    mutating func falseFirst() throws {
        let liar = TestDevice()
        try account.add(liar, by: account.first)
        let ring = try KeyRing(of: account)
        let madeUp = try KeyRing(of: account, secret: [UInt8](repeating: 99, count: 32))
        let envelopes = try Array(zone(madeUp, by: liar).values) + Array(zone(ring, by: second).values)
        for _ in 0..<10 {
            let recovered = try code.recover(
                statements: account.membership.messages, envelopes: envelopes.shuffled())
            #expect(recovered.keyRing.first == ring.first)
        }
    }
}
