import BatonCore
import BatonTestSupport
import BatonTrust
import BatonWire
import Foundation
import Testing

@Suite("Link tokens")
struct LinkTokensTests {
    private func key(_ byte: UInt8, at moment: Int = 0) throws -> DiscoveryKey {
        try DiscoveryKey(timestamp: time(moment), bytes: [UInt8](repeating: byte, count: 32))
    }

    private let device = TestDevice().id
    private let other = TestDevice().id

    @Test("Devices of the account recognise an announcement and who made it; nobody else does (H-2, H-11)")
    func recognition() throws {
        let (old, new, foreign) = (try key(1), try key(2, at: 5), try key(3))
        let attributes = LinkTokens.attributes(instance: "abcd", device: device, key: old)
        let recognise = { (instance: String, attributes: [String: String], keys: [DiscoveryKey], members: [DeviceID]) in
            LinkTokens.recognise(instance: instance, attributes: attributes, keys: keys, members: members)
        }
        #expect(recognise("abcd", attributes, [new, old], [other, device]) == .ours(device, key: old))
        #expect(recognise("abcd", attributes.mapValues { $0.lowercased() }, [old], [device]) == .ours(device, key: old))
        #expect(recognise("abcd", attributes, [old], [other]) == .ours(nil, key: old))
        #expect(recognise("abcd", attributes, [foreign, new], [device]) == .notOurs)
        // Under another instance name the same tokens mean nothing.
        #expect(recognise("abce", attributes, [old], [device]) == .notOurs)
        #expect(recognise("abcd", [:], [old], [device]) == .notOurs)
        #expect(recognise("abcd", ["a": "", "d": ""], [old], [device]) == .notOurs)
        #expect(recognise("abcd", ["a": String(repeating: "A", count: 26)], [old], [device]) == .notOurs)
        #expect(
            recognise("abcd", ["a": attributes["a"] ?? "", "d": "é\u{0}"], [old], [device]) == .ours(nil, key: old))
    }

    @Test("Nothing announced repeats or names anybody: two instance names have nothing in common")
    func unlinkable() throws {
        let key = try key(7)
        let one = LinkTokens.attributes(instance: "one", device: device, key: key)
        let two = LinkTokens.attributes(instance: "two", device: device, key: key)
        #expect(Set(one.values).isDisjoint(with: two.values))
        #expect(Set(one.values).count == 2)
        for value in Array(one.values) + two.values {
            #expect(value.utf8.count == 26)
            #expect(!device.rawValue.contains(value.prefix(8)))
        }
    }

    @Test("The gate opens once for each name that a device of the account made, for the last two instance names")
    func gate() throws {
        let (key, newKey, foreign) = (try key(1), try key(2), try key(9))
        let gate = Box(ServerNameGate())
        let name = { (instance: String, key: DiscoveryKey, nonce: UInt8) in
            LinkTokens.serverName(instance: instance, key: key, nonce: [UInt8](repeating: nonce, count: 16))
        }
        #expect(!gate.accept(name("a", key, 0), key: key))
        gate.announce("a")
        #expect(gate.accept(name("a", key, 1), key: key))
        // A replay, in either case.
        #expect(!gate.accept(name("a", key, 1), key: key))
        #expect(!gate.accept(name("a", key, 1).uppercased(), key: key))
        #expect(!gate.accept(name("a", foreign, 2), key: key))
        #expect(!gate.accept(name("b", key, 3), key: key))
        gate.announce("b")
        #expect(gate.accept(name("b", key, 3), key: key))
        #expect(gate.accept(name("a", key, 4), key: key))
        #expect(!gate.accept(name("a", key, 1), key: key))
        // Once the key has changed, the one before opens nothing: a revoked device has it.
        #expect(!gate.accept(name("b", key, 5), key: newKey))
        #expect(gate.accept(name("b", newKey, 6), key: newKey))
        // Announced again, an instance does not forget what was used.
        gate.announce("a")
        #expect(!gate.accept(name("a", key, 4), key: key))
        gate.announce("c")
        gate.announce("d")
        #expect(!gate.accept(name("a", key, 5), key: key))
    }

    @Test("Malformed server names never open the gate")
    func malformedNames() throws {
        let key = try key(1)
        let gate = Box(ServerNameGate())
        gate.announce("a")
        let good = LinkTokens.serverName(instance: "a", key: key, nonce: [UInt8](repeating: 3, count: 16))
        #expect(good.utf8.count <= 253)
        #expect(good == good.lowercased())
        var bad = ["", ".", "..baton", "example.com", good + ".", "." + good, good.replacing(".baton", with: ".batom")]
        bad.append(String(repeating: "a", count: 59))
        bad.append(String(repeating: "é", count: 30))
        bad.append(String(repeating: "x", count: 100_000))
        for index in good.indices where good[index] != "." {
            bad.append(good.replacingCharacters(in: index...index, with: good[index] == "a" ? "b" : "a"))
        }
        for name in bad { #expect(!gate.accept(name, key: key), "\(name.prefix(80))") }
        #expect(gate.accept(good, key: key))
    }

    @Test("The replay memory is bounded: a full one refuses and asks for a new instance name")
    func exhaustion() async throws {
        let key = try key(1)
        let gate = Box(ServerNameGate())
        gate.announce("a")
        func name(_ number: Int) -> String {
            LinkTokens.serverName(
                instance: "a", key: key, nonce: (0..<16).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 & 3))) })
        }
        for number in 0..<ServerNameGate.maximumUses {
            if number % 64 == 0 { await Task.yield() }
            #expect(gate.accept(name(number), key: key))
        }
        #expect(gate.isExhausted)
        #expect(!gate.accept(name(ServerNameGate.maximumUses), key: key))
        gate.announce("b")
        #expect(!gate.isExhausted)
        #expect(
            gate.accept(
                LinkTokens.serverName(instance: "b", key: key, nonce: [UInt8](repeating: 9, count: 16)), key: key))
    }

    @Test("The newest discovery key is told, sixteen are kept, one from the future is refused, and so is an old one")
    func discoveryKeys() throws {
        let keys = Box(DiscoveryKeys())
        let wall = time(0).milliseconds
        let all = try (0..<40).map { try key(UInt8($0), at: $0) }
        // The first has not been the newest for long, and is the anchor all the same.
        for key in all { #expect(keys.merge([key], wall: wall)) }
        #expect(keys.value.all == Array(all.suffix(16).reversed()) + [all[0]])
        #expect(DiscoveryKeys.read(keys.value.told) == [all[39]])
        // Only the newest key of a message counts.
        let late = Box(DiscoveryKeys())
        #expect(late.merge(all, wall: wall))
        #expect(late.value.all == [all[39]])
        // A key older than all kept ones is not taken back; one in between may be some device's newest.
        #expect(!late.merge([all[38]], wall: wall))
        #expect(late.merge([try key(201, at: 41)], wall: wall))
        #expect(late.merge([try key(202, at: 40)], wall: wall))
        #expect(late.value.all.map(\.timestamp) == [time(41), time(40), time(39)])
        #expect(late.forget(olderThan: time(40)))
        #expect(late.value.all.map(\.timestamp) == [time(41), time(40)])
        #expect(late.forget(olderThan: time(50)))
        #expect(late.value.all.map(\.timestamp) == [time(41)])
        #expect(!late.forget(olderThan: time(50)) && !late.merge([all[39]], wall: wall))
        let tied = try key(200, at: 39)
        #expect(keys.merge([tied], wall: wall))
        #expect(keys.value.newest == tied)
        let future = try DiscoveryKey(
            timestamp: HybridTimestamp(milliseconds: wall + HybridLogicalClock.maximumDrift + 1, counter: 0),
            bytes: [UInt8](repeating: 1, count: 32))
        #expect(!keys.merge([future], wall: wall))
        // A key that this device had stored itself is accepted whatever the clock says. Otherwise the device could not
        // be found after its daemon was restarted.
        #expect(DiscoveryKeys(restoring: [future]).newest == future)
        #expect(throws: BatonError.self) { _ = try DiscoveryKey(timestamp: .zero, bytes: [1, 2, 3]) }
        #expect(DiscoveryKeys.read(keys.value.stored) == keys.value.all)
        #expect(DiscoveryKeys.read([.init()]).isEmpty)
    }

    @Test("Made-up keys do not make the others forget the one that a device which was away still has")
    func keyFlood() throws {
        let keys = Box(DiscoveryKeys())
        let wall = time(0).milliseconds
        let honest = try key(1)
        #expect(keys.merge([honest], wall: wall, now: 0))
        // Dated ahead, as many as are kept, in one message and in many.
        let made = try (10..<90).map { try key(UInt8($0), at: $0) }
        keys.merge(made, wall: wall, now: DiscoveryKeys.anchorAge)
        #expect(keys.value.all.count == 1 + DiscoveryKeys.maximumPerMessage)
        for key in made.reversed() + made { keys.merge([key], wall: wall, now: DiscoveryKeys.anchorAge + 1) }
        #expect(keys.value.all.count == DiscoveryKeys.maximumCount + 1)
        #expect(keys.value.all.last == honest && keys.value.newest == made.last)
        // Nor after a restart, which reads all that was stored.
        let stored = Box(DiscoveryKeys(restoring: DiscoveryKeys.read(keys.value.stored)))
        #expect(stored.value == keys.value)
        for number in 90..<120 {
            stored.merge([try key(UInt8(number), at: number)], wall: wall, now: DiscoveryKeys.anchorAge + 2)
        }
        #expect(stored.value.all.last == honest)
        // A key that has stood takes its place.
        let later = try key(200, at: 200)
        stored.merge([later], wall: wall, now: 2 * DiscoveryKeys.anchorAge)
        for number in 201..<220 {
            stored.merge([try key(UInt8(number), at: number)], wall: wall, now: 3 * DiscoveryKeys.anchorAge)
        }
        #expect(stored.value.all.last == later)
    }
}
