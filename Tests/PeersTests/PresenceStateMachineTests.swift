import BatonCore
import Testing

@testable import Peers

@Suite struct PresenceStateMachineTests {
    private typealias Machine = PresenceStateMachine
    private typealias StreamID = PresenceStateMachine.StreamID

    private static let small = DeviceID(unchecked: String(repeating: "A", count: 26))
    private static let middle = DeviceID(unchecked: String(repeating: "M", count: 26))
    private static let great = DeviceID(unchecked: String(repeating: "Z", count: 26))
    private let address = [DiscoveredAddress(host: "10.0.0.2", port: 1, interface: "eth0")]

    private func dial(in actions: [Machine.Action]) -> StreamID? {
        for case .dial(let id, _, _) in actions { return id }
        return nil
    }

    /// A machine with an established stream that it dialled.
    private func connected(_ local: DeviceID = small, to peer: DeviceID = great) -> (Machine, StreamID) {
        var machine = Machine(local: local, seed: 1)
        let id =
            dial(in: machine.found(instance: "i", addresses: address, device: nil, now: .zero)) ?? StreamID(rawValue: 0)
        _ = machine.dialSucceeded(id, peer: peer, now: .zero)
        _ = machine.handshaken(id, incarnation: 1, now: .zero)
        return (machine, id)
    }

    /// Every dial until `end`, each of which fails at once.
    private func failedDials(_ machine: inout Machine, from start: Duration, until end: Duration) -> [Duration] {
        var times: [Duration] = []
        var actions = machine.tick(now: start)
        var now = start
        while true {
            while let id = dial(in: actions) {
                times.append(now)
                actions = machine.dialFailed(id, now: now)
            }
            guard let wake = machine.nextWake, wake <= end else { return times }
            now = max(now, wake)
            actions = machine.tick(now: now)
        }
    }

    @Test func `an announced device is dialled at once, opened, and told when hello has come`() throws {
        var machine = Machine(local: Self.small, seed: 1)
        let id = try #require(dial(in: machine.found(instance: "i", addresses: address, device: nil, now: .zero)))
        let opening = machine.dialSucceeded(id, peer: Self.great, now: .zero)
        #expect(opening == [.open(id)])
        let establishing = machine.handshaken(id, incarnation: 1, now: .seconds(1))
        #expect(establishing == [.connected(Self.great, over: id), .moved(Self.great, to: id)])
        let again = machine.found(instance: "j", addresses: address, device: Self.great, now: .seconds(2))
        #expect(again.isEmpty)
    }

    @Test func `the greater device waits a little for the smaller one, then dials itself`() {
        var machine = Machine(local: Self.great, seed: 1)
        let actions = machine.found(instance: "i", addresses: address, device: Self.small, now: .zero)
        #expect(actions.isEmpty)
        #expect(machine.nextWake == .milliseconds(500))
        let later = machine.tick(now: .milliseconds(500))
        #expect(dial(in: later) != nil)
    }

    @Test func `while a device is connected, or connecting, it is not dialled`() {
        var machine = Machine(local: Self.small, seed: 1)
        let (id, _) = machine.accepted(from: Self.great, now: .zero)
        let first = machine.found(instance: "i", addresses: address, device: Self.great, now: .zero)
        #expect(first.isEmpty)
        _ = machine.handshaken(id, incarnation: 1, now: .zero)
        let second = machine.networkChanged(now: .seconds(1))
        #expect(dial(in: second) == nil)
    }

    @Test(arguments: [true, false])
    func `when both dial, both keep the stream that the smaller dialled, whichever was first`(smallerFirst: Bool) throws
    {
        for (local, peer) in [(Self.small, Self.great), (Self.great, Self.small)] {
            var machine = Machine(local: local, seed: 1)
            let out = try #require(dial(in: machine.found(instance: "i", addresses: address, device: nil, now: .zero)))
            let (inbound, _) = machine.accepted(from: peer, now: .zero)
            _ = machine.dialSucceeded(out, peer: peer, now: .zero)
            let ofSmaller = local == Self.small ? out : inbound
            let ofGreater = local == Self.small ? inbound : out
            let order = smallerFirst ? [ofSmaller, ofGreater] : [ofGreater, ofSmaller]
            var actions: [Machine.Action] = []
            for id in order { actions += machine.handshaken(id, incarnation: 1, now: .milliseconds(10)) }
            #expect(actions.contains(.close(ofGreater, .replaced)))
            #expect(!actions.contains(.close(ofSmaller, .replaced)))
            #expect(actions.count { if case .connected = $0 { true } else { false } } == 1)
            #expect(!actions.contains { if case .disconnected = $0 { true } else { false } })
            #expect(machine.streams.keys.sorted() == [ofSmaller])
        }
    }

    // H-11: The peer dials anew because it lost the first stream, of which this side need not know: refusing the new one
    // would cut the two off for as long as this side believes in the old one.
    @Test(arguments: [.seconds(3), .seconds(60)] as [Duration], [true, false])
    func `a stream that does not answer gives way to the peer's new one, however young, one that answers stays`(
        age: Duration, answers: Bool
    ) {
        var (machine, old) = connected()
        let (new, _) = machine.accepted(from: Self.great, now: age)
        let asking = machine.handshaken(new, incarnation: 1, now: age)
        #expect(asking == [.sendKeepAlive(old, answer: true)])
        let outcome =
            answers ? machine.heard(old, now: age + .seconds(1)) : machine.tick(now: age + .seconds(5))
        #expect(outcome.contains(answers ? .close(new, .replaced) : .close(old, .silent)))
        #expect(!outcome.contains { if case .disconnected = $0 { true } else { false } })
    }

    @Test func `a peer that was started anew replaces its old streams at once`() {
        var (machine, old) = connected()
        let (new, _) = machine.accepted(from: Self.great, now: .seconds(60))
        let actions = machine.handshaken(new, incarnation: 2, now: .seconds(60))
        #expect(actions == [.close(old, .replaced), .moved(Self.great, to: new)])
    }

    @Test func `a stream that ends while another is being made does not disconnect the device`() {
        var (machine, old) = connected()
        let (new, _) = machine.accepted(from: Self.great, now: .seconds(60))
        let ending = machine.closed(old, reason: "reset", now: .seconds(60))
        #expect(ending.isEmpty)
        let establishing = machine.handshaken(new, incarnation: 1, now: .seconds(60))
        #expect(establishing == [.moved(Self.great, to: new)])
        let (newer, _) = machine.accepted(from: Self.great, now: .seconds(61))
        _ = machine.closed(new, reason: "reset", now: .seconds(61))
        let late = machine.tick(now: .seconds(72))
        #expect(late.contains(.close(newer, .slowHandshake)))
        #expect(late.contains(.disconnected(Self.great, reason: "slow_handshake")))
    }

    @Test func `keep-alives are sent after 20 to 25 seconds of silence, and death is noticed after 45 to 50`() {
        var (machine, id) = connected()
        let first = machine.nextWake
        #expect(first == .seconds(20))
        let keepAlive = machine.tick(now: .seconds(20))
        #expect(keepAlive == [.sendKeepAlive(id, answer: false)])
        _ = machine.tick(now: .seconds(40))
        let death = machine.tick(now: .seconds(45))
        #expect(death.contains(.close(id, .silent)))
        #expect(death.contains(.disconnected(Self.great, reason: "silent")))
    }

    @Test func `keep-alives of many devices fall on the same few moments`() {
        var machine = Machine(local: Self.small, seed: 1)
        for index in 0..<20 {
            let peer = DeviceID(
                unchecked: "B" + String(repeating: "C", count: 24) + String(UnicodeScalar(UInt8(65 + index))))
            let time = Duration.milliseconds(237 * index)
            let (id, _) = machine.accepted(from: peer, now: time)
            _ = machine.handshaken(id, incarnation: 1, now: time)
        }
        var wakes = 0
        while let wake = machine.nextWake, wake <= .seconds(600), wakes < 10_000 {
            wakes += 1
            for case .sendKeepAlive(let id, _) in machine.tick(now: wake) { _ = machine.heard(id, now: wake) }
        }
        // In ten minutes: one device alone needs 30.
        #expect(wakes <= 61)
    }

    @Test func `a change of the network asks every stream at once, and the dead one is dropped in 5 seconds`() {
        var (machine, id) = connected()
        let asking = machine.networkChanged(now: .seconds(10))
        #expect(asking == [.sendKeepAlive(id, answer: true)])
        #expect(machine.nextWake == .seconds(15))
        let death = machine.tick(now: .seconds(15))
        #expect(death.contains(.close(id, .silent)))
    }

    @Test func `a device that has fallen silent is asked alone, and not again while its answer is awaited`() {
        var (machine, id) = connected()
        let (other, _) = machine.accepted(from: Self.middle, now: .zero)
        _ = machine.handshaken(other, incarnation: 1, now: .zero)
        // Its presence stream is not established yet.
        _ = machine.accepted(from: Self.great, now: .seconds(1))
        let asking = machine.stalled(Self.great, now: .seconds(1))
        #expect(asking == [.sendKeepAlive(id, answer: true)])
        let again = machine.stalled(Self.great, now: .seconds(3))
        #expect(again.isEmpty)
        let death = machine.tick(now: .seconds(6))
        #expect(death.first == .close(id, .silent))
        #expect(machine.streams[other] != nil)
    }

    @Test func `a device that answers stays, and may be asked again`() {
        var (machine, id) = connected()
        _ = machine.stalled(Self.great, now: .seconds(1))
        let answering = machine.heard(id, now: .seconds(2))
        let later = machine.tick(now: .seconds(6))
        #expect(answering.isEmpty && later.isEmpty)
        let asking = machine.stalled(Self.great, now: .seconds(7))
        #expect(asking == [.sendKeepAlive(id, answer: true)])
        let unknown = machine.stalled(Self.middle, now: .seconds(7))
        #expect(unknown.isEmpty)
    }

    @Test func `failed dials back off to a minute with jitter, and a new address or network starts anew a few times`() {
        var machine = Machine(local: Self.small, seed: 7)
        let first = machine.found(instance: "i", addresses: address, device: nil, now: .zero)
        if let id = dial(in: first) { _ = machine.dialFailed(id, now: .zero) }
        let times = failedDials(&machine, from: .zero, until: .seconds(1800))
        let gaps = zip(times.dropFirst(), times).map { $0 - $1 }
        #expect(gaps.allSatisfy { $0 <= .seconds(60.1) })
        #expect((30...150).contains(times.count), "\(times.count) dials in half an hour")
        #expect(Set(gaps).count > gaps.count / 2, "the gaps vary")

        var extra = 0
        for index in 0..<1000 {
            let now = Duration.seconds(1800) + .milliseconds(index * 30)
            let other = [DiscoveredAddress(host: "10.0.0.\(index % 250)", port: 1, interface: "eth0")]
            var actions = machine.found(instance: "i", addresses: other, device: nil, now: now) + machine.tick(now: now)
            while let id = dial(in: actions) {
                extra += 1
                actions = machine.dialFailed(id, now: now)
            }
        }
        #expect((1...60).contains(extra), "\(extra) dials for a thousand changes in 30 seconds")
    }

    @Test func `an announcement that goes and comes back does not reset its back-off each time`() {
        var machine = Machine(local: Self.small, seed: 7)
        var dials = 0
        for index in 0..<1000 {
            let now = Duration.milliseconds(index * 30)
            var actions =
                machine.found(instance: "i", addresses: address, device: nil, now: now) + machine.tick(now: now)
            while let id = dial(in: actions) {
                dials += 1
                actions = machine.dialFailed(id, now: now)
            }
            actions = machine.lost(instance: "i", now: now)
            #expect(actions.isEmpty)
        }
        #expect((1...60).contains(dials), "\(dials) dials")
    }

    @Test func `a peer that connects and leaves at once is dialled ever more rarely`() {
        var machine = Machine(local: Self.small, seed: 7)
        var now = Duration.zero
        var actions = machine.found(instance: "i", addresses: address, device: nil, now: now)
        var dials = 0
        while now < .seconds(1800) {
            if let id = dial(in: actions) {
                dials += 1
                _ = machine.dialSucceeded(id, peer: Self.great, now: now)
                _ = machine.handshaken(id, incarnation: 1, now: now)
                actions = machine.closed(id, reason: "goodbye", now: now)
                continue
            }
            guard let wake = machine.nextWake else { break }
            now = max(now, wake)
            actions = machine.tick(now: now)
        }
        #expect((20...150).contains(dials), "\(dials) dials in half an hour")
    }

    // Discovery data is never believed before TLS has proved it: an announcement that claims to be a device neither keeps
    // that device from being dialled where it is, nor counts as it.
    @Test func `a repeated announcement of a device does not hide the real one`() throws {
        var machine = Machine(local: Self.small, seed: 1)
        var actions = machine.found(instance: "real", addresses: [], device: Self.great, now: .zero)
        #expect(dial(in: actions) == nil)
        let forged = [DiscoveredAddress(host: "10.6.6.6", port: 1, interface: "eth0")]
        actions = machine.found(instance: "replayed", addresses: forged, device: Self.great, now: .zero)
        #expect(dial(in: actions) != nil)
        _ = machine.found(instance: "real", addresses: address, device: Self.great, now: .milliseconds(10))
        var now = try #require(machine.nextWake)
        actions = machine.tick(now: now)
        // The forged one is still being dialled, to nowhere.
        let id = try #require(dial(in: actions))
        actions = machine.dialSucceeded(id, peer: Self.great, now: now)
        #expect(actions == [.open(id)])
        now += .milliseconds(10)
        actions = machine.handshaken(id, incarnation: 1, now: now)
        #expect(actions.contains(.connected(Self.great, over: id)))
    }

    @Test func `a connection to itself or to a revoked device is closed before anything is said`() throws {
        var machine = Machine(local: Self.small, seed: 1)
        let own = try #require(dial(in: machine.found(instance: "own", addresses: address, device: nil, now: .zero)))
        var actions = machine.dialSucceeded(own, peer: Self.small, now: .zero)
        #expect(actions.contains(.close(own, .needless)))
        #expect(machine.nextWake == nil)
        _ = machine.membershipChanged(revoked: [Self.great], isMember: { _ in true }, now: .zero)
        let other = try #require(
            dial(in: machine.found(instance: "other", addresses: address, device: nil, now: .zero)))
        actions = machine.dialSucceeded(other, peer: Self.great, now: .zero)
        #expect(actions == [.close(other, .revoked)])
        let (id, refusal) = machine.accepted(from: Self.great, now: .zero)
        #expect(refusal == [.close(id, .revoked)])
    }

    @Test func `a revoked device is cut off at once and not dialled again`() {
        var (machine, id) = connected()
        let actions = machine.membershipChanged(
            revoked: [Self.great], isMember: { _ in true }, now: .seconds(5))
        #expect(actions == [.close(id, .revoked), .disconnected(Self.great, reason: "revoked")])
        _ = machine.closed(id, reason: "revoked", now: .seconds(5))
        let dials = failedDials(&machine, from: .seconds(5), until: .seconds(600))
        #expect(dials.isEmpty)
    }

    @Test func `a device that is no member any more is cut off once its membership was exchanged, not before`() {
        var (machine, id) = connected()
        let (younger, _) = machine.accepted(from: Self.middle, now: .seconds(4))
        let actions = machine.membershipChanged(revoked: [], isMember: { _ in false }, now: .seconds(5))
        #expect(actions == [.close(id, .notMember), .disconnected(Self.great, reason: "not_a_member")])
        #expect(machine.streams.keys.sorted() == [younger])
        // It may be let in again; others are dialled as before, with back-off.
        let dials = failedDials(&machine, from: .seconds(5), until: .seconds(120))
        #expect((3...30).contains(dials.count), "\(dials.count) dials")
        // One that stops being a member between the exchange and what follows from it.
        let (last, _) = machine.accepted(from: Self.middle, now: .seconds(121))
        let dismissal = machine.dismissed(last, now: .seconds(122))
        #expect(dismissal == [.close(last, .notMember)])
        #expect(machine.streams.isEmpty)
    }

    @Test func `dials, targets and handshakes are bounded`() {
        var machine = Machine(local: Self.small, seed: 1)
        var dials = 0
        for index in 0..<1000 {
            let actions = machine.found(instance: "i\(index)", addresses: address, device: nil, now: .zero)
            dials += actions.count { if case .dial = $0 { true } else { false } }
        }
        #expect(dials == 16)
        #expect(machine.targets.count == 256)
        var refused = 0
        for _ in 0..<100 {
            let (id, actions) = machine.accepted(from: Self.great, now: .zero)
            if actions == [.close(id, .tooMany)] { refused += 1 }
        }
        #expect(refused == 96)
        #expect(machine.streams.count == 4)
    }

    @Test func `the end of everything closes each stream and tells of each device`() {
        var (machine, id) = connected()
        let actions = machine.stop()
        #expect(actions == [.close(id, .stopped), .disconnected(Self.great, reason: "stopped")])
        #expect(machine.nextWake == nil)
    }
}
