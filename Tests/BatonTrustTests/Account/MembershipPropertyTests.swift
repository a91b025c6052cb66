import BatonCore
import BatonTestSupport
import BatonTrust
import BatonWire
import Crypto
import Foundation
import SwiftProtobuf
import Testing

/// Random histories, sent to several devices in random orders, in parts and more than once. `BATON_SEED` repeats one.
@Suite("Membership, any order")
struct MembershipPropertyTests {
    @Test(
        "Devices with the same statements come to the same verdicts (H-2)", arguments: Schedules.seeds(30, soak: 2000))
    func convergence(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let history = try History(steps: Int.random(in: 5...28, using: &random), using: &random)
        let reference = try history.replica(history.statements)
        let label: Comment = "seed \(seed)"

        for _ in 0..<4 {
            var replica = try history.account.empty()
            var delivery = history.statements + history.statements.filter { _ in Bool.random(using: &random) }
            delivery.shuffle(using: &random)
            while !delivery.isEmpty {
                let count = Int.random(in: 1...min(7, delivery.count), using: &random)
                replica.merge(Array(delivery.prefix(count)))
                delivery.removeFirst(count)
            }
            #expect(replica.verdicts == reference.verdicts, label)
            #expect(Set(replica.messages.map(\.statement)) == Set(reference.messages.map(\.statement)), label)
        }

        // Union: commutative, associative, idempotent. A statement that waits for another one is not passed on, so two
        // devices agree once they have exchanged all that the other needed.
        let parts = (0..<3).map { _ in history.statements.filter { _ in Bool.random(using: &random) } }
        var one = try history.replica(parts[0])
        var other = try history.replica(parts[1])
        let third = try history.replica(parts[2])
        Self.exchange(&one, &other)
        #expect(one.verdicts == other.verdicts, label)
        let once = one.verdicts
        one.merge(other.messages)
        #expect(one.verdicts == once, label)
        var rest = third
        while Self.exchange(&one, &rest) + Self.exchange(&rest, &other) + Self.exchange(&other, &one) > 0 {}
        #expect(one.verdicts == rest.verdicts && one.verdicts == other.verdicts, label)
        let outcome = one.merge(history.statements)
        #expect(outcome.refusedCount == 0, label)
    }

    /// How many statements either took in.
    @discardableResult
    private static func exchange(_ one: inout Membership, _ other: inout Membership) -> Int {
        var total = 0
        while true {
            let (fromOther, fromOne) = (other.messages, one.messages)
            let added = one.merge(fromOther).added + other.merge(fromOne).added
            if added == 0 { return total }
            total += added
        }
    }

    @Test(
        "Only devices admitted by a member are in, and no revoked device comes back",
        arguments: Schedules.seeds(30, soak: 2000))
    func safety(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed &+ 10_000)
        let history = try History(steps: 24, using: &random)
        var replica = try history.account.empty()
        var everRevoked = Set<DeviceID>()
        for statement in history.statements.shuffled(using: &random) {
            replica.merge([statement])
            #expect(everRevoked.isSubset(of: replica.revoked), "seed \(seed)")
            everRevoked.formUnion(replica.revoked)
            #expect(everRevoked.isDisjoint(with: replica.members().keys), "seed \(seed)")
            for record in replica.members().values {
                // Each sponsor was itself let in by the rules, up to the first device.
                var sponsor = record.sponsor
                var steps = 0
                while let id = sponsor, steps < 100 {
                    sponsor = try #require(replica.record(of: id), "seed \(seed)").sponsor
                    steps += 1
                }
                #expect(steps < 100, "seed \(seed)")
            }
        }
    }

    /// Devices with views of their own, that add, revoke, gossip, and sometimes lose their memory and fork; and whose keys
    /// are sometimes stolen, by a thief who signs any revocation at all.
    private struct History {
        var account: TestAccount
        var statements: [Baton_Link_V1_SignedStatement]

        init(steps: Int, using random: inout SeededGenerator) throws {
            account = try TestAccount()
            statements = [account.genesis]
            var devices = [account.first]
            var views = [account.membership]
            for step in 0..<steps {
                let actor = Int.random(in: 0..<devices.count, using: &random)
                switch Int.random(in: 0..<12, using: &random) {
                case 0..<4:
                    let device = TestDevice()
                    guard
                        let statement = try? views[actor].statement(
                            adding: device.key.publicKey, by: devices[actor].key, now: testNow, timestamp: time(step))
                    else { continue }
                    statements.append(statement)
                    // Sometimes the sponsor forgets what it said: its next statement forks its chain.
                    if Int.random(in: 0..<8, using: &random) != 0 { views[actor].merge([statement]) }
                    var view = views[actor]
                    view.merge([statement])
                    devices.append(device)
                    views.append(view)
                case 4, 5:
                    guard let target = devices.randomElement(using: &random),
                        let statement = try? views[actor].statement(
                            revoking: target.id, by: devices[actor].key, timestamp: time(step))
                    else { continue }
                    statements.append(statement)
                    views[actor].merge([statement])
                case 6, 7:
                    statements.append(try forged(by: devices[actor], of: devices, using: &random))
                default:
                    let other = Int.random(in: 0..<devices.count, using: &random)
                    views[actor].merge(views[other].messages)
                }
            }
        }

        /// A forged revocation of a device that exists or not, twice or for the first time, with a predecessor of its
        /// own, of another, or none.
        private func forged(
            by thief: TestDevice, of devices: [TestDevice], using random: inout SeededGenerator
        ) throws -> Baton_Link_V1_SignedStatement {
            let target = devices.randomElement(using: &random).map(\.id) ?? thief.id
            let isInvented = Int.random(in: 0..<4, using: &random) == 0
            let named = statements.randomElement(using: &random).map(hash) ?? []
            let unknown = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
            let previous = Bool.random(using: &random) ? named : unknown
            let end = statements.randomElement(using: &random)
            let sequence = UInt64.random(in: 1...6, using: &random)
            return try account.forge(
                signer: thief.id.rawValue, key: thief.key, sequence: sequence, previous: sequence == 1 ? [] : previous
            ) {
                $0.timestamp = UInt64.random(in: 0 ... .max, using: &random)
                $0.revoke.deviceID = isInvented ? TestDevice().id.rawValue : target.rawValue
                guard let end, Bool.random(using: &random) else { return }
                let content = try? Baton_Link_V1_MembershipStatement(serializedBytes: end.statement)
                $0.revoke.lastValidSequence = content?.sequence ?? 1
                $0.revoke.lastValidHash = Data(hash(end))
            }
        }

        func replica(_ statements: [Baton_Link_V1_SignedStatement]) throws -> Membership {
            var membership = try account.empty()
            membership.merge(statements)
            return membership
        }
    }
}
