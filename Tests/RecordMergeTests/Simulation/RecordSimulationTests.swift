import BatonTestSupport
import RecordMerge
import Testing

/// Devices whose apps' databases lag behind their replicas, groups that come late, twice, in any order or never, crashes and rows that
/// a table refuses. `BATON_SEED` runs that one alone.
@Suite("Records simulation")
struct RecordSimulationTests {
    @Test("Replicas and tables become equal, and nothing is lost (D-1: C, L, R, U, A, H, Q, J)", arguments: 0..<4)
    func schedules(part: Int) throws {
        let versions = try SampleSchema.Versions()
        let seeds = Schedules.seeds(200, soak: 250_000, part: part)
        var all = RecordWorld.Statistics()
        for seed in seeds {
            var world = RecordWorld(seed: seed, versions: versions)
            do {
                try world.run()
            } catch {
                Issue.record("BATON_SEED=\(seed): \(error)")
                return
            }
            all.add(world.statistics)
        }
        let numbers = [
            all.transactions, all.merges, all.doubled, all.crashes, all.refused, all.adopted, all.consequences,
            all.cleared, all.revived, all.followed, all.upgraded,
        ]
        #expect(numbers.allSatisfy { Schedules.isEnough($0, of: seeds.count, oneIn: 40) }, "\(all)")
    }

    @Test("Each rule that is left out is missed", arguments: RecordRules.Rule.allCases)
    func mutations(rule: RecordRules.Rule) throws {
        let versions = try SampleSchema.Versions()
        for seed in 0..<UInt64(2000) {
            var world = RecordWorld(seed: seed, versions: versions, rules: RecordRules(leftOut: [rule]))
            do { try world.run() } catch { return }
        }
        Issue.record("\(rule) can be left out")
    }

    @Test("Each mistake of those who apply the rules is found", arguments: RecordWorld.Mistake.allCases)
    func mistakes(mistake: RecordWorld.Mistake) throws {
        let versions = try SampleSchema.Versions()
        for seed in 0..<UInt64(2000) {
            var world = RecordWorld(seed: seed, versions: versions, mistake: mistake)
            do { try world.run() } catch { return }
        }
        Issue.record("\(mistake) is not found")
    }
}
