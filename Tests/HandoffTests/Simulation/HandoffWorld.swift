import BatonCore
import BatonTestSupport
import BatonWire
import Handoff

/// A virtual network of devices, each with the real state machine and a few virtual apps, driven by a seed.
///
/// Messages are lost, doubled, delayed and reordered; links break; daemons and apps crash and return; apps lose their
/// attachment and attach again; wall clocks differ by minutes; a device of the account asks for what it should not get.
/// Activities have pages, sites name apps and change their mind, browsers come, go and fail.
/// Invariants are checked at every step, and the final state after the network has healed, against a model of the apps'
/// own actions.
struct HandoffWorld {
    enum Event {
        case connected(Int, to: Int)
        case snapshot(OfferSnapshot, from: Int, to: Int)
        case fetch(AcceptanceID, ActivityID, AppIdentity?, from: Int, to: Int)
        case fetched(AcceptanceID, ActivityPayload?, to: Int)
        case acknowledge(AcceptanceID, ActivityID, from: Int, to: Int)
        case acknowledged(AcceptanceID, Bool, to: Int)
        case saved(AcceptanceID, ActivityID, to: Int, life: Int)
        case attached(AppIdentity, to: Int, life: Int)
        case attachedAgain(SessionID, to: Int)
        case browsed(AcceptanceID, Bool, to: Int, life: Int)
        case launchFailed(AcceptanceID, to: Int, life: Int)
        case answered(AcceptanceID, SessionID, Bool, to: Int, life: Int)
        case timer(to: Int, life: Int)
        case act
    }

    /// A process with what it believes of its activities, whatever its daemon makes of them.
    struct App {
        var app: ContinuationApp
        var activities: [ActivityID: ActivityDescription] = [:]
        var current: ActivityID?
        /// The activity that was current until it was continued elsewhere.
        var continued: ActivityID?
        /// Not while its connection is broken.
        var isAttached = true
    }

    /// A class, because it is large and would be copied wherever a part of it is looked at.
    final class Device {
        var machine = HandoffStateMachine(incarnation: 1)
        let id: DeviceID
        /// Grows with each crash of the daemon: what was meant for an earlier life is lost.
        var life = 0
        let wallOffset: Int64
        let installed: [ContinuationApp]
        var apps: [SessionID: App] = [:]
        var silentApps = false
        var hasBrowser = true
        /// When each activity here was last made current or changed.
        var lastChange: [ActivityID: Int] = [:]
        /// Which installed apps the site of each page names.
        var claims: [String: [AppIdentity]] = [:]
        /// When the state machine is to be given the time next.
        var timer: Duration?
        /// The newest that each other device said over the connection of now.
        var heard: [Int: OfferSnapshot] = [:]
        /// Activities continued here in this life of the daemon, as they were offered then.
        var continued: [ActivityID: (incarnation: UInt64, timestamp: HybridTimestamp)] = [:]

        init(id: DeviceID, wallOffset: Int64, installed: [ContinuationApp]) {
            self.id = id
            self.wallOffset = wallOffset
            self.installed = installed
        }
    }

    /// The identity of an acceptance, from the person's decision on.
    struct Acceptance {
        var device: Int
        var life: Int
        var origin: Int
        var originLife: Int
        var incarnation: UInt64
        var offer: Offer
        var route: OfferRoute
        /// The caller that accepted opens the page.
        var isCaller = false
        var willContinue = 0
        var delivered = 0
        var didFail = 0
        var isHandled = false
        var ended = 0
        var opened = 0
        /// The page that came, where only that was asked for.
        var page: String?
        /// Whether the site of the page that came named the app then.
        var isNamed = false
        /// Streams, for the app that is given the activity.
        var allowsStreams = false
    }

    struct Violation: Error, CustomStringConvertible {
        var description: String
    }

    /// Counts of events, so that a simulation in which nothing happens is noticed.
    struct Statistics {
        var accepted = 0
        var continued = 0
        var told = 0
        var failed = 0
        var refusedRequests = 0
        var failedLaunchesTold = 0
        var pagesInApps = 0
        var pagesInBrowsers = 0
        var pagesOfCallers = 0
        var browsersInstead = 0
        var renewed = 0

        mutating func add(_ other: Statistics) {
            accepted += other.accepted
            continued += other.continued
            told += other.told
            failed += other.failed
            refusedRequests += other.refusedRequests
            failedLaunchesTold += other.failedLaunchesTold
            pagesInApps += other.pagesInApps
            pagesInBrowsers += other.pagesInBrowsers
            pagesOfCallers += other.pagesOfCallers
            browsersInstead += other.browsersInstead
            renewed += other.renewed
        }
    }

    var random: SeededGenerator
    var devices: [Device] = []
    var indexes: [DeviceID: Int] = [:]
    /// The next event is the last.
    var queue: [(time: Duration, event: Event)] = []
    var now = Duration.zero
    var broken: Set<Int> = []
    var faults = true
    /// Changes of activities, so far.
    var changes = 0

    var acceptances: [AcceptanceID: Acceptance] = [:]
    /// How often the app of an activity was notified that a device continued it.
    var told: [ActivityID: [DeviceID: Int]] = [:]
    var statistics = Statistics()

    static let teamA = TeamIdentity(fingerprint: Array(repeating: 1, count: 32))
    static let teamB = TeamIdentity(fingerprint: Array(repeating: 2, count: 32))
    static let types = ["com.example.read", "com.example.write", "NSUserActivityTypeBrowsingWeb"]
        .map(ActivityType.init(unchecked:))
    private static let ids = "ABCDEF".map { DeviceID(unchecked: String(repeating: $0, count: 26)) }
    private static let reader = app("com.example.a", teamA, [0, 1])
    private static let browser = app("com.example.a", teamA, [0, 2])
    private static let strangers = app("com.example.b", teamB, [0])
    private static let writer = app("com.example.c", teamA, [1])
    static let pages = (0..<3).map { "https://site\($0).example/page" }

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        let count = Int.random(in: 2...6, using: &random)
        for index in 0..<count {
            var installed = [Bool.random(using: &random) ? Self.reader : Self.browser]
            if Bool.random(using: &random) { installed.append(Self.strangers) }
            if Bool.random(using: &random) { installed.append(Self.writer) }
            let device = Device(
                id: Self.ids[index], wallOffset: Int64.random(in: -600_000...600_000, using: &random),
                installed: installed)
            for page in Self.pages { device.claims[page] = randomClaims(installed) }
            device.hasBrowser = Bool.random(using: &random)
            _ = device.machine.appsChanged(installed)
            _ = device.machine.browserChanged(isAvailable: device.hasBrowser)
            indexes[device.id] = index
            devices.append(device)
        }
        for a in devices.indices {
            for b in devices.indices where a < b { link(a, b) }
        }
    }

    mutating func randomClaims(_ installed: [ContinuationApp]) -> [AppIdentity] {
        var claims: [AppIdentity] = []
        for app in installed where Int.random(in: 0..<3, using: &random) == 0 { claims.append(app.identity) }
        return claims
    }

    private static func app(_ bundle: String, _ team: TeamIdentity, _ types: [Int]) -> ContinuationApp {
        ContinuationApp(
            identity: AppIdentity(bundleID: BundleID(unchecked: bundle), team: team), name: bundle,
            activityTypes: Set(types.map { Self.types[$0] }), version: AppVersion("1"), versionText: "1")
    }

    // MARK: Running

    /// Faulty steps, then healing, then the checks that hold at rest.
    mutating func run(steps: Int) throws {
        for device in devices.indices {
            for app in devices[device].installed where Int.random(in: 0..<4, using: &random) > 0 {
                try attach(App(app: app), on: device)
                try update(on: device)
            }
        }
        for _ in 0..<steps {
            schedule(.milliseconds(Int.random(in: 0...400, using: &random)), .act)
            // Now and then long enough for deadlines.
            let isLong = Int.random(in: 0..<12, using: &random) == 0
            try drain(until: now + .milliseconds(Int.random(in: 0...(isLong ? 9000 : 500), using: &random)))
        }
        faults = false
        for device in devices.indices { devices[device].silentApps = false }
        for pair in broken.sorted() {
            broken.remove(pair)
            link(pair / 8, pair % 8)
        }
        // Longer than every deadline; acknowledgements retry for ten minutes.
        try drain(until: now + .seconds(700))
        try checkAtRest()
    }

    private mutating func drain(until end: Duration) throws {
        while let entry = queue.last, entry.time <= end {
            queue.removeLast()
            now = max(now, entry.time)
            try handle(entry.event)
        }
        now = max(now, end)
    }

    mutating func schedule(_ delay: Duration, _ event: Event) {
        let time = now + delay
        var (low, high) = (0, queue.count)
        while low < high {
            let middle = (low + high) / 2
            if queue[middle].time > time { low = middle + 1 } else { high = middle }
        }
        queue.insert((time, event), at: low)
    }

    func wall(_ device: Int) -> UInt64 {
        let (seconds, attoseconds) = now.components
        return UInt64(
            1_700_000_000_000 + devices[device].wallOffset + seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }

    // MARK: The network

    func isBroken(_ a: Int, _ b: Int) -> Bool { broken.contains(min(a, b) * 8 + max(a, b)) }

    /// A message: perhaps lost, doubled, late.
    mutating func send(_ event: Event, from: Int, to: Int) {
        guard !isBroken(from, to) else { return }
        if faults, Int.random(in: 0..<10, using: &random) == 0 { return }
        let copies = faults && Int.random(in: 0..<10, using: &random) == 0 ? 2 : 1
        for _ in 0..<copies {
            schedule(.milliseconds(Int.random(in: 1...(faults ? 300 : 5), using: &random)), event)
        }
    }

    /// Two devices find each other. That they are connected and what they offer comes on ways of its own, in any order.
    mutating func link(_ a: Int, _ b: Int) {
        devices[a].heard[b] = nil
        devices[b].heard[a] = nil
        for (from, to) in [(a, b), (b, a)] {
            schedule(.milliseconds(Int.random(in: 0...5, using: &random)), .connected(from, to: to))
            schedule(
                .milliseconds(Int.random(in: 1...5, using: &random)),
                .snapshot(devices[from].machine.published, from: from, to: to))
        }
    }

    // MARK: Events

    private mutating func handle(_ event: Event) throws {
        switch event {
        case .act:
            try act()
        case .connected(let from, let to):
            guard !isBroken(from, to) else { return }
            try perform(devices[to].machine.deviceConnected(devices[from].id), on: to)
            if let heard = devices[to].heard[from] { try receive(heard, from: from, to: to) }
        case .snapshot(let snapshot, let from, let to):
            guard !isBroken(from, to) else { return }
            if let heard = devices[to].heard[from], !snapshot.isNewer(than: heard) {
                // The device hears it all the same.
            } else {
                devices[to].heard[from] = snapshot
            }
            try receive(snapshot, from: from, to: to)
        case .fetch(let acceptance, let activity, let app, let from, let to):
            try perform(
                devices[to].machine.payloadRequested(
                    acceptance, activity: activity, by: devices[from].id, for: app, now: now, wall: wall(to)), on: to)
        case .fetched(let acceptance, let payload, let to):
            // Sites change their mind at any time, this one too.
            if faults, acceptances[acceptance]?.isPage == true, Int.random(in: 0..<4, using: &random) == 0 {
                try changeSites(on: to)
            }
            try perform(arrive(acceptance, payload, to: to), on: to)
        case .acknowledge(let acceptance, let activity, let from, let to):
            try acknowledge(acceptance, activity, from: from, to: to)
        case .acknowledged(let acceptance, let isSuccess, let to):
            let actions =
                isSuccess
                ? devices[to].machine.acknowledged(acceptance)
                : devices[to].machine.acknowledgementFailed(acceptance, isFinal: true, now: now)
            try perform(actions, on: to)
        case .timer(let to, let life):
            guard devices[to].life == life else { return }
            devices[to].timer = nil
            try perform(devices[to].machine.advance(now: now, wall: wall(to)), on: to)
        case .saved, .attached, .attachedAgain, .launchFailed, .answered, .browsed:
            try handleApp(event)
        }
    }

    private mutating func arrive(
        _ acceptance: AcceptanceID, _ payload: ActivityPayload?, to: Int
    ) -> [HandoffAction] {
        guard var payload else {
            return devices[to].machine.payloadFailed(acceptance, .init(.handoffFailed, "no"))
        }
        let page = payload.message.description_p.webpageURL
        let claims = devices[to].claims[page] ?? []
        if let known = acceptances[acceptance], known.isPage, known.page == nil {
            acceptances[acceptance]?.page = page
            acceptances[acceptance]?.isNamed = known.route.app.map { claims.contains($0.identity) } ?? false
        }
        // A device that does not keep to the rules sends more than was asked for.
        if faults, acceptances[acceptance]?.isPage == true, Bool.random(using: &random) {
            payload.message.userInfo.string = Self.secret
            payload.message.description_p.supportsContinuationStreams = true
        }
        return devices[to].machine.payloadArrived(acceptance, payload, size: 10, claims: claims, now: now)
    }

    private mutating func receive(_ snapshot: OfferSnapshot, from: Int, to: Int) throws {
        // As the service asks sites when offers come.
        var claims: [String: [AppIdentity]] = [:]
        for offer in snapshot.offers {
            if let page = offer.activity.webpageURL { claims[page] = devices[to].claims[page] }
        }
        try perform(
            devices[to].machine.offersReceived(snapshot, claims: claims, from: devices[from].id, wall: wall(to)), on: to
        )
    }

    private mutating func acknowledge(_ acceptance: AcceptanceID, _ activity: ActivityID, from: Int, to: Int) throws {
        do {
            let actions = try devices[to].machine.continuedElsewhere(
                acceptance, activity: activity, by: devices[from].id, wall: wall(to))
            try perform(actions, on: to)
            send(.acknowledged(acceptance, true, to: from), from: to, to: from)
        } catch is BatonError {
            send(.acknowledged(acceptance, false, to: from), from: to, to: from)
        }
    }
}
