import Foundation
import Testing

/// Seeded schedules of 2 to 8 devices. `BATON_SIMULATION_SEED` runs that one alone; `BATON_SIMULATION_COUNT` sets how many
/// each of the four cases runs.
@Suite("Key-value simulation")
struct KeyValueSimulationTests {
    @Test(
        "Replicas agree whatever the network, crashes and clocks do, and no write is lost but to a newer one",
        arguments: 0..<4)
    func schedules(part: Int) throws {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["BATON_SIMULATION_SEED"].flatMap(UInt64.init) {
            if part == 0 { _ = try run(seed) }
            return
        }
        let count = environment["BATON_SIMULATION_COUNT"].flatMap(Int.init) ?? 1000
        var all = KeyValueWorld.Statistics()
        for index in 0..<count { all.add(try run(UInt64(part) << 32 | UInt64(index))) }
        guard count >= 100 else { return }
        // In a world in which nothing happens everything holds.
        #expect(all.sets > count * 4, "\(all)")
        #expect(all.refused > count / 10, "\(all)")
        #expect(all.writes > count * 2, "\(all)")
        #expect(all.conflicts > count / 4, "\(all)")
        #expect(all.exchanges > count / 8, "\(all)")
        #expect(all.dropped > count / 20, "\(all)")
        #expect(all.crashes > count, "\(all)")
        #expect(all.superseded > count / 10, "\(all)")
        #expect(all.deletions > count / 4, "\(all)")
        #expect(all.restarts > count / 100, "\(all)")
        #expect(all.signOuts > count / 20, "\(all)")
    }

    private func run(_ seed: UInt64) throws -> KeyValueWorld.Statistics {
        var world = KeyValueWorld(seed: seed)
        do {
            try world.run(steps: 60)
        } catch {
            Issue.record("seed \(seed): \(error). Run it alone with BATON_SIMULATION_SEED=\(seed).")
            throw error
        }
        return world.statistics
    }
}
