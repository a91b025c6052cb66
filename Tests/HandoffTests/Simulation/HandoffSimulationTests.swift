import Foundation
import Testing

/// Seeded schedules of 2 to 6 devices. `BATON_SIMULATION_SEED` runs that one alone; `BATON_SIMULATION_COUNT` sets how many
/// each of the eight cases runs.
@Suite("Handoff simulation")
struct HandoffSimulationTests {
    @Test(
        "An activity is continued at most once per acceptance, wasContinued follows continue, teams share no more than pages, routes and offers agree after healing (H-3, H-5, H-18, H-33, H-41, H-67, H-84, H-85, H-86, H-95)",
        arguments: 0..<8)
    func schedules(part: Int) throws {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["BATON_SIMULATION_SEED"].flatMap(UInt64.init) {
            if part == 0 { _ = try run(seed) }
            return
        }
        let count = environment["BATON_SIMULATION_COUNT"].flatMap(Int.init) ?? 12_800
        var all = HandoffWorld.Statistics()
        for index in 0..<count { all.add(try run(UInt64(part) << 32 | UInt64(index))) }
        guard count >= 100 else { return }
        // In a world in which nothing happens everything holds.
        #expect(all.accepted > count / 2, "\(all)")
        #expect(all.continued > count / 4, "\(all)")
        #expect(all.told > count / 8, "\(all)")
        #expect(all.failed > count / 8, "\(all)")
        #expect(all.refusedRequests > count / 8, "\(all)")
        #expect(all.failedLaunchesTold > 0, "\(all)")
        for pages in [all.pagesInApps, all.pagesInBrowsers, all.pagesOfCallers] {
            #expect(pages > count / 16, "\(all)")
        }
        #expect(all.browsersInstead > 0 && all.renewed > 0, "\(all)")
    }

    private func run(_ seed: UInt64) throws -> HandoffWorld.Statistics {
        var world = HandoffWorld(seed: seed)
        do {
            try world.run(steps: 16)
        } catch {
            Issue.record("seed \(seed): \(error). Run it alone with BATON_SIMULATION_SEED=\(seed).")
            throw error
        }
        return world.statistics
    }
}
