import Foundation
import Testing

/// Seeded schedules of 2 to 8 devices. `BATON_SIMULATION_SEED` runs that one alone; `BATON_SIMULATION_COUNT` sets how many
/// each of the eight cases runs.
@Suite("Sync simulation")
struct SyncSimulationTests {
    @Test(
        "Devices and cloud come to the same state and to rest, no write is lost but to a newer one, no key gets to whom it may not (K-9, K-12, K-18)",
        arguments: 0..<8)
    func schedules(part: Int) throws {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["BATON_SIMULATION_SEED"].flatMap(UInt64.init) {
            if part == 0 { _ = try run(seed) }
            return
        }
        let count = environment["BATON_SIMULATION_COUNT"].flatMap(Int.init) ?? 12_500
        var all = SyncWorld.Statistics()
        for index in 0..<count { all.add(try run(UInt64(part) << 32 | UInt64(index))) }
        guard count >= 5000 else { return }
        // In a world in which nothing happens everything holds.
        #expect(all.sets > count, "\(all)")
        #expect(all.written > count, "\(all)")
        for number in [all.conflicts, all.exchanges, all.crashes, all.lost, all.doubled, all.early, all.joined] {
            #expect(number > count / 20, "\(all)")
        }
        for number in [all.signOuts, all.revocations, all.restores, all.buried, all.lies] {
            #expect(number > count / 100, "\(all)")
        }
        for number in [all.startedOver, all.parked] { #expect(number > count / 5000, "\(all)") }
    }

    private func run(_ seed: UInt64) throws -> SyncWorld.Statistics {
        let world = try SyncWorld(seed: seed)
        do {
            try world.run()
        } catch {
            let again = try SyncWorld(seed: seed, isRecording: true)
            try? again.run()
            let history = (again.history ?? []).joined(separator: "\n")
            Issue.record("seed \(seed): \(error). Run it alone with BATON_SIMULATION_SEED=\(seed).\n\(history)")
            throw error
        }
        return world.statistics
    }
}
