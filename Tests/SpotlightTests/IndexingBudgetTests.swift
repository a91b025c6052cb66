import BatonCore
import BatonWire
import SwiftProtobuf
import Synchronization
import Testing

@testable import Spotlight

@Suite("The budget of indexing")
struct IndexingBudgetTests {
    // Issue 28, part 1: a tenth of one core over a minute, a fiftieth on battery.
    @Test(
        "A minute's worth may be used at once; then it takes a tenth of the time, a fiftieth on battery",
        arguments: [false, true])
    func shares(isOnBattery: Bool) {
        var now: UInt64 = 1_000_000
        var budget = IndexingBudget(now: now)
        #expect(budget.wait(now: now, isOnBattery: isOnBattery) == 0)
        var used = 0.0
        let start = now
        while now < start + 600_000 {
            let wait = budget.wait(now: now, isOnBattery: isOnBattery)
            if wait > 0 {
                #expect(budget.isThrottled)
                now += wait
                continue
            }
            budget.spend(50, now: now, isOnBattery: isOnBattery)
            used += 50
            now += 50
        }
        let share = isOnBattery ? 1.0 / 50 : 1.0 / 10
        // Ten minutes, and what was saved up before.
        #expect(used <= 660_000 * share + 100)
        #expect(used >= 550_000 * share)
    }

    @Test("A change now and then is never waited for, and a clock that is set back gives nothing and stops nothing")
    func seldom() {
        var now: UInt64 = 1_000_000
        var budget = IndexingBudget(now: now)
        for _ in 0..<100 {
            #expect(budget.wait(now: now, isOnBattery: true) == 0)
            budget.spend(10, now: now, isOnBattery: true)
            now += 1000
        }
        #expect(budget.wait(now: 0, isOnBattery: true) == 0)
        budget.spend(.infinity, now: 0, isOnBattery: false)
        #expect(budget.wait(now: 1, isOnBattery: false) > 0)
    }

    // Issue 28, part 1: the delegate hears of throttling.
    @Test(
        "Beyond it what is journaled waits, the apps whose changes wait hear so, and of the end; an app's own query does not wait",
        arguments: [(false, 0.1), (true, 0.02)])
    func told(isOnBattery: Bool, share: Double) async throws {
        let device = try SearchDevice()
        let service = try device.service()
        service.followPower { isOnBattery }
        // Each used all of its own part, and both the whole.
        service.spend(30_000 * share, of: ItemOwner(SearchDevice.notes))
        service.spend(30_000 * share + 50, of: ItemOwner(SearchDevice.mail))
        // Shortly before a tenth of a minute's share is there again.
        let waiting = [ItemOwner(SearchDevice.notes), ItemOwner(SearchDevice.mail)]
        let next = service.state.withLock {
            $0.indexing.next(of: waiting, now: device.clock.milliseconds, isOnBattery: isOnBattery)
        }
        var isWaiting = false
        if case .wait? = next { isWaiting = true }
        #expect(isWaiting)
        device.state.withLock { $0.now += UInt64((6000 * share + 49) / share) }
        try await service.update(.with { $0.steps = [.item("1", "Alpha")] }, of: SearchDevice.notes)
        var events = device.events.makeAsyncIterator()
        let indexing = Task { try await service.applyJournalWithinBudget() }
        #expect(await events.next() == "throttled")
        #expect(device.state.withLock { $0.throttled } == [.init(isThrottled: true, apps: [SearchDevice.notes])])
        #expect(try await service.titles("alpha").isEmpty)
        try await service.update(.with { $0.steps = [.item("1", "Beta")] }, of: SearchDevice.mail)
        #expect(await events.next() == "throttled")
        #expect(device.state.withLock { $0.throttled.last } == .init(isThrottled: true, apps: [SearchDevice.mail]))
        // A minute later there is enough.
        device.state.withLock { $0.now += 60_000 }
        try await indexing.value
        let end = try #require(device.state.withLock { $0.throttled.last })
        #expect(!end.isThrottled && Set(end.apps) == [SearchDevice.notes, SearchDevice.mail])
        #expect(try await service.titles("alpha") == ["Alpha"])

        service.spend(60_000, of: ItemOwner(SearchDevice.notes))
        try await service.update(.with { $0.steps = [.item("2", "Gamma")] }, of: SearchDevice.notes)
        #expect(try await service.identifiers("title == \"Gamma\"") == ["2"])
        service.close()
    }

    @Test("A look at documents takes a tenth of the time, a fiftieth on battery, and waits a second at least")
    func documents() {
        func pause(_ took: Double, _ waited: Double, _ isOnBattery: Bool) -> Duration {
            DocumentIndexer.pause(after: .seconds(took), waited: .seconds(waited), isOnBattery: isOnBattery)
        }
        #expect(pause(2, 0, false) == .seconds(18))
        #expect(pause(2, 0, true) == .seconds(98))
        #expect(pause(11, 10, false) == .seconds(19))
        #expect(pause(0.01, 0, true) == .seconds(1))
    }

    @Test("Indexing of documents waits while the daemon has much else to do, and not for ever")
    func quiet() {
        func seconds(_ number: Double) -> Duration { .seconds(number) }
        var idle = QuietMoment(at: .zero, worked: seconds(7))
        #expect(idle.wait(at: seconds(0.1), worked: seconds(7.02)) == nil)
        var busy = QuietMoment(at: .zero, worked: seconds(7))
        #expect(busy.wait(at: seconds(0.1), worked: seconds(7.1)) == QuietMoment.pause)
        #expect(busy.wait(at: seconds(1.1), worked: seconds(8.9)) == QuietMoment.pause)
        #expect(busy.wait(at: seconds(2.1), worked: seconds(9.1)) == nil, "of the last second alone")
        var endless = QuietMoment(at: .zero, worked: .zero)
        let waits = (1...60).prefix { endless.wait(at: seconds(Double($0)), worked: seconds(Double($0))) != nil }
        #expect(waits.count == 29)
    }
}
