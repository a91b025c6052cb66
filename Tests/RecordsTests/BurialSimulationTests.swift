import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Records
import Sync
import Testing

/// Three devices with clocks of their own, of which some are away for months, and one cloud.
///
/// Whatever happens: a record is gone only if each write of it was covered by a deletion that had seen it, and there only if one was not;
/// and of what is gone nothing is left in the end. `BATON_SEED` runs that one alone.
@Suite("Burial simulation")
struct BurialSimulationTests {
    private struct World {
        let seed: UInt64
        var random: SeededGenerator
        let cloud = RecordsCloud()
        var devices: [BuryingDevice] = []
        /// The writes of each record that each device has seen, and the cloud's.
        var seen: [[String: Set<Int>]] = []
        var cloudSeen: [String: Set<Int>] = [:]
        var writes: [String: Set<Int>] = [:]
        var covered: Set<Int> = []
        var lastWrite = 0
        var (buried, outlived) = (0, 0)
        /// Records with writes that went to another device before the cloud had them. Where that one deletes them, and the deletion is buried
        /// before the first one hears of it, the first one takes its write for one that no other device has heard of.
        var ambiguous: Set<String> = []
        /// Records that each device has from a near device and not yet from the cloud. It takes them for unsent too.
        var relayed: [Set<String>] = []

        init(seed: UInt64, _ directory: TemporaryDirectory) async throws {
            self.seed = seed
            random = SeededGenerator(seed: seed)
            for name in ["a", "b", "c"] {
                let lead = [0, 0, -200, -0.1, 0.5][Int.random(in: 0..<5, using: &random)]
                devices.append(try await BuryingDevice(directory, name, cloud, lead: lead))
                seen.append([:])
                relayed.append([])
            }
            try await devices[0].device.makeZone()
            for index in devices.indices { try await sync(index) }
        }

        mutating func chance(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

        /// A device may hear of a burial, and keeps what it has from a near device alone.
        mutating func hear(_ index: Int) {
            ambiguous.formUnion(relayed[index].filter { writes[$0, default: []].isSubset(of: covered) })
        }

        mutating func sync(_ index: Int) async throws {
            hear(index)
            relayed[index] = []
            try await devices[index].sync()
            cloudSeen.merge(seen[index]) { $0.union($1) }
            seen[index] = cloudSeen
        }

        mutating func step() async throws {
            let (index, name) = (chance(3), "r\(chance(3))")
            cloud.pass(days: 0.01)
            switch chance(10) {
            case 0...2:
                lastWrite += 1
                let save = RecordsDevice.record(name, ["text": "\(lastWrite)"])
                let answer = try await devices[index].device.save([save], policy: .changedKeys)
                #expect(answer.saved.allSatisfy { !$0.hasProblem }, "BATON_SEED=\(seed)")
                writes[name, default: []].insert(lastWrite)
                seen[index][name, default: []].insert(lastWrite)
            case 3...4:
                _ = try await devices[index].device.save([], deleting: [name])
                covered.formUnion(seen[index][name] ?? [])
            case 5...6: try await sync(index)
            case 7:
                let other = (index + 1 + chance(2)) % 3
                for (name, known) in seen[index] where !known.isSubset(of: cloudSeen[name] ?? []) {
                    ambiguous.insert(name)
                }
                hear(other)
                try await devices[index].device.give(to: devices[other].device)
                // It refuses old copies of what it has buried, and takes the rest.
                for (name, known) in seen[index] where try await devices[other].knows(name, as: devices[index]) {
                    if !known.isSubset(of: seen[other][name] ?? []) { relayed[other].insert(name) }
                    seen[other][name, default: []].formUnion(known)
                }
            case 8:
                guard chance(4) == 0 else { break }
                hear(index)
                try await devices[index].resync()
                seen[index].merge(cloudSeen) { $0.union($1) }
            default:
                // One of them may be away.
                let away = chance(4)
                for other in devices.indices where other != away { try await sync(other) }
                try await cloud.pass(days: 40, devices.indices.filter { $0 != away }.map { devices[$0] })
                for other in devices.indices where other != away { try await sync(other) }
            }
        }

        mutating func run() async throws {
            for _ in 0..<(10 + chance(20)) { try await step() }
            for _ in 0..<3 { for index in devices.indices { try await sync(index) } }
            for (name, all) in writes {
                let isAlive = !all.isSubset(of: covered)
                for (index, device) in devices.enumerated() {
                    let found = try await device.device.fetch(name)
                    #expect(
                        isAlive ? !found.hasProblem : found.hasProblem || ambiguous.contains(name),
                        "BATON_SEED=\(seed): \(name) on \(index): \(all.subtracting(covered))")
                    if isAlive {
                        let first = try await devices[0].device.fetch(name).record
                        #expect(found.record.texts == first.texts && found.record.changeTag == first.changeTag)
                    }
                }
            }
            outlived += try await devices[0].count("SELECT COUNT(*) FROM record WHERE is_present = 1 AND deleted > 0")
            for _ in 0..<3 { try await cloud.pass(days: 40, devices) }
            for device in devices {
                let left = try await device.count(
                    """
                    SELECT COUNT(*) FROM record r JOIN zone z ON z.id = r.zone WHERE z.name = 'Z' AND is_present = 0
                    """)
                #expect(left == 0, "BATON_SEED=\(seed): something is left of what was deleted")
            }
            buried += try await devices[0].count("SELECT COUNT(*) FROM grave")
        }
    }

    @Test("What is gone was deleted by somebody who had seen it, and nothing is left of it (D-1)")
    func schedules() async throws {
        let seeds = Schedules.seeds(15, soak: 2000)
        var (buried, outlived) = (0, 0)
        for seed in seeds {
            let directory = try TemporaryDirectory()
            var world = try await World(seed: seed, directory)
            try await world.run()
            buried += world.buried
            outlived += world.outlived
        }
        #expect(Schedules.isEnough(buried, of: seeds.count, oneIn: 3))
        #expect(Schedules.isEnough(outlived, of: seeds.count, oneIn: 20))
    }
}
