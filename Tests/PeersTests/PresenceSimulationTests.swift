import BatonTestSupport
import Testing

@testable import Peers

@Suite struct PresenceSimulationTests {
    /// `BATON_SEED` repeats one schedule.
    // H-11: the account's devices that are nearby are reported to each other, whatever the network does meanwhile.
    @Test func `whatever happens, in the end each pair of devices has one stream, and never two for long`() {
        for seed in Schedules.seeds(30, soak: 20_000) {
            let problems = Self.problems(seed: seed)
            #expect(problems.isEmpty, "seed \(seed): \(problems.joined(separator: "; "))")
            if !problems.isEmpty { return }
        }
    }

    @Test func `devices that dial each other at the same time are never disconnected by it`() {
        for seed in Schedules.seeds(200, soak: 20_000) {
            var random = PresenceRandom(seed: seed)
            var simulation = PresenceSimulation(devices: Int.random(in: 2...6, using: &random), seed: seed)
            simulation.runCalmly(for: .seconds(40))
            #expect(simulation.problems.isEmpty, "seed \(seed): \(simulation.problems.joined(separator: "; "))")
            if !simulation.problems.isEmpty { return }
        }
    }

    private static func problems(seed: UInt64) -> [String] {
        var random = PresenceRandom(seed: seed)
        let count = Int.random(in: 2...6, using: &random)
        var simulation = PresenceSimulation(devices: count, seed: seed)
        simulation.run(trouble: .seconds(150), peace: .seconds(300))
        let pairs = count * (count - 1)
        // About 150 s of trouble: without back-off there would be thousands.
        guard simulation.dials <= 150 * pairs else { return simulation.problems + ["\(simulation.dials) dials"] }
        return simulation.problems
    }
}
