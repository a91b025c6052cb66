import AppSessions
import BatonConcurrency
import BatonCore
import BatonTestSupport
import Testing

/// Seeded schedules: apps start, attach, attach again, end, hang and answer late, and launches find what they find, in any
/// order.
@Suite("Deliveries to apps, simulated")
struct AppDeliverySimulationTests {
    private struct World {
        var random: SeededGenerator
        var machine = DeliveryStateMachine()
        var now = Duration.zero
        var attached: [SessionID: AppIdentity] = [:]
        /// The deliveries that each session was given and has not answered.
        var given: [DeliveryID: SessionID] = [:]
        var launches: [(id: DeliveryID, app: AppIdentity)] = []
        var processes: [Int32: AppIdentity] = [:]
        var begun: Set<DeliveryID> = []
        var times: [DeliveryID: Int] = [:]
        var ended: [DeliveryID: Int] = [:]
        var answered = 0
        var lastProcess: Int32 = 0

        static let apps = ["a", "b"].map {
            AppIdentity(bundleID: BundleID(unchecked: "com.example.\($0)"), team: .development)
        }

        init(seed: UInt64) { random = SeededGenerator(seed: seed) }

        mutating func give(_ input: DeliveryStateMachine.Input) throws {
            try check(try machine.handle(input, now: Timestamp(now)))
        }

        mutating func check(_ actions: [DeliveryStateMachine.Action]) throws {
            for action in actions {
                switch action {
                case .launch(let id, let app):
                    try #require(times[id] == nil && ended[id] == nil)
                    launches.append((id, app))
                case .give(let id, let session):
                    times[id, default: 0] += 1
                    try #require(times[id] == 1, "given twice")
                    try #require(attached[session] != nil, "given to a session that has ended")
                    given[id] = session
                case .withdraw(let id, let session, _):
                    try #require(given[id] == session && attached[session] != nil)
                case .finished(let id, let error):
                    ended[id, default: 0] += 1
                    try #require(begun.contains(id) && ended[id] == 1, "ended twice")
                    given[id] = nil
                    if error == nil { answered += 1 }
                }
            }
        }

        mutating func step() throws {
            let app = Self.apps[Int.random(in: 0..<2, using: &random)]
            switch Int.random(in: 0..<12, using: &random) {
            case 0...2:
                let id = DeliveryID.random(using: &random)
                begun.insert(id)
                do {
                    try give(.deliver(id, app))
                } catch is BatonError {
                    begun.remove(id)
                }
            case 3...4:
                let session = SessionID.random(using: &random)
                let takesDeliveries = Int.random(in: 0..<6, using: &random) > 0
                attached[session] = app
                try give(.attached(session, app, takesDeliveries: takesDeliveries))
            case 5:
                guard let session = attached.keys.sorted().randomElement(using: &random) else { return }
                attached[session] = nil
                try give(.detached(session))
            case 6...7:
                guard !launches.isEmpty else { return }
                let launch = launches.removeFirst()
                if Int.random(in: 0..<4, using: &random) == 0 {
                    return try give(.launchFailed(launch.id, BatonError(.notFound, reason: "gone", "Gone.")))
                }
                lastProcess += 1
                processes[lastProcess] = launch.app
                let process = lastProcess
                // That it ended may be known first.
                if Bool.random(using: &random) { try end(process) }
                try give(.launched(launch.id, process: process, wasRunning: Bool.random(using: &random)))
            case 8:
                if let process = processes.keys.sorted().randomElement(using: &random) { try end(process) }
            case 9...10:
                guard let id = given.keys.sorted().randomElement(using: &random), let session = given[id] else {
                    return
                }
                let isReal = Int.random(in: 0..<4, using: &random) > 0
                try give(.answered(id, by: isReal ? session : .random(using: &random)))
            default:
                now += .seconds(Int.random(in: 1...30, using: &random))
                try check(machine.advance(now: Timestamp(now)))
            }
        }

        private mutating func end(_ process: Int32) throws {
            guard let app = processes.removeValue(forKey: process) else { return }
            try give(.processEnded(app, process: process, message: "It ended."))
        }

        mutating func settle() throws {
            now += .seconds(200)
            try check(machine.advance(now: Timestamp(now)))
            try #require(machine.nextDeadline(now: Timestamp(now)) == nil)
            try #require(ended.count == begun.count, "a delivery never ended")
        }
    }

    @Test("a delivery is given once at most, to a session that is attached, and ends once (H-15, H-67)")
    func schedules() throws {
        var answered = 0
        for seed in UInt64(0)..<1000 {
            var world = World(seed: seed)
            do {
                for _ in 0..<60 { try world.step() }
                try world.settle()
            } catch {
                Issue.record("seed \(seed): \(error)")
                throw error
            }
            answered += world.answered
        }
        // In a world in which nothing happens everything holds.
        #expect(answered > 1000)
    }
}
