import BatonCore
import BatonTestSupport
import Foundation
import Testing

extension Integration {
    /// `BATON_SEED` says what happens.
    @Suite(.serialized) struct KillerTests {
        private static let app = "development.KeyValueProbe"

        // In the quiet lane, since it compares the times of sets.
        @Test(
            "With processes killed or cut off meanwhile, three devices come to the same values, and no set that was kept is lost but to a newer one (K-9, K-18)"
        )
        func killer() async throws {
            let seconds = Schedules.count(15, soak: 600)
            let seed = Schedules.oneSeed
            print("killer: \(seconds) seconds, BATON_SEED=\(seed)")
            try await TestHousehold.with(4, paired: false) { household in
                let killed = try await KilledHousehold(household)
                do {
                    try await Self.kill(killed, for: .seconds(seconds), seed)
                    // The apps set 150 values a second while they and their daemons run.
                    try await Self.check(killed, atLeast: seconds)
                } catch {
                    await killed.end()
                    throw error
                }
                await killed.end()
            }
        }

        /// Devices and cloud each suffer one thing after the other, both at once.
        private static func kill(_ killed: KilledHousehold, for time: Duration, _ seed: UInt64) async throws {
            let end = ContinuousClock.now + time
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    var random = SeededGenerator(seed: seed)
                    while ContinuousClock.now < end {
                        let index = Int.random(in: 0...2, using: &random)
                        let away = Duration.milliseconds(Int.random(in: 0...2500, using: &random))
                        switch Int.random(in: 0..<4, using: &random) {
                        case 0, 1: try await killed.killDaemon(index, for: away)
                        case 2: try await killed.killWorker(index)
                        default: try await killed.cut(index, for: away)
                        }
                        let calm = Duration.milliseconds(Int.random(in: 0...1500, using: &random))
                        try await Task.sleep(for: calm)  // sleeps: they work meanwhile
                    }
                }
                group.addTask {
                    var random = SeededGenerator(seed: seed &+ 1)
                    while ContinuousClock.now < end {
                        let away = Duration.milliseconds(Int.random(in: 0...2500, using: &random))
                        switch Int.random(in: 0..<6, using: &random) {
                        case 0..<3: try await killed.killNode(Int.random(in: 0...1, using: &random), for: away)
                        case 3, 4: try await killed.killDatabase(for: away)
                        default: try await killed.cut(3, for: away)
                        }
                        let calm = Duration.milliseconds(Int.random(in: 0...1500, using: &random))
                        try await Task.sleep(for: calm)  // sleeps: they work meanwhile
                    }
                }
                try await group.waitForAll()
            }
        }

        private static func check(_ killed: KilledHousehold, atLeast minimum: Int) async throws {
            let lines = try await killed.finish()
            #expect(lines.filter { $0.hasPrefix("back") }.isEmpty, "what a device had read of another one went back")
            let entries = KilledHousehold.entries(lines)
            let kept = entries.filter(\.isKept)
            print("killer: \(entries.count) sets, of which \(kept.count) were known to be kept")
            try #require(kept.count >= minimum)
            let devices = Array(killed.household.devices.prefix(3))
            try await devices[0].until("all devices to have the same", limit: .seconds(120)) {
                var all: [[String: String?]] = []
                for device in devices {
                    let healthy = try await device.baton("explain", "sync", expecting: nil).lines.joined()
                    guard healthy.contains(#""healthy":true"#) else { return false }
                    all.append(try await KeyValueExample.items(of: device, app: app))
                }
                return all.allSatisfy { $0 == all[0] }
            }
            let values = try await KeyValueExample.items(of: devices[0], app: app)
            let byValue = Dictionary(entries.map { ($0.value, $0) }) { first, _ in first }
            for (key, sets) in Dictionary(grouping: kept, by: \.key) {
                let value = try #require(values[key] ?? nil, "the key \(key) was lost")
                let winner = try #require(byValue[value], "nobody set \(key) to \(value)")
                for set in sets where set.worker == winner.worker {
                    #expect(!winner.place.lexicographicallyPrecedes(set.place), "\(set) was lost to \(winner)")
                }
                // One machine's clock: the winner was set last, but for what was under way at the same time.
                for set in sets where set.worker != winner.worker {
                    #expect(winner.end + 250 > set.begin, "\(set) was lost to \(winner)")
                }
            }
            try await killed.verifyCloud()
        }
    }
}
