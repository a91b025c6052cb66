import BatonCore
import BatonWire
import Crypto
import Foundation
import SwiftProtobuf
import Testing

@testable import BatonTrust

@Suite("Key ring")
struct KeyRingTests {
    private var account: TestAccount
    private let second = TestDevice()
    private let third = TestDevice()

    init() throws {
        account = try TestAccount()
        try account.add(second, by: account.first)
        try account.add(third, by: account.first)
    }

    @Test("Until somebody is revoked, everybody seals under the first generation")
    func first() throws {
        var ring = try KeyRing(of: account)
        #expect(ring.usable(in: account.membership) == ring.first)
        #expect(try !ring.make(by: account.first, account.membership))
        #expect(ring.generations == [ring.first] && ring.messages.isEmpty)
        #expect(ring.first.counter == 0 && ring.first.revoked.isEmpty && ring.first.issuer == nil)
        #expect(reason { try KeyRing(account: account.membership.accountID, secret: [1]) } == "invalid_content_key")
        let other = try KeyRing(of: account, secret: [UInt8](repeating: 9, count: 32))
        #expect(other.first.id != ring.first.id)
        #expect(!String(describing: ring.first).contains(Data(ring.first.key).base64EncodedString()))
    }

    @Test("After a revocation nothing is sealed under what the revoked device knew, and one new generation serves all")
    mutating func rotation() throws {
        var ring = try KeyRing(of: account)
        var other = ring
        try account.revoke(third, by: account.first)
        #expect(ring.usable(in: account.membership) == nil)
        let zone = ring.zoneID(of: "a/b")
        #expect(
            reason { try ring.seal(Data(), name: "x", zoneID: zone, membership: account.membership) }
                == "content_key_outdated")
        #expect(try ring.make(by: account.first, account.membership))
        #expect(try !ring.make(by: account.first, account.membership))
        let made = try #require(ring.usable(in: account.membership))
        #expect(made.revoked == [third.id] && made.counter == 1 && made.issuer == account.first.id)
        #expect(other.merge(ring.messages, membership: account.membership).added == 1)
        #expect(other.merge(ring.messages, membership: account.membership).added == 0)
        #expect(other.usable(in: account.membership) == made)
        #expect(try !other.make(by: second, account.membership))
        let sealed = try other.seal(Data([7]), name: "x", zoneID: zone, membership: account.membership)
        #expect(try ring.open(sealed, zoneID: zone, itemID: ring.itemID("x", zoneID: zone)).content == Data([7]))
    }

    @Test("A generation waits until every device that it names is revoked here too, and is handed to nobody before")
    mutating func waiting() throws {
        let before = account.membership
        try account.revoke(third, by: account.first)
        var ring = try KeyRing(of: account)
        try ring.make(by: account.first, account.membership)
        var other = try KeyRing(of: account)
        let outcome = other.merge(ring.messages, membership: before)
        #expect(outcome.added == 0 && outcome.waiting == 1 && other.messages.isEmpty && other.generations.count == 1)
        // The statements came; nothing needs to be sent again.
        #expect(other.merge([], membership: account.membership).added == 1)
        #expect(other.messages == ring.messages && other.pending.isEmpty)
    }

    @Test("A generation of a device that is not known yet waits for its addition")
    mutating func unknownIssuer() throws {
        let before = account.membership
        let fourth = TestDevice()
        try account.add(fourth, by: second)
        let message = try account.forgeGeneration(by: fourth, counter: 1, revoked: [])
        var ring = try KeyRing(of: account)
        #expect(ring.merge([message], membership: before).waiting == 1)
        #expect(ring.merge([message], membership: before).waiting == 1)
        #expect(ring.merge([], membership: account.membership).added == 1)
    }

    @Test("A revoked device's generations open what was sealed under them, and seal nothing more")
    mutating func revokedIssuer() throws {
        try account.revoke(third, by: account.first)
        var ring = try KeyRing(of: account)
        try ring.make(by: second, account.membership)
        let zone = ring.zoneID(of: "a/b")
        let sealed = try ring.seal(Data([7]), name: "x", zoneID: zone, membership: account.membership)
        try account.revoke(second, by: account.first)
        #expect(ring.usable(in: account.membership) == nil)
        // A later generation of its own, dated back, is not used either; not even with all devices named.
        let late = try account.forgeGeneration(by: second, counter: .max, revoked: [second.id, third.id])
        var fresh = try KeyRing(of: account)
        #expect(fresh.merge(ring.messages + [late], membership: account.membership).added == 2)
        #expect(fresh.usable(in: account.membership) == nil)
        #expect(try fresh.open(sealed, zoneID: zone, itemID: ring.itemID("x", zoneID: zone)).content == Data([7]))
        // The greatest number is no end.
        #expect(try fresh.make(by: account.first, account.membership))
        #expect(fresh.usable(in: account.membership)?.issuer == account.first.id)
    }

    @Test("The newest of several usable generations counts, on every device the same")
    mutating func newest() throws {
        try account.revoke(third, by: account.first)
        var one = try KeyRing(of: account)
        var other = one
        try one.make(by: account.first, account.membership)
        try other.make(by: second, account.membership)
        let messages = one.messages + other.messages
        one.merge(messages, membership: account.membership)
        other.merge(messages.reversed(), membership: account.membership)
        #expect(one.usable(in: account.membership) == other.usable(in: account.membership))
        #expect(one.messages == other.messages)
        let greater = try account.forgeGeneration(by: second, counter: 9, revoked: [third.id])
        one.merge([greater], membership: account.membership)
        #expect(one.usable(in: account.membership)?.counter == 9)
    }

    @Test("A device that is no member makes no generation")
    mutating func stranger() throws {
        try account.revoke(third, by: account.first)
        var ring = try KeyRing(of: account)
        let membership = account.membership
        #expect(reason { try ring.make(by: third, membership) } == "not_a_member")
        #expect(reason { try ring.make(by: TestDevice(), membership) } == "not_a_member")
        #expect(ring.messages.isEmpty)
    }

    @Test("Forged, foreign, damaged and disordered generations are refused, each by itself")
    mutating func hostile() throws {
        let membership = account.membership
        let good = try account.forgeGeneration(by: second, counter: 1, revoked: [])
        var wrong: [Baton_Link_V1_ContentKey] = []
        wrong.append(Baton_Link_V1_ContentKey())
        for field in 0..<3 {
            var message = good
            switch field {
            case 0: message.statement[message.statement.count - 1] ^= 1
            case 1: message.signature[5] ^= 1
            default: message.key[5] ^= 1
            }
            wrong.append(message)
        }
        var another = good
        another.signature = try third.key.signature(for: Data("baton-content-key-v1\0".utf8) + good.statement)
            .rawRepresentation
        wrong.append(another)
        wrong.append(try account.forgeGeneration(by: second, counter: 0, revoked: []))
        wrong.append(try account.forgeGeneration(by: second, counter: 1, revoked: []) { $0.accountID = "A" })
        wrong.append(try account.forgeGeneration(by: second, counter: 1, revoked: []) { $0.issuer = "me" })
        wrong.append(try account.forgeGeneration(by: second, counter: 1, revoked: []) { $0.keyHash = Data([1]) })
        let two = [second.id.rawValue, third.id.rawValue].sorted()
        for revoked in [Array(two.reversed()), [two[0], two[0]], ["nobody"], [""]] {
            wrong.append(try account.forgeGeneration(by: second, counter: 1, revoked: []) { $0.revoked = revoked })
        }
        wrong.append(try account.forgeGeneration(by: second, counter: 1, revoked: [], key: [1, 2]))
        let crowd = (0..<1300).map { number in "\(number)".padding(toLength: 26, withPad: "A", startingAt: 0) }
        wrong.append(try account.forgeGeneration(by: second, counter: 1, revoked: []) { $0.revoked = crowd })
        var ring = try KeyRing(of: account)
        for (number, message) in wrong.enumerated() {
            let outcome = ring.merge([message], membership: membership)
            #expect(outcome.added == 0 && outcome.waiting == 0, "number \(number)")
        }
        #expect(ring.merge(wrong + [good], membership: membership).added == 1)
        #expect(ring.messages == [good])
    }

    @Test("A bad copy of a generation does not keep the good one out")
    mutating func badCopy() throws {
        let fourth = TestDevice()
        let before = account.membership
        try account.add(fourth, by: second)
        let good = try account.forgeGeneration(by: fourth, counter: 1, revoked: [])
        var bad = good
        bad.signature = Data(repeating: 1, count: 64)
        var ring = try KeyRing(of: account)
        ring.merge([bad, good], membership: before)
        ring.merge([], membership: account.membership)
        #expect(ring.messages == [good])
    }

    @Test("Unknown fields of a generation are neither kept nor passed on")
    mutating func unknownFields() throws {
        var message = try account.forgeGeneration(by: second, counter: 1, revoked: [])
        let plain = message
        message.unknownFields = .junk
        var ring = try KeyRing(of: account)
        ring.merge([message], membership: account.membership)
        #expect(ring.messages == [plain])
    }

    @Test("A device that makes generations without end fills its share only; the others can still make theirs")
    mutating func flood() throws {
        var ring = try KeyRing(of: account)
        let flood = try (1...400).map { try account.forgeGeneration(by: third, counter: UInt64($0), revoked: []) }
        for start in stride(from: 0, to: 400, by: 50) {
            ring.merge(Array(flood[start..<start + 50]), membership: account.membership)
        }
        let share = (KeyRing.maximumCount - KeyRing.reserveCount) / 2
        #expect(ring.messages.count == share)
        let more = try (1...400).map { try account.forgeGeneration(by: second, counter: UInt64($0), revoked: []) }
        ring.merge(more, membership: account.membership)
        #expect(ring.messages.count == 2 * share)
        // The common room is full; once the two are revoked, what is needed has a reserve.
        try account.revoke(third, by: account.first)
        try account.revoke(second, by: account.first)
        #expect(try ring.make(by: account.first, account.membership))
        #expect(ring.usable(in: account.membership)?.issuer == account.first.id)
        var other = try KeyRing(of: account)
        other.merge(more + flood, membership: account.membership)
        #expect(other.merge(ring.messages, membership: account.membership).added == 1)
        #expect(other.usable(in: account.membership) == ring.usable(in: account.membership))
        let message = Baton_Link_V1_Membership.with { $0.contentKeys = ring.messages }
        #expect(try (message.serializedBytes() as [UInt8]).count <= KeyRing.maximumBytes)
    }

    @Test("Waiting generations are bounded")
    mutating func pendingFlood() throws {
        var ring = try KeyRing(of: account)
        let flood = try (1...200).map {
            try account.forgeGeneration(by: third, counter: UInt64($0), revoked: [second.id])
        }
        #expect(ring.merge(flood, membership: account.membership).waiting == KeyRing.maximumPending)
        #expect(ring.pending == Array(flood.suffix(KeyRing.maximumPending)))
    }

    @Test("A ring that was stored is the same ring")
    mutating func restoring() throws {
        try account.revoke(third, by: account.first)
        var ring = try KeyRing(of: account)
        try ring.make(by: second, account.membership)
        let restored = try KeyRing(
            account: ring.account, secret: ring.secret, restoring: ring.messages + ring.messages)
        #expect(restored.generations == ring.generations && restored.messages == ring.messages)
        #expect(restored.usable(in: account.membership) == ring.usable(in: account.membership))
        var damaged = ring.messages
        damaged[0].key[0] ^= 1
        #expect(
            reason { try KeyRing(account: ring.account, secret: ring.secret, restoring: damaged) }
                == "malformed_content_key")
    }
}
