import BatonTestSupport
import Testing

/// whatever is lost, killed or turned round, nothing is taken that was not accepted, nothing is half delivered,
/// nothing waits for ever, and a sender that is done is right.
@Suite("AirDrop, simulated")
struct AirDropSimulationTests {
    @Test("Senders and a receiver agree under any schedule")
    func schedules() throws {
        let seeds = Schedules.seeds(400, soak: 100_000)
        var outcomes: [String: Int] = [:]
        for seed in seeds {
            var simulation = AirDropSimulation(seed: seed)
            do { try simulation.run() } catch {
                Issue.record("BATON_SEED=\(seed)")
                throw error
            }
            outcomes.merge(simulation.outcomes, uniquingKeysWith: +)
        }
        let expected = [
            "done", "declined", "timedOut", "cancelled", "delivered", "restart", "connection_lost", "airdrop_stalled",
            "airdrop_refused", "airdrop_not_visible", "receiver: declined", "receiver: expired", "receiver: withdrawn",
            "receiver: disk_full", "receiver: airdrop_sender_gone", "receiver: airdrop_stalled",
            "receiver: airdrop_cancelled",
        ]
        for outcome in expected {
            #expect(Schedules.isEnough(outcomes[outcome] ?? 0, of: seeds.count, oneIn: 20), "\(outcome): \(outcomes)")
        }
    }
}
