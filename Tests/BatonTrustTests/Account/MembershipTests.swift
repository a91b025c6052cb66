import BatonCore
import BatonTrust
import BatonWire
import Crypto
import Foundation
import Testing

@Suite("Membership")
struct MembershipTests {
    @Test("An account begins with its first device, whose identifiers follow from the keys (H-2)")
    func genesis() throws {
        let account = try TestAccount()
        #expect(account.membership.isMember(account.first.id))
        #expect(account.membership.members().count == 1)
        #expect(account.membership.accountID == AccountID(rootKey: account.rootKey.publicKey))
        #expect(account.membership.record(of: account.first.id)?.sponsor == nil)
        #expect(AccountID.isValid(account.membership.accountID.rawValue))
        #expect(DeviceID.isValid(account.first.id.rawValue))
        // One key under two meanings never gives one identifier.
        #expect(AccountID(rootKey: account.first.key.publicKey).rawValue != account.first.id.rawValue)
    }

    @Test("Members let others in; a stranger's statements are not believed (H-2)")
    func additions() throws {
        var account = try TestAccount()
        let (second, third, stranger, victim) = (TestDevice(), TestDevice(), TestDevice(), TestDevice())
        try account.add(second, by: account.first)
        try account.add(third, by: second)
        #expect(account.membership.members().count == 3)
        #expect(account.membership.record(of: third.id)?.sponsor == second.id)

        let before = account.membership.verdicts
        let forged = try account.forgeAddition(of: victim, by: stranger, sequence: 1, previous: [])
        let outcome = account.membership.merge([forged])
        #expect(outcome.added == 0)
        #expect(account.membership.verdicts == before)
        #expect(throws: BatonError.self) {
            _ = try account.membership.statement(
                adding: victim.key.publicKey, by: stranger.key, now: testNow, timestamp: time(3))
        }
    }

    @Test("A revoked device is out for good; whom it let in before stays")
    func revocation() throws {
        var account = try TestAccount()
        let (second, third) = (TestDevice(), TestDevice())
        try account.add(second, by: account.first)
        try account.add(third, by: second)
        try account.revoke(second, by: account.first)
        #expect(account.membership.isRevoked(second.id))
        #expect(account.membership.revocation(of: second.id) == time(2))
        #expect(account.membership.revocation(of: third.id) == nil)
        #expect(!account.membership.isMember(second.id))
        #expect(account.membership.isMember(third.id))
        // No device can let the same identifier in again.
        #expect(throws: BatonError.self) { try account.add(second, by: account.first) }
        let forged = try account.forgeAddition(of: second, by: third, sequence: 1, previous: [])
        account.membership.merge([forged])
        #expect(!account.membership.isMember(second.id))
        // A revoked device makes no more statements.
        #expect(throws: BatonError.self) {
            _ = try account.membership.statement(revoking: third.id, by: second.key, timestamp: time(9))
        }
    }

    @Test("Later additions of a revoked sponsor are refused, however they are dated")
    func backdatedAdditionsOfARevokedSponsor() throws {
        var account = try TestAccount()
        let (sponsor, honest, thief) = (TestDevice(), TestDevice(), TestDevice())
        try account.add(sponsor, by: account.first)
        let addition = try account.add(honest, by: sponsor)
        // Made before the revocation was heard of, with the date of the account's first day.
        let late = try account.forgeAddition(of: thief, by: sponsor, sequence: 2, previous: hash(addition))
        // And another past: the same number as the honest addition.
        let other = try account.forgeAddition(of: thief, by: sponsor, sequence: 1, previous: [])
        let revocation = try account.revoke(sponsor, by: account.first)

        let all = account.membership.messages + [late, other]
        for order in [all, all.reversed(), [late, other, revocation] + all] {
            var replica = try account.empty()
            replica.merge(order)
            #expect(!replica.isMember(thief.id))
            #expect(replica.isMember(honest.id))
            #expect(replica.isRevoked(sponsor.id))
            let chain = [
                try DeviceCertificate.issue(
                    to: thief.key.publicKey, issuer: sponsor.id.rawValue, issuerKey: sponsor.key, now: testNow)
            ]
            #expect(
                replica.verify(chainDER: chain + (try account.chain(of: sponsor.id))).failure?.code == .permissionDenied
            )
        }
    }

    @Test("Two devices that revoke each other are both out")
    func mutualRevocation() throws {
        var account = try TestAccount()
        let (second, third) = (TestDevice(), TestDevice())
        try account.add(second, by: account.first)
        try account.add(third, by: account.first)
        let base = account.membership
        let one = try base.statement(revoking: third.id, by: second.key, timestamp: time(5))
        let other = try base.statement(revoking: second.id, by: third.key, timestamp: time(5))
        for order in [[one, other], [other, one]] {
            var replica = base
            for statement in order { replica.merge([statement]) }
            #expect(replica.isRevoked(second.id) && replica.isRevoked(third.id))
            #expect(Array(replica.members().keys) == [account.first.id])
        }
    }

    @Test("A fork voids additions from there on, until a revocation names the honest branch")
    func forks() throws {
        var account = try TestAccount()
        let (sponsor, before, left, right) = (TestDevice(), TestDevice(), TestDevice(), TestDevice())
        try account.add(sponsor, by: account.first)
        let shared = try account.add(before, by: sponsor)
        let base = account.membership
        let one = try account.forgeAddition(of: left, by: sponsor, sequence: 2, previous: hash(shared))
        let other = try account.forgeAddition(of: right, by: sponsor, sequence: 2, previous: hash(shared))
        var forked = base
        forked.merge([one])
        #expect(forked.isMember(left.id))
        // A device that saw only one branch revokes the sponsor, and names that branch.
        let revocation = try forked.statement(revoking: sponsor.id, by: account.first.key, timestamp: time(9))
        forked.merge([other])
        #expect(forked.isForked(sponsor.id))
        #expect(!forked.isMember(left.id) && !forked.isMember(right.id))
        #expect(forked.isMember(before.id) && forked.isMember(sponsor.id))
        #expect(throws: BatonError.self) {
            _ = try forked.statement(
                adding: TestDevice().key.publicKey, by: sponsor.key, now: testNow, timestamp: time(8))
        }
        forked.merge([revocation])
        #expect(forked.isMember(left.id) && !forked.isMember(right.id))
        #expect(forked.isRevoked(sponsor.id))
        // A second one that names the other branch leaves only what both share.
        var otherView = base
        otherView.merge([other])
        forked.merge([try otherView.statement(revoking: sponsor.id, by: before.key, timestamp: time(9))])
        #expect(!forked.isMember(left.id) && !forked.isMember(right.id) && forked.isMember(before.id))
    }

    @Test("A stolen root key adds nobody: the account's first statement is fixed")
    func stolenRoot() throws {
        var account = try TestAccount()
        let thief = TestDevice()
        let second = try Membership.genesis(
            rootKey: account.rootKey, device: thief.key.publicKey, now: testNow, timestamp: time(0))
        let outcome = account.membership.merge([second])
        #expect(outcome.refusals.first?.reason == "foreign_genesis")
        #expect(!account.membership.isMember(thief.id))
        let chain = [
            try DeviceCertificate.issue(
                to: thief.key.publicKey, issuer: account.membership.accountID.rawValue, issuerKey: account.rootKey,
                now: testNow), try DeviceCertificate.root(key: account.rootKey, now: testNow),
        ]
        #expect(account.membership.verify(chainDER: chain).failure?.code == .unauthenticated)
        #expect(throws: BatonError.self) {
            _ = try Membership(rootKey: account.rootKey.publicKey, statements: [account.genesis, second])
        }
    }

    @Test("Statements that are tampered with, foreign, misplaced or garbage are refused one by one")
    func hostileStatements() throws {
        var account = try TestAccount()
        let (second, third) = (TestDevice(), TestDevice())
        let good = try account.add(second, by: account.first)
        var foreign = try TestAccount()
        let fromAbroad = try foreign.add(third, by: foreign.first)
        var flipped = good
        flipped.statement[flipped.statement.count - 1] ^= 1
        var badSignature = try account.forgeAddition(of: third, by: second, sequence: 1, previous: [])
        badSignature.signature[5] ^= 0x40
        var shortSignature = good
        shortSignature.signature = Data([1, 2, 3])
        var huge = good
        huge.statement = Data(repeating: 0x7A, count: MembershipStatement.maximumSize + 1)
        var garbage = good
        garbage.statement = Data((0..<200).map { UInt8(truncatingIfNeeded: $0 &* 37) })
        // Another's certificate, and a certificate that another issued.
        let wrongDevice = try account.forge(signer: second.id.rawValue, key: second.key, sequence: 1, previous: []) {
            $0.add.deviceID = third.id.rawValue
            $0.add.certificate = Data(account.membership.record(of: second.id)?.certificate ?? [])
        }
        let wrongIssuer = try account.forge(signer: second.id.rawValue, key: second.key, sequence: 1, previous: []) {
            $0.add.deviceID = third.id.rawValue
            $0.add.certificate = Data(
                (try? DeviceCertificate.issue(
                    to: third.key.publicKey, issuer: second.id.rawValue, issuerKey: third.key, now: testNow)) ?? [])
        }
        let zero = try account.forge(signer: second.id.rawValue, key: second.key, sequence: 0, previous: []) {
            $0.revoke.deviceID = account.first.id.rawValue
        }
        let wrongPrevious = try account.forge(
            signer: second.id.rawValue, key: second.key, sequence: 2, previous: hash(good)
        ) { _ in }

        let before = account.membership.verdicts
        let bad = [
            fromAbroad, flipped, badSignature, shortSignature, huge, garbage, wrongDevice, wrongIssuer, zero,
            wrongPrevious,
        ]
        for statement in bad {
            let outcome = account.membership.merge([statement])
            #expect(outcome.refusedCount == 1)
            #expect(outcome.added == 0)
            #expect(account.membership.verdicts == before)
        }
        // In one batch with a good one, the good one is taken.
        let next = try account.forgeAddition(of: third, by: second, sequence: 1, previous: [])
        let outcome = account.membership.merge(bad + [next])
        #expect(outcome.added == 1)
        #expect(account.membership.isMember(third.id))
    }

    @Test("A statement that comes too early waits for the one that it needs, within a bound")
    func pending() async throws {
        var account = try TestAccount()
        let devices = (0..<5).map { _ in TestDevice() }
        var statements: [Baton_Link_V1_SignedStatement] = []
        var sponsor = account.first
        for device in devices {
            statements.append(try account.add(device, by: sponsor))
            sponsor = device
        }
        var replica = try account.empty()
        for statement in statements.dropFirst().reversed() {
            let outcome = replica.merge([statement])
            #expect(outcome.added == 0)
        }
        #expect(replica.members().count == 1)
        let rest = replica.merge([statements[0]])
        #expect(rest.added == 5)
        #expect(replica.verdicts == account.membership.verdicts)

        // Garbage that waits for ever is bounded, and does not keep others from waiting.
        var flooded = try account.empty()
        let stranger = TestDevice()
        for number in 1...(2 * Membership.maximumPending) {
            await Task.yield()
            let outcome = flooded.merge([
                try account.forge(
                    signer: stranger.id.rawValue, key: stranger.key, sequence: 2,
                    previous: Array(SHA256.hash(data: Data([UInt8(number & 255), UInt8(number >> 8)])))
                ) { $0.revoke.deviceID = stranger.id.rawValue }
            ])
            #expect(outcome.pending <= Membership.maximumPending)
        }
        flooded.merge([statements[1]])
        flooded.merge([statements[0]])
        #expect(flooded.isMember(devices[1].id))
    }

    @Test("A statement of a kind that this version does not know keeps its place in the chain (H-98)")
    func unknownKind() throws {
        var account = try TestAccount()
        let second = TestDevice()
        let unknown = try account.forge(
            signer: account.first.id.rawValue, key: account.first.key, sequence: 1, previous: []
        ) { _ in }
        let outcome = account.membership.merge([unknown])
        #expect(outcome.added == 1)
        try account.add(second, by: account.first)
        #expect(account.membership.isMember(second.id))
        #expect(account.membership.messages.count == 3)
    }

    @Test("Unknown fields of a statement are dropped: they are within no bound")
    func unknownFields() throws {
        var account = try TestAccount()
        let second = TestDevice()
        var padded = try account.add(second, by: account.first)
        let plain = padded
        padded.unknownFields = .junk
        var replica = try account.empty()
        let outcome = replica.merge([padded])
        #expect(outcome.added == 1)
        #expect(replica.messages == [account.genesis, plain])
    }
}

extension Result {
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
    var success: Success? {
        if case .success(let value) = self { value } else { nil }
    }
}
