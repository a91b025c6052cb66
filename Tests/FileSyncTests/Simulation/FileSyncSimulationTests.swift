import BatonTestSupport
import FileSync
import Testing

/// Seeded schedules of 2 to 5 devices. `BATON_SEED` runs that one alone.
@Suite("File sync simulation")
struct FileSyncSimulationTests {
    @Test(
        "Nothing that was saved disappears but by who had seen it, and all devices and disks come to the same",
        arguments: 0..<4)
    func schedules(part: Int) throws {
        // Always the same, so that no run fails by a chance of one in 50,000. dev/soak takes others.
        let first = 70_000_000_000 + UInt64(part) * 1000
        let usual = Schedules.seed.map { part == 0 ? [$0] : [] } ?? (0..<400).map { first + $0 }
        let seeds = Schedules.isSoak ? Schedules.seeds(0, soak: 250_000, part: part) : usual
        var all = FileSyncWorld.Statistics()
        for seed in seeds { all.add(try run(seed)) }
        func often(_ numbers: [Int], oneIn interval: Double, line: SourceLocation = #_sourceLocation) {
            for number in numbers {
                #expect(
                    Schedules.isEnough(number, of: seeds.count, oneIn: interval), "\(number) of \(all)",
                    sourceLocation: line)
            }
        }
        often([all.operations, all.steps, all.crashes], oneIn: 1)
        often([all.changed, all.conflicts, all.directMeetings, all.lateWrites, all.exchanges, all.merged], oneIn: 50)
        often([all.burials], oneIn: 20)
        often([all.resolved], oneIn: 200)
    }

    @Test("What scans leave out keeps an item from its place, and no device from its rest")
    func obstacles() throws {
        let seeds = Schedules.isSoak ? Schedules.seeds(0, soak: 50_000, part: 9) : (0..<400).map { 80_000_000_000 + $0 }
        var all = FileSyncWorld.Statistics()
        for seed in seeds { all.add(try run(seed, hasObstacles: true)) }
        #expect(Schedules.isEnough(all.obstacles, of: seeds.count, oneIn: 1))
    }

    @Test(
        "Devices that are near exchange the same without a cloud, also by way of one in the middle, and bury what was deleted",
        arguments: [FileSyncWorld.Network.near, .row])
    func near(network: FileSyncWorld.Network) throws {
        let first: UInt64 = 90_000_000_000
        let usual = Schedules.seed.map { [$0] } ?? (0..<400).map { first + $0 }
        let seeds = Schedules.isSoak ? Schedules.seeds(0, soak: 100_000, part: network == .near ? 11 : 12) : usual
        var all = FileSyncWorld.Statistics()
        for seed in seeds { all.add(try run(seed, network: network)) }
        #expect(Schedules.isEnough(all.directMeetings, of: seeds.count, oneIn: 1))
        #expect(Schedules.isEnough(all.keptContents, of: seeds.count, oneIn: 2))
        #expect(Schedules.isEnough(all.burials, of: seeds.count, oneIn: 20))
    }

    @Test("D-5: versions that go with a document which comes back at once can be undeleted")
    func contention() throws {
        let first: UInt64 = 60_000_000_000
        let usual = Schedules.seed.map { [$0] } ?? (0..<120).map { first + $0 }
        let seeds = Schedules.isSoak ? Schedules.seeds(0, soak: 50_000, part: 13) : usual
        var all = FileSyncWorld.Statistics()
        for seed in seeds { all.add(try run(seed, hasContention: true)) }
        #expect(Schedules.isEnough(all.contentions, of: seeds.count, oneIn: 2))
    }

    private func run(
        _ seed: UInt64, hasObstacles: Bool = false, hasContention: Bool = false, network: FileSyncWorld.Network = .cloud
    ) throws -> FileSyncWorld.Statistics {
        let world = FileSyncWorld(
            seed: seed, hasObstacles: hasObstacles, hasContention: hasContention, network: network)
        do {
            try world.run()
        } catch {
            let again = FileSyncWorld(
                seed: seed, hasObstacles: hasObstacles, hasContention: hasContention, network: network,
                isRecording: true)
            try? again.run()
            let history = (again.history ?? []).joined(separator: "\n")
            Issue.record("seed \(seed): \(error). Run it alone with BATON_SEED=\(seed).\n\(history)")
            throw error
        }
        return world.statistics
    }
}
