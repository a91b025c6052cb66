import BatonCore
import BatonTestSupport
import BatonTrust
import BatonWire
import Crypto
import Foundation

/// Devices that add, revoke, change keys and notify each other, over a network that loses, doubles and delays messages;
/// some of them turn against the others.
///
/// Each device follows ``AccountState``: it merges statements before keys, hands keys to members only, makes a
/// generation with each of its own revocations and whenever it is to seal.
struct KeyRingSimulation {
    struct Device {
        let device: TestDevice
        var membership: Membership
        var ring: KeyRing
        var isHostile = false
    }

    /// A message from one device to another, as it was when sent.
    private struct Message {
        let to: Int
        let statements: [Baton_Link_V1_SignedStatement]
        let keys: [Baton_Link_V1_ContentKey]
    }

    static let maximumDevices = 8
    private var account: TestAccount
    private(set) var devices: [Device] = []
    private var wire: [Message] = []
    private var random: SeededGenerator
    private var clock = 0
    /// Violations of the invariants.
    private(set) var violations: [String] = []

    init(seed: UInt64, keys: [TestDevice], account: TestAccount) throws {
        random = SeededGenerator(seed: seed)
        self.account = account
        let ring = try KeyRing(of: account)
        devices = [Device(device: account.first, membership: account.membership, ring: ring)]
        for key in keys.prefix(Int.random(in: 1..<Self.maximumDevices, using: &random)) { join(key) }
    }

    // MARK: Steps

    mutating func step() throws {
        let actor = Int.random(in: 0..<devices.count, using: &random)
        switch Int.random(in: 0..<16, using: &random) {
        case 0, 1: try revoke(by: actor)
        case 2, 3: seal(by: actor)
        case 4: if Int.random(in: 0..<3, using: &random) == 0 { devices[actor].isHostile = true }
        case 5: if devices[actor].isHostile { try attack(by: actor) }
        case 6..<11: send(from: actor)
        default: deliver()
        }
        check()
    }

    private mutating func join(_ key: TestDevice) {
        let sponsor = Int.random(in: 0..<devices.count, using: &random)
        clock += 1
        guard
            let statement = try? devices[sponsor].membership.statement(
                adding: key.key.publicKey, by: devices[sponsor].device.key, now: testNow, timestamp: time(clock))
        else { return }
        devices[sponsor].membership.merge([statement])
        var joined = devices[sponsor]
        joined = Device(device: key, membership: joined.membership, ring: joined.ring)
        devices.append(joined)
        let newest = devices.count - 1
        for other in devices.indices where Bool.random(using: &random) { tell(other, of: newest) }
    }

    private mutating func tell(_ other: Int, of sender: Int) {
        take(devices[sender].membership.messages, devices[sender].ring.messages, at: other)
    }

    private mutating func revoke(by actor: Int) throws {
        let target = devices[Int.random(in: 0..<devices.count, using: &random)].device.id
        clock += 1
        guard target != devices[actor].device.id,
            let statement = try? devices[actor].membership.statement(
                revoking: target, by: devices[actor].device.key, timestamp: time(clock))
        else { return }
        devices[actor].membership.merge([statement])
        devices[actor].ring.merge([], membership: devices[actor].membership)
        seal(by: actor)
    }

    /// As a device does before it seals.
    private mutating func seal(by actor: Int) {
        var ring = devices[actor].ring
        _ = try? ring.make(by: devices[actor].device, devices[actor].membership)
        devices[actor].ring = ring
    }

    /// The statements that a thief can sign: any number, any devices, its own or all.
    private mutating func attack(by actor: Int) throws {
        let named = devices.map(\.device.id).filter { _ in Bool.random(using: &random) }
        let counter = Bool.random(using: &random) ? UInt64.random(in: 1...4, using: &random) : .max
        let message = try account.forgeGeneration(by: devices[actor].device, counter: counter, revoked: named)
        for other in devices.indices where other != actor {
            wire.append(Message(to: other, statements: devices[actor].membership.messages, keys: [message]))
        }
    }

    private mutating func send(from actor: Int) {
        let to = Int.random(in: 0..<devices.count, using: &random)
        let sender = devices[actor]
        guard to != actor else { return }
        let isMember = sender.membership.isMember(devices[to].device.id)
        wire.append(
            Message(to: to, statements: sender.membership.messages, keys: isMember ? sender.ring.messages : []))
    }

    private mutating func deliver() {
        guard !wire.isEmpty else { return }
        let place = Int.random(in: 0..<wire.count, using: &random)
        let message = wire[place]
        switch Int.random(in: 0..<6, using: &random) {
        case 0: wire.remove(at: place)
        case 1: take(message.statements, message.keys, at: message.to)
        default:
            wire.remove(at: place)
            take(message.statements, message.keys, at: message.to)
        }
        if wire.count > 40 { wire.removeFirst(20) }
    }

    private mutating func take(
        _ statements: [Baton_Link_V1_SignedStatement], _ keys: [Baton_Link_V1_ContentKey], at place: Int
    ) {
        devices[place].membership.merge(statements)
        devices[place].ring.merge(keys, membership: devices[place].membership)
    }

    // MARK: Invariants

    /// At every moment: no device holds a generation that names it, and none seals under one that a device knows which is
    /// revoked as far as the sealing device knows. Not of generations that a hostile device made: it may give them to any
    /// device.
    private mutating func check() {
        let hostile = Set(devices.filter(\.isHostile).map(\.device.id))
        for (place, device) in devices.enumerated() {
            for key in device.ring.generations {
                guard key.issuer.map({ !hostile.contains($0) }) ?? true else { continue }
                if key.revoked.contains(device.device.id) {
                    violations.append("device \(place) holds a key that names it")
                }
                if !key.revoked.isSubset(of: device.membership.revoked) {
                    violations.append("device \(place) holds a key that names somebody who is not revoked there")
                }
            }
            guard let usable = device.ring.usable(in: device.membership),
                usable.issuer.map({ !hostile.contains($0) }) ?? true
            else { continue }
            for (other, holder) in devices.enumerated()
            where device.membership.isRevoked(holder.device.id) && holder.ring.generation(usable.id) != nil {
                violations.append("device \(place) seals under what the revoked device \(other) knows")
            }
        }
    }

    /// Everything arrives, among those who are members in the end.
    /// - Returns: what is usable for each of them.
    mutating func settle() -> [ContentKey?] {
        for _ in 0..<3 {
            exchangeAll()
            // All at once, before anybody has heard of the others'.
            for actor in honestMembers { seal(by: actor) }
        }
        exchangeAll()
        check()
        return honestMembers.map { devices[$0].ring.usable(in: devices[$0].membership) }
    }

    /// By what all statements together say.
    var honestMembers: [Int] {
        var all = account.membership
        for device in devices { all.merge(device.membership.messages) }
        return devices.indices.filter { !devices[$0].isHostile && all.isMember(devices[$0].device.id) }
    }

    private mutating func exchangeAll() {
        for _ in 0..<3 {
            for sender in devices.indices {
                for to in devices.indices where sender != to {
                    let from = devices[sender]
                    let isMember = from.membership.isMember(devices[to].device.id)
                    take(from.membership.messages, isMember && !from.isHostile ? from.ring.messages : [], at: to)
                }
            }
        }
    }
}
