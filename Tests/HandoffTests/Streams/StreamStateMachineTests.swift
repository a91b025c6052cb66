import BatonCore
import BatonTestSupport
import Foundation
import Handoff
import Testing

@Suite("Permission for continuation streams")
struct StreamStateMachineTests {
    private static let device = DeviceID(unchecked: String(repeating: "A", count: 26))
    private static let stranger = DeviceID(unchecked: String(repeating: "B", count: 26))
    private let acceptance = AcceptanceID.random()
    private let session = SessionID.random()
    private let activity = ActivityID.random()

    private func grant(_ role: StreamGrant.Role, supports: Bool = true) -> StreamGrant {
        StreamGrant(
            acceptance: acceptance, role: role, session: session, activity: activity, device: Self.device,
            supportsStreams: supports)
    }

    private func refusal(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return (error as? BatonError)?.reason
        }
    }

    @Test("Only the app that was given the activity may ask, for a while (H-78)")
    func receiver() throws {
        var machine = StreamStateMachine()
        machine.allow(grant(.receiver), now: .zero)
        let (device, asked) = try machine.open(.random(), acceptance, by: session, now: .seconds(1))
        #expect(device == Self.device && asked == activity)
        #expect(
            refusal { _ = try machine.open(.random(), acceptance, by: .random(), now: .zero) } == "streams_not_granted")
        #expect(
            refusal { _ = try machine.open(.random(), .random(), by: session, now: .zero) } == "streams_not_granted")
        #expect(
            refusal { _ = try machine.open(.random(), acceptance, by: session, now: .seconds(900)) }
                == "streams_not_granted")
    }

    @Test("Only the device that the activity was given to may ask its app (H-79)")
    func origin() throws {
        var machine = StreamStateMachine()
        machine.allow(grant(.origin), now: .zero)
        let stream = StreamID.random()
        let app = try machine.requested(stream, acceptance, activity: activity, by: Self.device, now: .zero)
        #expect(app == session)
        for (device, asked) in [(Self.stranger, activity), (Self.device, ActivityID.random())] {
            #expect(
                refusal { _ = try machine.requested(.random(), acceptance, activity: asked, by: device, now: .zero) }
                    == "streams_not_granted")
        }
        // Neither another app nor a second time.
        #expect(refusal { try machine.take(stream, by: .random()) } == "unknown_stream")
        try machine.take(stream, by: session)
        #expect(refusal { try machine.take(stream, by: session) } == "unknown_stream")
    }

    @Test("A request to an app that has ended since says so, for as long as it might be asked (H-79)")
    func originEnded() throws {
        var machine = StreamStateMachine()
        machine.allow(grant(.origin), now: .zero)
        let waiting = StreamID.random()
        _ = try machine.requested(waiting, acceptance, activity: activity, by: Self.device, now: .zero)
        let closings = machine.sessionEnded(session)
        #expect(closings.map(\.error.message) == ["The app that offered this activity has ended."])
        func ask(_ device: DeviceID, _ now: Duration) -> BatonError? {
            do {
                _ = try machine.requested(.random(), acceptance, activity: activity, by: device, now: now)
                return nil
            } catch {
                return error
            }
        }
        let refusal = ask(Self.device, .seconds(1))
        #expect(refusal?.code == .notFound && refusal?.reason == "stream_gone")
        #expect(refusal?.message == "The app that offered this activity has ended.")
        // No other device learns of it.
        #expect(ask(Self.stranger, .seconds(1))?.reason == "streams_not_granted")
        #expect(ask(Self.device, .seconds(900))?.reason == "streams_not_granted")
        #expect(machine.counts.streams == 0)
    }

    @Test("Without supportsContinuationStreams there are none (H-34, H-77)")
    func unsupported() {
        var machine = StreamStateMachine()
        machine.allow(grant(.receiver, supports: false), now: .zero)
        machine.allow(grant(.origin, supports: false), now: .zero)
        #expect(
            refusal { _ = try machine.open(.random(), acceptance, by: session, now: .zero) } == "streams_not_supported")
        #expect(
            refusal {
                _ = try machine.requested(.random(), acceptance, activity: activity, by: Self.device, now: .zero)
            }
                == "streams_not_supported")
    }

    @Test("Pairs are bounded, and one that has ended makes room (H-82)")
    func bounds() throws {
        var machine = StreamStateMachine()
        machine.allow(grant(.receiver), now: .zero)
        let streams = (0..<8).map { _ in StreamID.random() }
        for stream in streams { _ = try machine.open(stream, acceptance, by: session, now: .zero) }
        #expect(refusal { _ = try machine.open(.random(), acceptance, by: session, now: .zero) } == "too_many_streams")
        machine.ended(streams[3])
        #expect(refusal { _ = try machine.open(.random(), acceptance, by: session, now: .zero) } == nil)
        // Pairs of one device, over several continuations.
        for _ in 0..<2 {
            var other = grant(.receiver)
            other.acceptance = .random()
            machine.allow(other, now: .zero)
            for _ in 0..<4 { _ = try machine.open(.random(), other.acceptance, by: session, now: .zero) }
        }
        var last = grant(.receiver)
        last.acceptance = .random()
        machine.allow(last, now: .zero)
        #expect(
            refusal { _ = try machine.open(.random(), last.acceptance, by: session, now: .zero) } == "too_many_streams")
    }

    @Test("A pair that the app does not come for is over at its deadline, and an open one is not")
    func deadlines() throws {
        var machine = StreamStateMachine()
        machine.allow(grant(.origin), now: .zero)
        let (late, open) = (StreamID.random(), StreamID.random())
        for stream in [late, open] {
            _ = try machine.requested(stream, acceptance, activity: activity, by: Self.device, now: .zero)
        }
        try machine.take(open, by: session)
        let isOpen = machine.opened(open)
        #expect(isOpen)
        #expect(machine.nextDeadline == .seconds(8))
        let early = machine.advance(now: .seconds(7))
        #expect(early.isEmpty)
        let closings = machine.advance(now: .seconds(8))
        #expect(closings.map(\.stream) == [late])
        #expect(closings.first?.error.code == .deadlineExceeded)
        #expect(machine.nextDeadline == nil)
        let isLateOpen = machine.opened(late)
        #expect(!isLateOpen)
    }

    @Test("An app that ends, a device that leaves and a continuation that fails end their pairs")
    func endings() throws {
        let endings: [(inout StreamStateMachine) -> [StreamStateMachine.Closing]] = [
            { $0.sessionEnded(session) }, { $0.deviceLost(Self.device) }, { $0.revoke(acceptance) },
        ]
        for end in endings {
            var machine = StreamStateMachine()
            machine.allow(grant(.receiver), now: .zero)
            let stream = StreamID.random()
            _ = try machine.open(stream, acceptance, by: session, now: .zero)
            let isOpen = machine.opened(stream)
            let others = machine.sessionEnded(.random()) + machine.deviceLost(Self.stranger)
            #expect(isOpen && others.isEmpty)
            let closings = end(&machine)
            #expect(closings.map(\.stream) == [stream])
            #expect(machine.counts.streams == 0)
        }
    }

    @Test(
        "For any inputs in any order, nothing is counted for ever, nothing open without permission",
        arguments: 0..<8)
    func schedules(part: Int) {
        for index in 0..<1500 {
            let seed = UInt64(part) << 32 | UInt64(index)
            var world = StreamsWorld(seed: seed)
            if let failure = world.run() {
                Issue.record("seed \(seed): \(failure)")
                return
            }
        }
    }
}

/// One daemon between apps and devices that come and go, and ask for streams with or without permission.
private struct StreamsWorld {
    private var random: SeededGenerator
    private var machine = StreamStateMachine()
    private var now = Duration.zero
    private var sessions: [SessionID]
    private let devices: [DeviceID]
    private var grants: [StreamGrant] = []
    /// The streams that exist in the model, and until when each may wait.
    private var live: [StreamID: (grant: StreamGrant, deadline: Duration?)] = [:]

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        sessions = (0..<3).map { _ in SessionID.random(using: &random) }
        devices = ["C", "D"].map { DeviceID(unchecked: String(repeating: $0, count: 26)) }
        self.random = random
    }

    mutating func run() -> String? {
        for _ in 0..<80 {
            now += .milliseconds(Int.random(in: 0...3000, using: &random))
            if let failure = act() { return failure }
            guard machine.counts.streams == live.count else {
                return "\(machine.counts.streams) pairs are counted, \(live.count) exist"
            }
            let expired = live.values.contains { $0.deadline.map { $0 <= now } ?? false }
            if expired, machine.nextDeadline.map({ $0 > now }) ?? true { return "a deadline is missing" }
        }
        remove(machine.deviceLost(devices[0]) + machine.deviceLost(devices[1]))
        return machine.counts.streams == 0 ? nil : "pairs are left over"
    }

    private mutating func remove(_ closings: [StreamStateMachine.Closing]) {
        for closing in closings { live[closing.stream] = nil }
    }

    private mutating func act() -> String? {
        let grant = grants.randomElement(using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0...1:
            guard let session = sessions.randomElement(using: &random),
                let device = devices.randomElement(using: &random)
            else { return nil }
            let new = StreamGrant(
                acceptance: .random(using: &random), role: Bool.random(using: &random) ? .receiver : .origin,
                session: session, activity: .random(using: &random), device: device,
                supportsStreams: Int.random(in: 0..<5, using: &random) > 0)
            machine.allow(new, now: now)
            grants.append(new)
        case 2...6:
            guard let grant else { return nil }
            return ask(grant)
        case 7:
            guard let stream = live.keys.sorted().randomElement(using: &random) else { return nil }
            if machine.opened(stream) { live[stream]?.deadline = nil } else { return "a live pair is unknown" }
        case 8:
            guard let stream = live.keys.sorted().randomElement(using: &random) else { return nil }
            machine.ended(stream)
            live[stream] = nil
        case 9: remove(machine.advance(now: now))
        case 10:
            guard let device = devices.randomElement(using: &random) else { return nil }
            remove(machine.deviceLost(device))
        default:
            guard Int.random(in: 0..<3, using: &random) == 0 else { return nil }
            let index = Int.random(in: sessions.indices, using: &random)
            remove(machine.sessionEnded(sessions[index]))
            grants.removeAll { $0.session == sessions[index] }
            sessions[index] = .random(using: &random)
        }
        return nil
    }

    private mutating func ask(_ grant: StreamGrant) -> String? {
        let stream = StreamID.random(using: &random)
        let isHonest = Int.random(in: 0..<4, using: &random) > 0
        do {
            switch grant.role {
            case .receiver:
                let session = isHonest ? grant.session : SessionID.random(using: &random)
                _ = try machine.open(stream, grant.acceptance, by: session, now: now)
                live[stream] = (grant, now + .seconds(12))
            case .origin:
                let device = isHonest ? grant.device : DeviceID(unchecked: String(repeating: "E", count: 26))
                let session = try machine.requested(
                    stream, grant.acceptance, activity: grant.activity, by: device, now: now)
                if session != grant.session { return "another app is asked" }
                live[stream] = (grant, now + .seconds(8))
            }
            if !isHonest { return "a stranger got streams" }
            if !grant.supportsStreams { return "streams without support" }
        } catch {}
        return nil
    }
}
