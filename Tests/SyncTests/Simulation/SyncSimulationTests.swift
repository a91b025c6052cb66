import BatonTestSupport
import Testing

/// Seeded schedules of 2 to 8 devices. `BATON_SEED` runs that one alone.
@Suite("Sync simulation")
struct SyncSimulationTests {
    @Test(
        "Devices and cloud come to the same state and to rest, no write is lost but to a newer one, no key gets to whom it may not (K-9, K-12, K-18)",
        arguments: 0..<8)
    func schedules(part: Int) throws {
        let seeds = Schedules.seeds(150, soak: 12_500, part: part)
        var all = SyncWorld.Statistics()
        for seed in seeds { all.add(try run(seed)) }
        // In a world in which nothing happens everything holds.
        func often(_ numbers: [Int], oneIn interval: Double, line: SourceLocation = #_sourceLocation) {
            for number in numbers {
                #expect(
                    Schedules.isEnough(number, of: seeds.count, oneIn: interval), "\(number) of \(all)",
                    sourceLocation: line)
            }
        }
        often([all.sets, all.written], oneIn: 1)
        often(
            [all.conflicts, all.exchanges, all.crashes, all.lost, all.doubled, all.early, all.joined], oneIn: 20)
        often([all.signOuts, all.revocations, all.restores, all.putBacks, all.buried, all.lies], oneIn: 100)
        often([all.startedOver, all.parked], oneIn: 5000)
    }

    private func run(_ seed: UInt64) throws -> SyncWorld.Statistics {
        let world = try SyncWorld(seed: seed)
        do {
            try world.run()
        } catch {
            let again = try SyncWorld(seed: seed, isRecording: true)
            try? again.run()
            let history = (again.history ?? []).joined(separator: "\n")
            Issue.record("seed \(seed): \(error). Run it alone with BATON_SEED=\(seed).\n\(history)")
            throw error
        }
        return world.statistics
    }
}
