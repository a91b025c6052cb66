import AirDropProtocol
import BatonConcurrency
import BatonCore
import Testing

@testable import AirDrop

/// what this device takes from the account's others.
@Suite("Offers of own devices")
struct OwnOffersTests {
    private static let phone = DeviceID(unchecked: String(repeating: "A", count: 26))
    private static let other = DeviceID(unchecked: String(repeating: "B", count: 26))
    private static let one = AskID(1)

    private struct Subject {
        var machine: OwnOffers
        var now = Duration.zero

        init(hears: Bool = true) { machine = OwnOffers(hears: hears) }

        mutating func give(_ input: OwnOffers.Input) -> [String] { text(machine.handle(input, now: Timestamp(now))) }

        mutating func offer(
            _ id: UInt64 = 1, _ device: DeviceID = phone, needsBytes: Bool = true, others: Int = 0
        ) -> [String] {
            give(.offered(AskID(id), device, needsBytes: needsBytes, others: others))
        }

        mutating func advance(to seconds: Int) -> [String] {
            now = .seconds(seconds)
            return text(machine.advance(now: Timestamp(now)))
        }

        private func text(_ actions: [OwnOffers.Action]) -> [String] {
            actions.map { action in
                switch action {
                case .question(let id): "question \(id.rawValue)"
                case .accept(let id): "accept \(id.rawValue)"
                case .refuse(let id, let error): "refuse \(id.rawValue) \(error.reason)"
                case .deliver(let id): "deliver \(id.rawValue)"
                case .finished(let id, .failed(let error)): "finished \(id.rawValue) \(error.reason)"
                case .finished(let id, let outcome): "finished \(id.rawValue) \(outcome)"
                }
            }
        }
    }

    @Test("Own devices need not ask, if the person wants it so")
    func ownDevices() {
        var subject = Subject()
        #expect(subject.offer(1, Self.phone) == ["question 1"])
        _ = subject.give(.setAccepts(true))
        #expect(subject.offer(2, Self.other) == ["accept 2"])
    }

    @Test("What was accepted is fetched, then delivered; links without files are delivered at once")
    func delivered() {
        var subject = Subject()
        #expect(subject.offer() == ["question 1"])
        #expect(subject.give(.received(Self.one)) == [], "nothing is fetched before the answer")
        #expect(subject.give(.decided(Self.one, accepts: true)) == ["accept 1"])
        #expect(subject.give(.decided(Self.one, accepts: false)) == [], "it is answered once")
        #expect(subject.give(.senderGone(Self.one)) == [], "the connection of the offer does not matter any more")
        #expect(subject.give(.received(Self.one)) == ["deliver 1"])
        #expect(subject.give(.delivered(Self.one)) == ["finished 1 delivered"])
        #expect(subject.offer(2, needsBytes: false) == ["question 2"])
        #expect(subject.give(.decided(AskID(2), accepts: true)) == ["accept 2", "deliver 2"])
        #expect(subject.give(.failed(AskID(2), AirDropReceiver.busy)) == ["finished 2 airdrop_busy"])
        #expect(subject.machine.count == 0)
    }

    @Test("A question ends with no, after a minute, or when the device that asks has gone")
    func questions() {
        var subject = Subject()
        _ = subject.offer(1)
        #expect(
            subject.give(.decided(Self.one, accepts: false)) == ["refuse 1 airdrop_declined", "finished 1 declined"])
        _ = subject.offer(2)
        #expect(subject.give(.senderGone(AskID(2))) == ["finished 2 withdrawn"])
        _ = subject.offer(3)
        #expect(subject.advance(to: 59) == [])
        #expect(subject.machine.nextDeadline(now: Timestamp(.seconds(59))) == .seconds(60))
        #expect(subject.advance(to: 60) == ["refuse 3 airdrop_expired", "finished 3 expired"])
        #expect(subject.machine.nextDeadline(now: Timestamp(.seconds(60))) == nil)
    }

    @Test("A download that stalls for a minute ends; bringing it to the disk may take longer")
    func stalled() {
        var subject = Subject()
        _ = subject.give(.setAccepts(true))
        _ = subject.offer()
        _ = subject.advance(to: 50)
        _ = subject.give(.progressed(Self.one, bytes: 16 * 1024))
        #expect(subject.advance(to: 109) == [])
        _ = subject.give(.progressed(Self.one, bytes: 16 * 1024 + 1))
        #expect(subject.advance(to: 110) == ["finished 1 airdrop_stalled"])
        _ = subject.offer(2)
        _ = subject.give(.received(AskID(2)))
        #expect(subject.advance(to: 3600) == [])
    }

    @Test("Nobody is heard while AirDrop is off; open questions are declined only when the person turns it off")
    func off() {
        var subject = Subject(hears: false)
        #expect(subject.offer() == ["refuse 1 airdrop_not_visible"])
        _ = subject.give(.setHears(true, declines: true))
        #expect(subject.offer(2) == ["question 2"])
        #expect(subject.give(.setHears(false, declines: false)) == [])
        #expect(subject.offer(3, Self.other) == ["refuse 3 airdrop_not_visible"])
        #expect(subject.give(.setHears(false, declines: true)) == ["refuse 2 airdrop_declined", "finished 2 declined"])
    }

    @Test("A device has one offer at a time, and there are eight with those of contacts and strangers")
    func busy() {
        var subject = Subject()
        #expect(subject.offer(1) == ["question 1"])
        #expect(subject.offer(2) == ["refuse 2 airdrop_busy"])
        #expect(subject.offer(3, Self.other, others: 7) == ["refuse 3 airdrop_busy"])
        #expect(subject.offer(4, Self.other, others: 6) == ["question 4"])
    }
}
