import ContextAwareness
import Foundation
import Testing

/// Places of stay, home and work (P-61).
@Suite struct StayMachineTests {
    /// A device that is moved about, with a tick each minute.
    private struct World {
        var machine = StayMachine()
        /// A Monday, 00:00.
        var now: UInt64 = 1_704_067_200_000
        var changes: [StayMachine.Change] = []

        mutating func give(_ input: StayMachine.Input) { changes += machine.handle(input, now: now, offset: 0) }

        mutating func stay(at position: Position?, network: String? = nil, minutes: Int) {
            give(.network(network))
            for _ in 0..<minutes {
                now += 60_000
                if let position { give(.position(position)) } else { give(.tick) }
            }
        }
    }

    private static func position(_ latitude: Double, _ longitude: Double) -> Position? {
        Position(latitude: latitude, longitude: longitude)
    }

    private static let (flat, office) = (position(41.0, 29.0), position(41.05, 29.05))

    @Test("ten minutes are a stay, nine are none, and the network stands for a place (P-61)")
    func stays() {
        var world = World()
        world.stay(at: Self.flat, minutes: 9)
        #expect(world.machine.memory.places.isEmpty && world.changes.isEmpty)
        world.stay(at: Self.flat, minutes: 4)
        #expect(world.machine.memory.places.count == 1 && world.changes == [.arrived(1)])
        world.stay(at: Self.office, minutes: 3)
        #expect(world.changes == [.arrived(1), .left(1)])
        var wired = World()
        wired.stay(at: nil, network: "Home Wi-Fi", minutes: 13)
        #expect(wired.changes == [.arrived(1)] && wired.machine.memory.places.first?.networks == ["Home Wi-Fi"])
        wired.stay(at: nil, network: nil, minutes: 2)
        #expect(wired.changes == [.arrived(1), .left(1)])
        // Again: within two minutes.
        wired.stay(at: nil, network: "Home Wi-Fi", minutes: 1)
        #expect(wired.changes.last == .arrived(1))
    }

    @Test("home and work are known after three nights and three weekdays (P-61)")
    func homeAndWork() {
        var world = World()
        for day in 0..<3 {
            #expect(world.machine.home == nil && world.machine.work == nil, "day \(day)")
            world.stay(at: Self.flat, minutes: 8 * 60)
            world.stay(at: Self.position(41.02, 29.02), minutes: 5)
            world.stay(at: Self.office, minutes: 9 * 60 - 5)
            world.stay(at: Self.flat, minutes: 7 * 60)
        }
        let places = world.machine.memory.places
        #expect(places.count == 2)
        #expect(world.machine.home == 1 && world.machine.work == 2)
        #expect(world.machine.titles(of: 1) == ["home"] && world.machine.titles(of: 2) == ["work"])
        #expect(Self.named(&world, 2, "Office"))
        #expect(world.machine.titles(of: 2) == ["work", "Office"])
        // It survives the file.
        let copy = StayMachine(world.machine.memory)
        #expect(copy.home == 1 && copy.titles(of: 2) == ["work", "Office"])
    }

    private static func named(_ world: inout World, _ place: UInt64, _ name: String) -> Bool {
        world.machine.name(place, name)
    }

    @Test("nothing flaps at the border (P-61)")
    func border() {
        var world = World()
        world.stay(at: Self.flat, minutes: 20)
        world.changes = []
        // 0.001 degrees of latitude are 111 m: beyond the inner radius, and within the outer one.
        for round in 0..<200 { world.stay(at: Self.position(41.0 + (round % 2 == 0 ? 0.0012 : 0), 29.0), minutes: 1) }
        #expect(world.changes.isEmpty)
        // Beyond both, but never for as long as a minute.
        for round in 0..<200 {
            world.now += 20_000
            world.give(.position(Self.position(41.0 + (round % 2 == 0 ? 0.002 : 0), 29.0)))
        }
        #expect(world.changes.isEmpty)
    }

    @Test("a jump of 1,000 km, what is no number, and a clock that goes back change nothing (P-61)")
    func hostile() {
        var world = World()
        world.stay(at: Self.flat, minutes: 20)
        world.changes = []
        #expect(Self.position(.nan, 1) == nil && Self.position(1, .infinity) == nil && Self.position(91, 0) == nil)
        world.give(.position(nil))
        world.now += 1000
        world.give(.position(Self.position(50, 10)))
        world.stay(at: Self.flat, minutes: 2)
        #expect(world.changes.isEmpty && world.machine.current == 1)
        world.now -= 3_600_000
        world.stay(at: Self.flat, minutes: 5)
        world.now = 5
        world.stay(at: Self.flat, minutes: 5)
        #expect(world.changes.isEmpty && world.machine.current == 1)
        world.now = UInt64(Int64.max)
        world.give(.tick)
        #expect(world.machine.memory.places.count == 1)
        // Three that agree are believed: a flight.
        world = World()
        world.stay(at: Self.flat, minutes: 20)
        world.stay(at: Self.position(50, 10), minutes: 20)
        #expect(world.changes == [.arrived(1), .left(1), .arrived(2)])
    }

    @Test("places and inputs of any kind, in any order, keep within the bounds (P-61)")
    func simulation() {
        var seed: UInt64 = 7
        func next(_ bound: UInt64) -> UInt64 {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (seed >> 33) % bound
        }
        var world = World()
        for _ in 0..<20_000 {
            world.now = next(50) == 0 ? world.now - min(world.now, next(10_000_000)) : world.now + next(1_200_000)
            switch next(4) {
            case 0: world.give(.network(next(3) == 0 ? nil : "net \(next(300))"))
            case 1: world.give(.tick)
            default:
                world.give(.position(Self.position(Double(next(18_000)) / 100 - 89, Double(next(300)) / 100)))
            }
            #expect(world.machine.memory.places.count <= 100)
        }
        // Arriving and leaving are reported in turn.
        var current: UInt64?
        for change in world.changes {
            switch change {
            case .arrived(let place):
                #expect(current == nil)
                current = place
            case .left(let place):
                #expect(current == place)
                current = nil
            }
        }
    }

    @Test("a forgotten place is gone, and found again only by a new stay (P-61)")
    func forgetting() {
        var world = World()
        world.stay(at: Self.flat, minutes: 20)
        #expect(Self.forgotten(&world, 1) && !Self.forgotten(&world, 1))
        #expect(world.machine.current == nil && world.machine.memory.places.isEmpty)
        world.stay(at: Self.flat, minutes: 9)
        #expect(world.machine.memory.places.isEmpty)
        world.stay(at: Self.flat, minutes: 3)
        #expect(world.machine.memory.places.map(\.id) == [2])
    }

    private static func forgotten(_ world: inout World, _ place: UInt64) -> Bool { world.machine.forget(place) }
}
