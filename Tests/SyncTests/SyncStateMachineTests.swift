import Foundation
import Testing

@testable import Sync

@Suite("When the engine connects")
struct SyncStateMachineTests {
    @Test("it connects once it is configured, and not before")
    func configured() {
        var machine = Machine()
        #expect(machine.handle(.added(.data)) == [])
        #expect(machine.nextWake == nil)
        #expect(machine.handle(.configured(true)) == [.connect])
        #expect(machine.nextWake == nil, "the connection tells by itself how it goes")
    }

    @Test("waiting to connect doubles at random between a quarter of it and the whole, up to five minutes")
    func reconnecting() {
        for (fraction, share) in [(0.0, 4), (1.0, 1)] {
            var machine = Machine()
            _ = machine.handle(.configured(true))
            var waits: [UInt64] = []
            for _ in 0..<12 {
                #expect(machine.handle(.disconnected(.connection), fraction: fraction) == [])
                waits.append((machine.wait ?? 0))
                #expect(machine.wake() == [.connect])
            }
            let expected = [500, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000]
            #expect(waits == expected.map { UInt64($0 / share) })
        }
    }

    @Test("the cloud is known to be unreachable after a try that failed, altogether or for a zone, until one succeeds")
    func unreachable() {
        var machine = Machine()
        func isUnreachable(_ zone: ZoneName) -> Bool { machine.machine.isUnreachable(for: zone) }
        for zone in [ZoneName.data, .other] { _ = machine.handle(.added(zone)) }
        _ = machine.handle(.configured(true))
        #expect(!isUnreachable(.data), "nothing is known yet")
        _ = machine.handle(.disconnected(.connection))
        #expect(isUnreachable(.data))
        #expect(machine.wake() == [.connect])
        #expect(isUnreachable(.data), "the next try has not succeeded yet")
        _ = machine.handle(.connected(heads: [:]))
        #expect(!isUnreachable(.data))
        for zone in [ZoneName.data, .other] { machine.finish(zone) }
        _ = machine.handle(.changed(.data))
        _ = machine.wake()
        _ = machine.handle(.failed(.data, .connection))
        #expect(isUnreachable(.data) && !isUnreachable(.other))
        _ = machine.wake()
        _ = machine.handle(.pushed(.data, .nothing))
        #expect(!isUnreachable(.data))
        _ = machine.handle(.changed(.data))
        _ = machine.wake()
        _ = machine.handle(.failed(.data, .zone))
        #expect(!isUnreachable(.data), "it has answered")
    }

    @Test("a wake-up that comes early does nothing")
    func earlyWake() {
        var machine = Machine()
        _ = machine.handle(.configured(true))
        _ = machine.handle(.disconnected(.connection), fraction: 1)
        #expect(machine.handle(.woke, after: 499) == [])
        #expect(machine.handle(.woke, after: 1) == [.connect])
    }

    @Test("who is refused tries again after a quarter of an hour, whatever appears near")
    func refused() {
        var machine = Machine()
        _ = machine.handle(.configured(true))
        _ = machine.handle(.disconnected(.refused), fraction: 1)
        #expect(machine.nextWake == machine.now + 15 * 60 * 1000)
        #expect(machine.handle(.networkChanged) == [])
        #expect(machine.nextWake == machine.now + 15 * 60 * 1000)
        #expect(machine.handle(.configured(true)) == [.connect], "a person may have mended it")
    }

    @Test("who has just got through to the cloud need not wait, whatever failed before; a connection that is up stays")
    func reached() {
        for failure in [SyncFailure.refused, .connection] {
            var machine = Machine()
            _ = machine.handle(.configured(true))
            for _ in 0..<5 {
                _ = machine.handle(.disconnected(failure), fraction: 1)
                _ = machine.wake()
            }
            _ = machine.handle(.disconnected(failure), fraction: 1)
            #expect(machine.handle(.reached) == [.connect])
            #expect(machine.handle(.connected(heads: [:])) == [])
            #expect(machine.machine.failure == nil)
            #expect(machine.handle(.reached) == [])
        }
        var machine = Machine()
        #expect(machine.handle(.reached) == [], "there is no cloud")
    }

    @Test("another network is tried at once")
    func networkChanged() {
        var machine = Machine()
        _ = machine.handle(.configured(true))
        _ = machine.handle(.disconnected(.connection), fraction: 1)
        #expect(machine.handle(.networkChanged) == [.connect])
    }

    @Test(
        "what a person or an app needs pulls the next attempt forward: never more than 3 s away, and not oftener than that (K-10)"
    )
    func hurried() {
        for input in [SyncStateMachine.Input.changed(.data), .wanted(.data), .networkChanged] {
            var machine = Machine()
            _ = machine.handle(.added(.data))
            _ = machine.handle(.configured(true))
            for _ in 0..<12 {
                _ = machine.handle(.disconnected(.connection), fraction: 1)
                _ = machine.wake()
            }
            _ = machine.handle(.disconnected(.connection), fraction: 1)
            #expect(machine.wait == 300_000)
            var attempts = 0
            let start = machine.now
            for _ in 0..<600 {
                guard machine.handle(input, after: 100) == [.connect] else {
                    #expect((machine.wait ?? .max) <= 3000)
                    continue
                }
                attempts += 1
                _ = machine.handle(.disconnected(.connection), fraction: 1)
            }
            #expect((3...24).contains(attempts), "\(attempts) in \(machine.now - start) ms")
        }
    }

    @Test("what came from a device that is near does not, and no need mends a refusal")
    func notHurried() {
        for (input, failure) in [
            (SyncStateMachine.Input.changedNearby(.data), SyncFailure.connection), (.changed(.data), .refused),
            (.wanted(.data), .refused),
        ] {
            var machine = Machine()
            _ = machine.handle(.added(.data))
            _ = machine.handle(.configured(true))
            _ = machine.handle(.disconnected(failure), fraction: 1)
            let wait = machine.wait
            #expect(machine.handle(input) == [])
            #expect(machine.wait == wait)
        }
    }

    @Test("an attempt that hangs in the network of before is ended when the network changes, and made again at once")
    func hanging() {
        var machine = Machine()
        _ = machine.handle(.configured(true))
        _ = machine.handle(.disconnected(.connection), fraction: 1)
        #expect(machine.wake() == [.connect])
        #expect(machine.handle(.networkChanged, after: 1999) == [], "it has just begun")
        #expect(machine.handle(.networkChanged, after: 1) == [.disconnect])
        #expect(machine.handle(.networkChanged) == [])
        #expect(machine.handle(.disconnected(.connection), after: 10) == [.connect])
        #expect(machine.handle(.disconnected(.connection), fraction: 1) == [], "and not for ever")
    }

    @Test("a token that ran out is renewed at once; one that is refused again is not asked for without pause")
    func token() {
        var machine = Machine.up([.data])
        machine.finish(.data)
        _ = machine.handle(.changed(.data))
        #expect(machine.handle(.failed(.data, .token)) == [.disconnect])
        #expect(machine.handle(.disconnected(.connection), fraction: 1) == [.connect])
        for _ in 0..<5 {
            #expect(machine.handle(.connected(heads: [:])).first == .push(.data))
            #expect(machine.handle(.failed(.data, .token)) == [.disconnect])
            #expect(machine.handle(.disconnected(.connection), fraction: 1) == [])
            let wait = (machine.wait ?? 0)
            #expect(wait >= 500)
            #expect(machine.wake() == [.connect])
        }
    }

    @Test(
        "connections that end as soon as they are made are made ever more seldom; one that lasted counts as none before"
    )
    func flapping() {
        var machine = Machine()
        _ = machine.handle(.configured(true))
        var waits: [UInt64] = []
        for _ in 0..<4 {
            _ = machine.handle(.connected(heads: [:]))
            _ = machine.handle(.disconnected(.connection), fraction: 1)
            waits.append((machine.wait ?? 0))
            #expect(machine.wake() == [.connect])
        }
        #expect(waits == [500, 1000, 2000, 4000])
        _ = machine.handle(.connected(heads: [:]))
        _ = machine.handle(.disconnected(.connection), after: 60_000, fraction: 1)
        #expect(machine.nextWake == machine.now + 500)
    }

    @Test("an operation that is refused ends the connection")
    func refusedOperation() {
        var machine = Machine.up([.data])
        #expect(machine.handle(.failed(.data, .refused)) == [.disconnect])
        _ = machine.handle(.disconnected(.connection), fraction: 1)
        #expect(machine.nextWake == machine.now + 15 * 60 * 1000)
        #expect(machine.machine.failure?.kind == .refused, "the cause is told, not its consequence")
    }

    @Test("another configuration ends the connection, and connects again as soon as it has ended")
    func reconfigured() {
        var machine = Machine.up([.data])
        #expect(machine.handle(.configured(true)) == [.disconnect])
        #expect(machine.handle(.configured(true)) == [], "it is ending already")
        #expect(machine.handle(.disconnected(.connection)) == [.connect])
        #expect(machine.handle(.configured(false)) == [.disconnect])
        #expect(machine.handle(.disconnected(.connection)) == [])
        #expect(machine.nextWake == nil)
        #expect(machine.handle(.disconnected(.connection)) == [], "told twice")
    }
}
