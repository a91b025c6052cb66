import BatonCore
import BatonTestSupport
import BatonWire
import Handoff

/// A virtual network of devices, each with the real state machine and a few virtual apps, driven by a seed.
///
/// Messages are lost, doubled, delayed and reordered; links break; daemons and apps crash and return; wall clocks differ
/// by minutes. What must always hold is checked at every step, and the rest after the network has healed.
struct HandoffWorld {
    enum Event {
        case snapshot(OfferSnapshot, from: Int, to: Int)
        case fetch(AcceptanceID, ActivityID, AppIdentity, from: Int, to: Int)
        case fetched(AcceptanceID, ActivityID, Bool, from: Int, to: Int)
        case acknowledge(AcceptanceID, ActivityID, from: Int, to: Int)
        case acknowledged(AcceptanceID, Bool, to: Int)
        case saved(AcceptanceID, to: Int, life: Int)
        case attached(AppIdentity, to: Int, life: Int)
        case answered(AcceptanceID, SessionID, Bool, to: Int, life: Int)
        case timer(to: Int, life: Int)
        case act
    }

    struct Device {
        var machine: HandoffStateMachine
        var id: DeviceID
        /// Grows with each crash of the daemon: what was meant for an earlier life is lost.
        var life = 0
        var wallOffset: Int64
        var installed: [ContinuationApp]
        var sessions: [SessionID: ContinuationApp] = [:]
        var silentApps = false
    }

    struct Violation: Error, CustomStringConvertible {
        var description: String
    }

    var random: SeededGenerator
    var devices: [Device] = []
    var queue: [(time: Duration, number: UInt64, event: Event)] = []
    var number: UInt64 = 0
    var now = Duration.zero
    var broken: Set<Int> = []
    var faults = true

    var delivered: [AcceptanceID: Int] = [:]
    var allowed: Set<AcceptanceID> = []
    var answered: Set<AcceptanceID> = []
    var told: [AcceptanceID: Int] = [:]
    var ended: [AcceptanceID: Int] = [:]
    var started: [AcceptanceID: (device: Int, life: Int)] = [:]

    static let teamA = TeamIdentity(fingerprint: Array(repeating: 1, count: 32))
    static let teamB = TeamIdentity(fingerprint: Array(repeating: 2, count: 32))
    static let types = ["com.example.read", "com.example.write"].map(ActivityType.init(unchecked:))

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        let count = Int.random(in: 2...6, using: &random)
        for index in 0..<count {
            var installed = [Self.app("com.example.a", Self.teamA, [0, 1])]
            if Bool.random(using: &random) { installed.append(Self.app("com.example.b", Self.teamB, [0])) }
            if Bool.random(using: &random) { installed.append(Self.app("com.example.c", Self.teamA, [1])) }
            var device = Device(
                machine: HandoffStateMachine(incarnation: 1),
                id: DeviceID(unchecked: String(repeating: Array("ABCDEF")[index], count: 26)),
                wallOffset: Int64.random(in: -600_000...600_000, using: &random), installed: installed)
            _ = device.machine.appsChanged(installed)
            devices.append(device)
        }
        for from in devices.indices { connect(from) }
    }

    private static func app(_ bundle: String, _ team: TeamIdentity, _ types: [Int]) -> ContinuationApp {
        ContinuationApp(
            identity: AppIdentity(bundleID: BundleID(unchecked: bundle), team: team), name: bundle,
            activityTypes: Set(types.map { Self.types[$0] }), version: AppVersion("1"), versionText: "1")
    }

    // MARK: Running

    /// Faulty steps, then healing, then the checks that hold at rest.
    mutating func run(steps: Int) throws {
        for _ in 0..<steps {
            schedule(.milliseconds(Int.random(in: 0...400, using: &random)), .act)
            try drain(until: now + .milliseconds(Int.random(in: 0...500, using: &random)))
        }
        faults = false
        for device in devices.indices { devices[device].silentApps = false }
        for pair in broken { try join(pair / 8, pair % 8) }
        // Longer than every deadline; acknowledgements retry for ten minutes.
        try drain(until: now + .seconds(700))
        try checkAtRest()
    }

    private mutating func drain(until end: Duration) throws {
        while let index = queue.indices.min(by: {
            (queue[$0].time, queue[$0].number) < (queue[$1].time, queue[$1].number)
        }),
            queue[index].time <= end
        {
            let entry = queue.remove(at: index)
            now = max(now, entry.time)
            try handle(entry.event)
        }
        now = max(now, end)
    }

    mutating func schedule(_ delay: Duration, _ event: Event) {
        number += 1
        queue.append((now + delay, number, event))
    }

    func wall(_ device: Int) -> UInt64 {
        UInt64(1_700_000_000_000 + devices[device].wallOffset + Int64(now / .milliseconds(1)))
    }

    private func isBroken(_ a: Int, _ b: Int) -> Bool { broken.contains(min(a, b) * 8 + max(a, b)) }

    /// A message: perhaps lost, doubled, late.
    private mutating func send(_ event: Event, from: Int, to: Int) {
        guard !isBroken(from, to) else { return }
        if faults, Int.random(in: 0..<10, using: &random) == 0 { return }
        let copies = faults && Int.random(in: 0..<10, using: &random) == 0 ? 2 : 1
        for _ in 0..<copies {
            schedule(.milliseconds(Int.random(in: 1...(faults ? 300 : 5), using: &random)), event)
        }
    }

    // MARK: Events

    private mutating func handle(_ event: Event) throws {
        switch event {
        case .act:
            try act()
        case .snapshot(let snapshot, let from, let to):
            guard !isBroken(from, to) else { return }
            try perform(devices[to].machine.offersReceived(snapshot, from: devices[from].id, wall: wall(to)), on: to)
        case .fetch(let acceptance, let activity, let app, let from, let to):
            try perform(
                devices[to].machine.payloadRequested(
                    acceptance, activity: activity, by: devices[from].id, for: app, now: now, wall: wall(to)), on: to)
        case .fetched(let acceptance, let activity, let isSuccess, _, let to):
            let payload = Baton_Value_V1_ActivityPayload()
            _ = activity
            let actions =
                isSuccess
                ? devices[to].machine.payloadArrived(acceptance, payload, size: 10, now: now)
                : devices[to].machine.payloadFailed(acceptance, .init(.handoffFailed, "no"))
            try perform(actions, on: to)
        case .acknowledge(let acceptance, let activity, let from, let to):
            try acknowledge(acceptance, activity, from: from, to: to)
        case .acknowledged(let acceptance, let isSuccess, let to):
            let actions =
                isSuccess
                ? devices[to].machine.acknowledged(acceptance)
                : devices[to].machine.acknowledgementFailed(acceptance, isFinal: true, now: now)
            try perform(actions, on: to)
        case .saved(let acceptance, let to, let life):
            guard devices[to].life == life else { return }
            try perform(
                devices[to].machine.saved(
                    acceptance, .success(Baton_Value_V1_ActivityPayload()), size: 10, now: now), on: to)
        case .attached(let identity, let to, let life):
            guard devices[to].life == life, let app = devices[to].installed.first(where: { $0.identity == identity })
            else { return }
            try attach(app, on: to)
        case .answered(let acceptance, let session, let handled, let to, let life):
            guard devices[to].life == life, devices[to].sessions[session] != nil else { return }
            if handled { answered.insert(acceptance) }
            try perform(
                devices[to].machine.continueAnswered(acceptance, by: session, handled: handled, now: now), on: to)
        case .timer(let to, let life):
            guard devices[to].life == life else { return }
            try perform(devices[to].machine.advance(now: now, wall: wall(to)), on: to)
        }
    }

    private mutating func acknowledge(_ acceptance: AcceptanceID, _ activity: ActivityID, from: Int, to: Int) throws {
        do {
            let actions = try devices[to].machine.continuedElsewhere(
                acceptance, activity: activity, by: devices[from].id, wall: wall(to))
            if actions.contains(where: { if case .wasContinued = $0 { true } else { false } }) {
                told[acceptance, default: 0] += 1
                guard answered.contains(acceptance) else {
                    throw Violation(description: "wasContinued without continue: \(acceptance)")
                }
                guard told[acceptance] == 1 else {
                    throw Violation(description: "wasContinued twice: \(acceptance)")
                }
            }
            try perform(actions, on: to)
            send(.acknowledged(acceptance, true, to: from), from: to, to: from)
        } catch is BatonError {
            send(.acknowledged(acceptance, false, to: from), from: to, to: from)
        }
    }

    // MARK: Actions

    mutating func perform(_ actions: [HandoffAction], on device: Int) throws {
        let life = devices[device].life
        for action in actions {
            switch action {
            case .allowStreams(let grant):
                if grant.role == .receiver { allowed.insert(grant.acceptance) }
            case .revokeStreams(let acceptance):
                guard allowed.remove(acceptance) != nil else {
                    throw Violation(description: "streams were revoked that were not allowed: \(acceptance)")
                }
            case .publish(let snapshot):
                for peer in devices.indices where peer != device {
                    send(.snapshot(snapshot, from: device, to: peer), from: device, to: peer)
                    // Presence sends the newest again until it has arrived: TCP, or a new connection.
                    schedule(.milliseconds(400), .snapshot(snapshot, from: device, to: peer))
                }
            case .fetch(let acceptance, let origin, let activity, let app):
                guard let to = devices.firstIndex(where: { $0.id == origin }) else { continue }
                send(.fetch(acceptance, activity, app, from: device, to: to), from: device, to: to)
            case .answerFetch(let acceptance, let result):
                guard let receiver = started[acceptance]?.device else { continue }
                let isSuccess = if case .success = result { true } else { false }
                send(
                    .fetched(acceptance, ActivityID(unchecked: ""), isSuccess, from: device, to: receiver),
                    from: device,
                    to: receiver)
            case .acknowledge(let acceptance, let origin, let activity):
                guard let to = devices.firstIndex(where: { $0.id == origin }) else { continue }
                send(.acknowledge(acceptance, activity, from: device, to: to), from: device, to: to)
                // What the transport says when no answer comes.
                schedule(.seconds(2), .timer(to: device, life: life))
                let failed = devices[device].machine.acknowledgementFailed(
                    acceptance, isFinal: false, now: now + .seconds(1))
                try perform(failed, on: device)
            case .launch(_, let app, _):
                if !faults || Int.random(in: 0..<8, using: &random) > 0 {
                    schedule(
                        .milliseconds(Int.random(in: 5...2000, using: &random)),
                        .attached(app, to: device, life: life))
                }
            case .askToSave(let acceptance, _, _):
                guard !devices[device].silentApps else { continue }
                schedule(
                    .milliseconds(Int.random(in: 1...200, using: &random)), .saved(acceptance, to: device, life: life))
            case .deliver(let acceptance, let session, _):
                delivered[acceptance, default: 0] += 1
                guard delivered[acceptance] == 1 else {
                    throw Violation(description: "continue delivered twice: \(acceptance)")
                }
                guard allowed.contains(acceptance) else {
                    throw Violation(description: "streams are not allowed when the app is called: \(acceptance)")
                }
                guard !devices[device].silentApps else { continue }
                let handled = Int.random(in: 0..<8, using: &random) > 0
                schedule(
                    .milliseconds(Int.random(in: 1...200, using: &random)),
                    .answered(acceptance, session, handled, to: device, life: life))
            case .progress(let acceptance, let step):
                if step.isLast {
                    ended[acceptance, default: 0] += 1
                    guard ended[acceptance] == 1 else {
                        throw Violation(description: "a continuation ended twice: \(acceptance)")
                    }
                }
            case .willContinue, .didFail, .wasContinued, .offersChanged:
                break
            }
        }
        try checkVisible(on: device)
        if let deadline = devices[device].machine.nextDeadline(now: now, wall: wall(device)) {
            schedule(max(.milliseconds(1), deadline - now), .timer(to: device, life: life))
        }
    }

    private func checkVisible(on device: Int) throws {
        for visible in devices[device].machine.visibleOffers {
            guard visible.app.identity.team == visible.offer.app.team else {
                throw Violation(
                    description: "an offer of team \(visible.offer.app.team) shown to \(visible.app.identity)")
            }
            guard visible.app.activityTypes.contains(visible.offer.activity.type) else {
                throw Violation(description: "an offer of an undeclared type is shown")
            }
        }
    }

    private func checkAtRest() throws {
        for to in devices.indices {
            for from in devices.indices where from != to {
                let published = devices[from].machine.published
                let known = devices[to].machine.snapshot(of: devices[from].id)
                guard known?.offers ?? [] == published.offers else {
                    throw Violation(
                        description: "device \(to) believes something else of device \(from) than it offers")
                }
            }
        }
        for (acceptance, start) in started where devices[start.device].life == start.life {
            guard ended[acceptance] == 1 else {
                throw Violation(description: "a continuation never ended: \(acceptance)")
            }
        }
    }
}
