import BatonTestSupport
import Testing

/// Seeded schedules of 2 to 6 devices. `BATON_SEED` runs that one alone.
@Suite("Handoff simulation")
struct HandoffSimulationTests {
    @Test(
        "An activity is continued at most once per acceptance, wasContinued follows continue, teams share no more than pages, routes and offers agree after healing (H-3, H-5, H-18, H-33, H-41, H-67, H-84, H-85, H-86, H-95)",
        arguments: 0..<8)
    func schedules(part: Int) throws {
        let seeds = Schedules.seeds(100, soak: 12_500, part: part)
        var all = HandoffWorld.Statistics()
        for seed in seeds { all.add(try run(seed)) }
        // In a world in which nothing happens everything holds.
        func often(_ number: Int, oneIn interval: Double, line: SourceLocation = #_sourceLocation) {
            #expect(
                Schedules.isEnough(number, of: seeds.count, oneIn: interval), "\(all)", sourceLocation: line)
        }
        often(all.accepted, oneIn: 2)
        often(all.continued, oneIn: 4)
        for number in [all.told, all.failed, all.refusedRequests] { often(number, oneIn: 8) }
        for pages in [all.pagesInApps, all.pagesInBrowsers, all.pagesOfCallers] { often(pages, oneIn: 16) }
        for number in [all.failedLaunchesTold, all.browsersInstead, all.renewed] { often(number, oneIn: 1000) }
    }

    private func run(_ seed: UInt64) throws -> HandoffWorld.Statistics {
        var world = HandoffWorld(seed: seed)
        do {
            try world.run(steps: 16)
        } catch {
            Issue.record("seed \(seed): \(error). Run it alone with BATON_SEED=\(seed).")
            throw error
        }
        return world.statistics
    }
}
