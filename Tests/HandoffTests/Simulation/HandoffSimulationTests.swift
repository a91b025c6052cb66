import Foundation
import Testing

/// Seeded schedules of 2 to 6 devices. `BATON_SIMULATION_SEED` runs that one alone; `BATON_SIMULATION_COUNT` sets how many
/// each of the eight cases runs.
@Suite("Handoff simulation")
struct HandoffSimulationTests {
    @Test(
        "An activity is continued at most once per acceptance, wasContinued follows continue, teams stay apart, offers agree after healing (H-3, H-5, H-18, H-41)",
        arguments: 0..<8)
    func schedules(part: Int) throws {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["BATON_SIMULATION_SEED"].flatMap(UInt64.init) {
            if part == 0 { try run(seed) }
            return
        }
        let count = environment["BATON_SIMULATION_COUNT"].flatMap(Int.init) ?? 12_800
        for index in 0..<count { try run(UInt64(part) << 32 | UInt64(index)) }
    }

    private func run(_ seed: UInt64) throws {
        var world = HandoffWorld(seed: seed)
        do {
            try world.run(steps: 24)
        } catch {
            Issue.record("seed \(seed): \(error). Run it alone with BATON_SIMULATION_SEED=\(seed).")
            throw error
        }
    }
}
