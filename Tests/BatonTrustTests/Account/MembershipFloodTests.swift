import BatonCore
import BatonTrust
import BatonWire
import Crypto
import Foundation
import SwiftProtobuf
import Testing

/// The damage that a stolen device, not revoked yet, can do to the others' log.
@Suite("Membership, filled by a thief")
struct MembershipFloodTests {
    @Test("Revocations of devices that do not exist take no room, and the thief can be revoked (H-2)")
    func inventedDevices() async throws {
        var account = try TestAccount()
        let thief = TestDevice()
        try account.add(thief, by: account.first)
        var chain = Chain(thief)
        for number in 0..<(Membership.maximumPending + 50) {
            if number % 16 == 0 { await Task.yield() }
            let invented = DeviceID(unchecked: Base32.encode([UInt8](repeating: UInt8(number & 255), count: 16)))
            let statement = try chain.next(in: account) { $0.revoke.deviceID = invented.rawValue }
            let outcome = account.membership.merge([statement])
            #expect(outcome.added == 0 && outcome.pending <= Membership.maximumPending)
        }
        #expect(account.membership.messages.count == 2)
        try account.revoke(thief, by: account.first)
        #expect(account.membership.isRevoked(thief.id))
    }

    @Test("A revocation that comes before the device that it names waits for it")
    func early() throws {
        var account = try TestAccount()
        let (second, third) = (TestDevice(), TestDevice())
        try account.add(second, by: account.first)
        var replica = account.membership
        let addition = try account.add(third, by: second)
        let revocation = try account.revoke(third, by: account.first)
        let early = replica.merge([revocation])
        #expect(early.added == 0 && early.pending == 1 && early.refusedCount == 0)
        let late = replica.merge([addition])
        #expect(late.added == 2)
        #expect(replica.verdicts == account.membership.verdicts)
    }

    @Test("A revocation counts without those before it in its chain, which count once they come")
    func withoutPredecessor() throws {
        var account = try TestAccount()
        let (second, third, fourth) = (TestDevice(), TestDevice(), TestDevice())
        try account.add(second, by: account.first)
        try account.add(third, by: account.first)
        var replica = account.membership
        let addition = try account.add(fourth, by: second)
        let revocation = try account.revoke(third, by: second)
        #expect(replica.merge([revocation]).added == 1)
        #expect(replica.isRevoked(third.id) && replica.isMember(second.id))
        // A device that revokes the second one now names the statements that it has seen without a gap.
        var elsewhere = replica
        elsewhere.merge([try elsewhere.statement(revoking: second.id, by: account.first.key, timestamp: time(9))])
        elsewhere.merge([addition])
        #expect(!elsewhere.isMember(fourth.id))
        #expect(replica.merge([addition]).added == 1)
        #expect(replica.verdicts == account.membership.verdicts && replica.isMember(fourth.id))
        // One that names another's statement as its predecessor takes nothing of that one's chain.
        let crossing = try account.forge(
            signer: account.first.id.rawValue, key: account.first.key, sequence: 3, previous: hash(addition)
        ) { $0.revoke.deviceID = third.id.rawValue }
        #expect(replica.merge([crossing]).added == 1)
        replica.merge([
            try account.forge(signer: second.id.rawValue, key: second.key, sequence: 3, previous: hash(revocation)) {
                $0.revoke.deviceID = account.first.id.rawValue
                $0.revoke.lastValidSequence = 3
                $0.revoke.lastValidHash = Data(hash(crossing))
            }
        ])
        #expect(replica.isRevoked(account.first.id))
        #expect(!replica.isMember(second.id) && !replica.isMember(fourth.id))
    }

    @Test("One device cannot fill the account; several can, and each can be revoked by each device still (H-2)")
    func filled() async throws {
        var account = try TestAccount()
        let (honest, thieves) = (TestDevice(), (0..<3).map { _ in TestDevice() })
        try account.add(honest, by: account.first)
        for thief in thieves { try account.add(thief, by: account.first) }
        let before = account.membership

        var refusal: BatonError?
        for (number, thief) in thieves.enumerated() {
            refusal = try await Self.fill(&account, by: thief)
            if number == 0 {
                // Others go on as before.
                #expect(refusal?.reason == "signer_full")
                try account.add(TestDevice(), by: honest)
            }
        }
        #expect(refusal?.reason == "membership_full")
        let full = Membership.maximumStatements - Membership.revocationReserve
        #expect(account.membership.messages.count == full)
        #expect(throws: BatonError.self) { try account.add(TestDevice(), by: honest) }

        // Elsewhere the honest device has done what is not taken in here any more, before it revokes.
        var elsewhere = before
        elsewhere.merge([
            try elsewhere.statement(
                adding: TestDevice().key.publicKey, by: honest.key, now: testNow, timestamp: time(3))
        ])
        for thief in thieves {
            let revocation = try elsewhere.statement(revoking: thief.id, by: honest.key, timestamp: time(4))
            elsewhere.merge([revocation])
            #expect(account.membership.merge([revocation]).added == 1)
            #expect(account.membership.isRevoked(thief.id))
        }
        // The reserve is for the first revocation of a device.
        let again = try account.forge(
            signer: account.first.id.rawValue, key: account.first.key, sequence: 9,
            previous: [UInt8](repeating: 1, count: 32)
        ) { $0.revoke.deviceID = thieves[0].id.rawValue }
        #expect(account.membership.merge([again]).refusals.first?.reason == "membership_full")
        try account.revoke(honest, by: account.first)
        #expect(!account.membership.isMember(honest.id))
        #expect(account.membership.messages.count == full + 4)
    }

    @Test("A few large statements of one device do not fill the account either")
    func large() throws {
        var account = try TestAccount()
        let (honest, thief) = (TestDevice(), TestDevice())
        try account.add(honest, by: account.first)
        try account.add(thief, by: account.first)
        var chain = Chain(thief)
        var padding = Baton_Link_V1_MembershipStatement()
        let field: [UInt8] = [0xFA, 0x3F, 0xE8, 0xFB, 0x03] + [UInt8](repeating: 0x6A, count: 65_000)
        padding = try Baton_Link_V1_MembershipStatement(serializedBytes: field)
        var refused = 0
        for _ in 0..<60 {
            let statement = try chain.next(in: account) { $0.unknownFields = padding.unknownFields }
            refused += account.membership.merge([statement]).refusedCount
        }
        #expect(refused > 0)
        try account.add(TestDevice(), by: honest)
        // A padded revocation has no place in the reserve.
        let revocation = try account.forge(
            signer: thief.id.rawValue, key: thief.key, sequence: 99, previous: [UInt8](repeating: 1, count: 32)
        ) {
            $0.revoke.deviceID = honest.id.rawValue
            $0.unknownFields = padding.unknownFields
        }
        #expect(account.membership.merge([revocation]).refusals.first?.reason == "signer_full")
    }

    @Test("The largest membership that the bounds allow fits in one message of the link and in the account's file")
    func size() throws {
        let signed = Membership.maximumBytes / Membership.maximumStatements - 64
        let message = Baton_Link_V1_Membership.with { message in
            message.statements = Array(
                repeating: .with {
                    $0.statement = Data(repeating: 1, count: signed)
                    $0.signature = Data(repeating: 2, count: 64)
                }, count: Membership.maximumStatements)
            message.profiles = Array(
                repeating: .with {
                    $0.profile = Data(repeating: 1, count: DeviceProfiles.maximumSize)
                    $0.signature = Data(repeating: 2, count: 64)
                }, count: Membership.maximumDevices)
            message.discoveryKeys = Array(
                repeating: .with {
                    $0.timestamp = .max
                    $0.key = Data(repeating: 3, count: 32)
                }, count: DiscoveryKeys.maximumCount + 1)
        }
        let frame = Baton_Link_V1_PresenceFrame.with { $0.membership = message }
        let bytes: [UInt8] = try frame.serializedBytes()
        #expect(bytes.count + 64 < 4 << 20)
    }

    /// Statements without effect until they are refused.
    private static func fill(_ account: inout TestAccount, by thief: TestDevice) async throws -> BatonError? {
        var chain = Chain(thief)
        var batch: [Baton_Link_V1_SignedStatement] = []
        for number in 0...Membership.maximumOfSigner {
            if number % 16 == 0 { await Task.yield() }
            batch.append(try chain.next(in: account) { _ in })
        }
        return account.membership.merge(batch).refusals.first
    }

    /// A chain of any statements of one device.
    private struct Chain {
        let device: TestDevice
        var sequence: UInt64 = 0
        var previous: [UInt8] = []

        init(_ device: TestDevice) { self.device = device }

        mutating func next(
            in account: TestAccount, _ fill: (inout Baton_Link_V1_MembershipStatement) -> Void
        ) throws -> Baton_Link_V1_SignedStatement {
            sequence += 1
            let statement = try account.forge(
                signer: device.id.rawValue, key: device.key, sequence: sequence, previous: previous, fill)
            previous = hash(statement)
            return statement
        }
    }
}
