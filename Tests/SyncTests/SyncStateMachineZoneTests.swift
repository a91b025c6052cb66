import Foundation
import KeyValue
import Testing

@testable import Sync

@Suite("The engine and its zones")
struct SyncStateMachineZoneTests {
    @Test("a zone is read, then written until nothing waits, then left alone")
    func oneZone() {
        var machine = Machine()
        _ = machine.handle(.added(.data))
        _ = machine.handle(.configured(true))
        #expect(machine.handle(.connected(heads: [.data: .init(7)])) == [.pull(.data, nil)])
        #expect(machine.handle(.changed(.data)) == [], "one operation at a time")
        #expect(machine.handle(.pulled(.data, .page(newest: 4, more: true))) == [.pull(.data, nil)])
        #expect(machine.handle(.pulled(.data, .page(newest: 7, more: false))) == [.push(.data)])
        #expect(machine.handle(.pushed(.data, .written(newest: 9, count: 2))) == [.push(.data)], "and nothing is read")
        #expect(machine.handle(.pushed(.data, .nothing)) == [])
        #expect(machine.nextWake == nil)
        #expect(machine.handle(.head(.data, .init(9))) == [], "its own change")
        #expect(machine.handle(.head(.data, .init(8))) == [], "an older state says nothing")
        #expect(machine.handle(.head(.data, .init(10))) == [.pull(.data, nil)])
    }

    @Test("what somebody else wrote in between is read")
    func interleaved() {
        var machine = Machine.up([.data], heads: [.data: .init(3)])
        _ = machine.handle(.pulled(.data, .page(newest: 3, more: false)))
        #expect(machine.handle(.pushed(.data, .written(newest: 5, count: 1))) == [.pull(.data, nil)])
    }

    @Test("deletions that were forgotten leave a gap that is not read for ever")
    func gap() {
        var machine = Machine.up([.data], heads: [.data: .init(9)])
        #expect(machine.handle(.pulled(.data, .page(newest: 5, more: false))) == [.push(.data)])
        _ = machine.handle(.pushed(.data, .nothing))
        #expect(machine.nextWake == nil)
    }

    @Test("news that comes while a zone is being read is not forgotten")
    func newsWhilePulling() {
        var machine = Machine.up([.data], heads: [.data: .init(3)])
        _ = machine.handle(.head(.data, .init(4)))
        #expect(machine.handle(.pulled(.data, .page(newest: 3, more: false))) == [.pull(.data, nil)])
        _ = machine.handle(.refresh(.data))
        #expect(machine.handle(.pulled(.data, .page(newest: 4, more: false))) == [.pull(.data, nil)])
        #expect(machine.handle(.pulled(.data, .page(newest: nil, more: false))) == [.push(.data)])
    }

    @Test("a zone that comes into being while it is found absent is read")
    func bornMeanwhile() {
        var machine = Machine.up([.data])
        _ = machine.handle(.head(.data, .init(1)))
        #expect(machine.handle(.pulled(.data, .absent(wasThere: false))) == [.pull(.data, nil)])
    }

    @Test("the head of another epoch has the zone read, however small it is, also in the middle of reading")
    func otherEpoch() {
        var machine = Machine.up([.data], heads: [.data: .init(9)])
        _ = machine.handle(.pulled(.data, .page(newest: 9, more: false)))
        _ = machine.handle(.pushed(.data, .nothing))
        #expect(machine.handle(.head(.data, .init(2, 2))) == [.pull(.data, .replaced)])
        _ = machine.handle(.head(.data, .init(1, 3)))
        #expect(machine.handle(.pulled(.data, .page(newest: 9, more: false))) == [.pull(.data, .replaced)])
        #expect(machine.handle(.pulled(.data, .page(newest: 1, more: false))) == [.push(.data)])
        _ = machine.handle(.pushed(.data, .nothing))
        #expect(machine.handle(.head(.data, .init(2, 3))) == [.pull(.data, nil)])
    }

    @Test(
        "a head below what was seen in the same epoch means that the cloud has lost something: the zone is read anew (K-18)"
    )
    func lowerHead() {
        var machine = Machine.up([.data], heads: [.data: .init(9)])
        _ = machine.handle(.pulled(.data, .page(newest: 9, more: false)))
        _ = machine.handle(.pushed(.data, .nothing))
        _ = machine.handle(.disconnected(.connection))
        #expect(machine.wake() == [.connect])
        #expect(machine.handle(.connected(heads: [.data: .init(8)])) == [.pull(.data, .replaced)])
        #expect(machine.handle(.pulled(.data, .page(newest: 8, more: false))) == [.push(.data)])
        _ = machine.handle(.pushed(.data, .nothing))
        // Its own change, about which it has heard nothing else.
        _ = machine.handle(.changed(.data))
        _ = machine.handle(.pushed(.data, .written(newest: 9, count: 1)))
        _ = machine.handle(.disconnected(.connection))
        _ = machine.wake()
        #expect(machine.handle(.connected(heads: [.data: .init(8)])) == [.pull(.data, .replaced)])
        _ = machine.handle(.disconnected(.connection))
        _ = machine.wake()
        #expect(
            machine.handle(.connected(heads: [.data: .init(8)])) == [.pull(.data, .replaced)], "it was not read yet")
    }

    @Test("a cloud whose pages have no end is read ever more slowly")
    func pullAllowance() {
        var machine = Machine.up([.data], heads: [.data: .init(.max)])
        var version: UInt64 = 0
        var actions: [SyncStateMachine.Action] = [.pull(.data, nil)]
        while !actions.isEmpty, version < 1000 {
            version += 1
            actions = machine.handle(.pulled(.data, .page(newest: version, more: true)))
        }
        #expect(version == 200)
        for _ in 0..<10 {
            #expect(machine.wait == 50)
            #expect(machine.wake() == [.pull(.data, nil)])
            version += 1
            #expect(machine.handle(.pulled(.data, .page(newest: version, more: true))) == [])
        }
    }

    @Test(
        "devices that see damaged items do not write them to each other without pause; a change of their own goes soon")
    func damaged() {
        var machine = Machine.up([.data], heads: [.data: .init(1)])
        var version: UInt64 = 1
        var waits: [UInt64] = []
        for _ in 0..<12 {
            // Items that were read are to be written again; another device does the same.
            _ = machine.handle(.changed(.data))
            #expect(
                machine.handle(.pulled(.data, .page(newest: version, more: false, isDamaged: true)), fraction: 1) == [])
            waits.append(machine.wait ?? 0)
            #expect(machine.wake() == [.push(.data)])
            version += 2
            #expect(machine.handle(.pushed(.data, .written(newest: version, count: 1))) == [.pull(.data, nil)])
        }
        #expect(waits == (0..<12).map { min(1000 << $0, 300_000) })
        _ = machine.handle(.pulled(.data, .page(newest: version, more: false, isDamaged: true)), fraction: 1)
        #expect(machine.wait == 300_000)
        #expect(machine.handle(.changed(.data)) == [])
        #expect(machine.wait == 3000)
        // After a time without any it counts as the first again.
        _ = machine.wake()
        _ = machine.handle(.pushed(.data, .nothing))
        _ = machine.handle(.head(.data, .init(version + 1)), after: 700_000)
        _ = machine.handle(.changed(.data))
        _ = machine.handle(.pulled(.data, .page(newest: version + 1, more: false, isDamaged: true)), fraction: 1)
        #expect(machine.wait == 1000)
    }

    @Test("what the cloud of before answers says nothing about the one of now")
    func lateAnswer() {
        var machine = Machine.up([.data], heads: [.data: .init(50)])
        #expect(machine.handle(.configured(true)) == [.disconnect])
        _ = machine.handle(.pulled(.data, .page(newest: 50, more: false)))
        _ = machine.handle(.disconnected(.connection))
        #expect(machine.handle(.connected(heads: [.data: .init(3)])) == [.pull(.data, nil)])
    }

    @Test("a zone that is read anew is read from its start, and then written")
    func startingOver() {
        var machine = Machine.up([.data], heads: [.data: .init(9)])
        #expect(machine.handle(.pulled(.data, .resync(.expired))) == [.pull(.data, .expired)])
        #expect(machine.handle(.pulled(.data, .page(newest: 5, more: true))) == [.pull(.data, nil)])
        #expect(machine.handle(.pulled(.data, .page(newest: 9, more: false))) == [.push(.data)])
    }

    @Test("a zone that is gone is written again, whole")
    func absent() {
        var machine = Machine.up([.data], heads: [.data: .init(9)])
        _ = machine.handle(.pulled(.data, .page(newest: 9, more: false)))
        _ = machine.handle(.pushed(.data, .nothing))
        #expect(machine.handle(.refresh(.data)) == [.pull(.data, nil)])
        #expect(machine.handle(.pulled(.data, .absent(wasThere: true))) == [.pull(.data, .replaced)])
        #expect(machine.handle(.pulled(.data, .absent(wasThere: false))) == [.push(.data)])
        #expect(machine.handle(.pushed(.data, .written(newest: 1, count: 1))).contains(.push(.data)))
    }

    @Test("content keys go before everything else, but hold up nothing when they fail")
    func keysFirst() {
        var machine = Machine.up([.data, .keys])
        #expect(machine.isBusy(.keys) && !machine.isBusy(.data))
        #expect(machine.handle(.pulled(.keys, .page(newest: nil, more: false))) == [.push(.keys)])
        #expect(machine.handle(.failed(.keys, .zone)) == [.pull(.data, nil)])
    }

    @Test("at most four zones at a time, those first that have waited longest")
    func fourAtMost() {
        let zones = (0..<6).map { ZoneName(kind: .keyValue, name: "\($0)") }
        var machine = Machine.up(zones)
        #expect(zones.map(machine.isBusy) == [true, true, true, true, false, false])
        #expect(machine.nextWake == nil, "nothing can begin before something ends")
        #expect(machine.handle(.pulled(zones[0], .absent(wasThere: false)), after: 1) == [.pull(zones[4], nil)])
        #expect(machine.handle(.pulled(zones[1], .absent(wasThere: false)), after: 1) == [.pull(zones[5], nil)])
    }

    @Test("twenty batches at once, then one in a quarter of a second; what waits is not forgotten")
    func allowance() {
        var machine = Machine.up([.data])
        var actions = machine.handle(.pulled(.data, .absent(wasThere: false)))
        for number in 1...20 {
            #expect(actions == [.push(.data)])
            actions = machine.handle(.pushed(.data, .written(newest: UInt64(number), count: 1)))
        }
        #expect(actions == [])
        for number in 21...23 {
            #expect(machine.nextWake == machine.now + 250)
            #expect(machine.wake() == [.push(.data)])
            #expect(machine.handle(.pushed(.data, .written(newest: UInt64(number), count: 1))) == [])
        }
    }

    @Test("looking for what waits, and finding nothing, counts as no batch")
    func emptyAllowance() {
        var machine = Machine.up([.data])
        _ = machine.handle(.pulled(.data, .absent(wasThere: false)))
        for number in 1...19 {
            #expect(machine.handle(.pushed(.data, .written(newest: UInt64(number), count: 1))) == [.push(.data)])
            #expect(machine.handle(.pushed(.data, .nothing)) == [])
            #expect(machine.handle(.changed(.data)) == [.push(.data)])
        }
    }

    @Test(
        "the first conflicts are settled at once; who meets others again and again gives way a little, and not for long"
    )
    func conflicts() {
        var machine = Machine.up([.data])
        var actions = machine.handle(.pulled(.data, .absent(wasThere: false)))
        for number in 0..<12 {
            #expect(actions == [.push(.data)])
            actions = machine.handle(.pushed(.data, .conflict), after: 300, fraction: 1)
            if number < 2 {
                #expect(actions == [.push(.data)])
            } else {
                #expect(actions == [])
                #expect((20...1280).contains((machine.wait ?? 0)))
                actions = machine.wake()
            }
        }
    }

    @Test("after twenty conflicts in a row, which are no chance, it waits longer and longer, up to minutes")
    func endlessConflicts() {
        var machine = Machine.up([.data])
        _ = machine.handle(.pulled(.data, .absent(wasThere: false)))
        var waits: [UInt64] = []
        for _ in 0..<40 {
            _ = machine.handle(.pushed(.data, .conflict), after: 300, fraction: 1)
            waits.append(machine.wait ?? 0)
            _ = machine.wake()
        }
        #expect(waits[..<20].allSatisfy { $0 <= 1280 })
        #expect(waits[25] > 10_000)
        #expect(waits[39] == 163_840)
    }

    @Test("a conflict with what is older than the cloud had told has the zone read anew, ever more slowly")
    func otherOrder() {
        var machine = Machine.up([.data])
        _ = machine.handle(.pulled(.data, .absent(wasThere: false)))
        var waits: [UInt64] = []
        for _ in 0..<30 {
            #expect(machine.handle(.pushed(.data, .otherOrder), after: 300, fraction: 1) == [.pull(.data, .replaced)])
            if machine.handle(.pulled(.data, .page(newest: 1, more: false))) != [.push(.data)] {
                waits.append(machine.wait ?? 0)
                #expect(machine.wake() == [.push(.data)])
            }
        }
        #expect(waits.last.map { $0 > 100_000 } == true)
    }

    @Test(
        "what ends because the account has no cloud any more has not failed, and what failed before is of another cloud"
    )
    func loggedOut() {
        var machine = Machine.up([.data, .keys])
        _ = machine.handle(.failed(.keys, .zone))
        #expect(machine.machine.zones[.keys]?.failure != nil)
        #expect(machine.handle(.configured(false)) == [.disconnect])
        let ended = SyncFailure(CancellationError())
        _ = machine.handle(.failed(.data, ended))
        _ = machine.handle(.disconnected(ended))
        #expect(machine.machine.zones.values.allSatisfy { $0.failure == nil && $0.operation == nil })
        #expect(machine.machine.cloud == .off)
    }

    @Test("a zone of content keys that comes to no rest holds up no other one")
    func restlessKeys() {
        var machine = Machine.up([.keys, .data])
        #expect(machine.handle(.pulled(.keys, .absent(wasThere: false))) == [.push(.keys)])
        for _ in 0..<2 { #expect(machine.handle(.pushed(.keys, .conflict), after: 300) == [.push(.keys)]) }
        #expect(machine.handle(.pushed(.keys, .conflict), after: 300).contains(.pull(.data, nil)))
    }

    @Test("a zone that fails waits alone, from a second to an hour, and is tried again whatever was under way")
    func failing() {
        for isPush in [false, true] {
            var machine = Machine.up([.data, .other], heads: [:])
            machine.finish(.other)
            if isPush { _ = machine.handle(.pulled(.data, .absent(wasThere: false))) }
            var waits: [UInt64] = []
            for _ in 0..<14 {
                #expect(machine.handle(.failed(.data, .zone), fraction: 1) == [])
                waits.append((machine.wait ?? 0))
                #expect(machine.handle(.changed(.other)) == [.push(.other)], "the other one goes on")
                #expect(machine.handle(.pushed(.other, .nothing), after: 250) == [])
                #expect(machine.wake() == [isPush ? .push(.data) : .pull(.data, nil)])
            }
            #expect(waits == (0..<14).map { min(1000 << $0, 3_600_000) })
        }
    }

    @Test("a zone that cannot be written is read at once when there is something new, which may let it be written soon")
    func readWhileNotWritten() {
        var machine = Machine.up([.data], heads: [.data: .init(3)])
        #expect(machine.handle(.pulled(.data, .page(newest: 3, more: false))) == [.push(.data)])
        for _ in 0..<10 {
            _ = machine.handle(.failed(.data, .zone), fraction: 1)
            #expect(machine.wake() == [.push(.data)])
        }
        _ = machine.handle(.failed(.data, .zone), fraction: 1)
        #expect(machine.wait == 1_024_000)
        #expect(machine.handle(.head(.data, .init(4))) == [.pull(.data, nil)])
        #expect(machine.handle(.pulled(.data, .page(newest: 4, more: false))) == [])
        #expect(machine.machine.zones[.data]?.failure == .zone, "it says on what is wrong")
        #expect(machine.wait == 1000)
        #expect(machine.wake() == [.push(.data)])
        _ = machine.handle(.failed(.data, .zone), fraction: 1)
        #expect(machine.wait == 2_048_000, "it has not succeeded in between")
        // What fails in reading is another matter.
        #expect(machine.handle(.head(.data, .init(5))) == [.pull(.data, nil)])
        _ = machine.handle(.failed(.data, .connection), fraction: 1)
        #expect(machine.wait == 1000)
        #expect(machine.machine.zones[.data]?.failure == .connection)
        #expect(machine.wake() == [.pull(.data, nil)])
        _ = machine.handle(.pulled(.data, .page(newest: nil, more: false)))
        #expect(machine.wait == 2_047_000)
    }

    @Test("what did not fit before is tried soon after a change, or when a key came")
    func changeAfterFailure() {
        for input in [SyncStateMachine.Input.changed(.data), .refresh(.data)] {
            var machine = Machine.up([.data])
            for _ in 0..<10 {
                _ = machine.handle(.failed(.data, .zone), fraction: 1)
                _ = machine.wake()
            }
            _ = machine.handle(.failed(.data, .zone), fraction: 1)
            #expect((machine.wait ?? 0) > 1000)
            _ = machine.handle(input)
            #expect(machine.nextWake == machine.now + 1000)
        }
    }

    @Test("what was under way when the connection ended is done over the next one")
    func interrupted() {
        for isPush in [false, true] {
            var machine = Machine.up([.data])
            if isPush { _ = machine.handle(.pulled(.data, .absent(wasThere: false))) }
            _ = machine.handle(.disconnected(.connection))
            #expect(machine.wake() == [.connect])
            let actions = machine.handle(.connected(heads: [:]))
            #expect(actions == [isPush ? .push(.data) : .pull(.data, nil)])
        }
    }

    @Test("a change that came while its zone was being sent is sent")
    func changedWhilePushing() {
        var machine = Machine.up([.data])
        #expect(machine.handle(.pulled(.data, .absent(wasThere: false))) == [.push(.data)])
        _ = machine.handle(.changed(.data))
        #expect(machine.handle(.pushed(.data, .nothing)) == [.push(.data)])
    }

    @Test("what came from a device that is near is sent three seconds later, own changes at once")
    func nearby() {
        var machine = Machine.up([.data])
        machine.finish(.data)
        #expect(machine.handle(.changedNearby(.data)) == [])
        #expect(machine.nextWake == machine.now + 3000)
        #expect(machine.handle(.changed(.data), after: 1000) == [.push(.data)])
    }

    // What two devices have to send is sent once.
    @Test("while more comes from a device that is near it is not sent from here, but half a minute later at the latest")
    func nearbyGoesOn() {
        var machine = Machine.up([.data])
        machine.finish(.data)
        let start = machine.now
        #expect(machine.handle(.changedNearby(.data)) == [])
        for _ in 0..<14 {
            #expect(machine.handle(.nearby(.data), after: 2000) == [])
            #expect(machine.nextWake == min(machine.now + 3000, start + 30_000))
        }
        #expect(machine.handle(.nearby(.data), after: 2000) == [.push(.data)])
        #expect(machine.now == start + 30_000)
        _ = machine.handle(.pushed(.data, .nothing))

        // What was changed here does not wait for that.
        _ = machine.handle(.changedNearby(.data))
        _ = machine.handle(.nearby(.data), after: 1000)
        #expect(machine.handle(.changed(.data)) == [.push(.data)])
        _ = machine.handle(.changedNearby(.data))
        #expect(machine.handle(.pushed(.data, .written(newest: 1, count: 1))) == [.push(.data)])
        _ = machine.handle(.pushed(.data, .nothing))
        // Nothing waits.
        #expect(machine.handle(.nearby(.data)) == [])
        #expect(machine.nextWake == nil)
    }
}
