import BatonCore
import BatonTestSupport
import BatonTrust
import Foundation
import Testing

@Suite("Key ring, simulated")
struct KeyRingSimulationTests {
    @Test(
        "However devices revoke and change keys at once: no device holds what names it, and the members agree in the end",
        arguments: 0..<2)
    func simulation(part: Int) throws {
        // Keys are made once for many schedules: they are what takes time.
        let keys = (1..<KeyRingSimulation.maximumDevices).map { _ in TestDevice() }
        let account = try TestAccount()
        let seeds = Schedules.seeds(4, soak: 500, part: part)
        var rotations = 0
        for seed in seeds {
            var simulation = try KeyRingSimulation(seed: seed, keys: keys, account: account)
            for _ in 0..<60 { try simulation.step() }
            let usable = simulation.settle()
            #expect(simulation.violations.isEmpty, "seed \(seed): \(simulation.violations.prefix(3))")
            #expect(usable.allSatisfy { $0 != nil }, "seed \(seed)")
            #expect(Set(usable.map { $0?.id }).count <= 1, "seed \(seed)")
            rotations += usable.first??.counter == 0 ? 0 : 1
            try readAll(simulation, seed)
        }
        // Most schedules must have had something to agree on.
        #expect(Schedules.isEnough(rotations, of: seeds.count, oneIn: 2))
    }

    /// Every member opens the items that another member seals.
    private func readAll(_ simulation: KeyRingSimulation, _ seed: UInt64) throws {
        let members = simulation.honestMembers.map { simulation.devices[$0] }
        guard let writer = members.first else { return }
        let zone = writer.ring.zoneID(of: "a/b")
        let sealed = try writer.ring.seal(Data([9]), name: "x", zoneID: zone, membership: writer.membership)
        for reader in members {
            let opened = try reader.ring.open(sealed, zoneID: zone, itemID: reader.ring.itemID("x", zoneID: zone))
            #expect(opened.content == Data([9]), "seed \(seed)")
        }
        // A hostile member gives its own keys to any device.
        let issuer = writer.ring.usable(in: writer.membership)?.issuer
        guard !simulation.devices.contains(where: { $0.isHostile && $0.device.id == issuer }) else { return }
        for stranger in simulation.devices where writer.membership.isRevoked(stranger.device.id) {
            #expect(throws: BatonError.self, "seed \(seed)") {
                try stranger.ring.open(sealed, zoneID: zone, itemID: stranger.ring.itemID("x", zoneID: zone))
            }
        }
    }
}
