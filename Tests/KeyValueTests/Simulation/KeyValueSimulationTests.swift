import BatonTestSupport
import Testing

/// Seeded schedules of 2 to 8 devices. `BATON_SEED` runs that one alone.
@Suite("Key-value simulation")
struct KeyValueSimulationTests {
    @Test(
        "Replicas agree whatever the network, crashes and clocks do, and no write is lost but to a newer one",
        arguments: 0..<4)
    func schedules(part: Int) throws {
        let seeds = Schedules.seeds(40, soak: 25_000, part: part)
        var all = KeyValueWorld.Statistics()
        for seed in seeds { all.add(try run(seed)) }
        // In a world in which nothing happens everything holds.
        func often(_ numbers: Int..., oneIn interval: Double, line: SourceLocation = #_sourceLocation) {
            for number in numbers {
                #expect(
                    Schedules.isEnough(number, of: seeds.count, oneIn: interval), "\(number) of \(all)",
                    sourceLocation: line)
            }
        }
        often(all.sets, oneIn: 0.25)
        often(all.writes, oneIn: 0.5)
        often(all.crashes, oneIn: 1)
        often(all.conflicts, all.deletions, oneIn: 4)
        often(all.exchanges, oneIn: 8)
        often(all.refused, all.superseded, oneIn: 10)
        often(all.dropped, all.signOuts, oneIn: 20)
        often(all.restarts, oneIn: 100)
    }

    private func run(_ seed: UInt64) throws -> KeyValueWorld.Statistics {
        var world = KeyValueWorld(seed: seed)
        do {
            try world.run(steps: 60)
        } catch {
            Issue.record("seed \(seed): \(error). Run it alone with BATON_SEED=\(seed).")
            throw error
        }
        return world.statistics
    }
}
