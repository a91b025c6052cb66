import AppLink
import Baton
import BatonCore
import Testing

@Suite struct SavedOutboxTests {
    @Test("what waits to be told is bounded, in the order of the calls")
    func outbox() {
        var outbox = SavedOutbox()
        let ids = (0..<100).map { _ in ActivityID.random() }
        for id in ids { outbox.save(id) }
        outbox.save(ids[99])
        var saved: [ActivityID] = []
        while case .save(let id)? = outbox.next() { saved.append(id) }
        #expect(saved == Array(ids.suffix(SavedOutbox.maximumSaves)))
        for index in 0..<1000 { outbox.delete(["\(index % 10)"], isOfAll: false, completion: Completion {}) }
        guard case .delete(let deletion)? = outbox.next() else {
            Issue.record("no deletion")
            return
        }
        #expect(deletion.identifiers.count == 10 && deletion.completions.count == 1000 && !deletion.isOfAll)
        #expect(outbox.isEmpty)
        outbox.save(ids[0])
        outbox.delete([], isOfAll: true, completion: Completion {})
        outbox.save(ids[0])
        var kinds: [String] = []
        while let item = outbox.next() {
            switch item {
            case .save: kinds.append("save")
            case .delete: kinds.append("delete")
            }
        }
        #expect(kinds == ["save", "delete", "save"])
    }

    @Test("what the app has deleted is not saved again when it attaches anew, until the app asks for it (H-14)")
    func deletedStaysDeleted() {
        let (id, other) = (ActivityID.random(), ActivityID.random())
        for isOfAll in [true, false] {
            var outbox = SavedOutbox()
            outbox.save(id)
            _ = outbox.next()
            outbox.collected(id)
            outbox.delete(isOfAll ? [] : ["one"], isOfAll: isOfAll, current: id, completion: Completion {})
            _ = outbox.next()
            outbox.saveAgain(id)
            #expect(outbox.isEmpty)
            outbox.saveAgain(other)
            #expect(!outbox.isEmpty)
            _ = outbox.next()
            outbox.collected(other)
            outbox.save(id)
            _ = outbox.next()
            outbox.collected(id)
            outbox.saveAgain(id)
            #expect(!outbox.isEmpty)
        }
        // The deletion concerned another activity.
        var outbox = SavedOutbox()
        outbox.delete(["two"], isOfAll: false, completion: Completion {})
        _ = outbox.next()
        outbox.saveAgain(id)
        #expect(!outbox.isEmpty)
    }

    @Test("what is asked for while it is saved is saved once more, and nothing of what is asked for then")
    func echoes() {
        var outbox = SavedOutbox()
        let (id, other) = (ActivityID.random(), ActivityID.random())
        for _ in 0..<2 {
            outbox.save(id)
            _ = outbox.next()
            outbox.save(id)
            outbox.save(id)
            outbox.collected(id)
            #expect(!outbox.isEmpty)
            _ = outbox.next()
            outbox.save(id)
            outbox.collected(id)
            #expect(outbox.isEmpty)
        }
        // A wish from elsewhere makes the second time one of its own; another activity is not held back.
        outbox.save(id)
        _ = outbox.next()
        outbox.save(id)
        outbox.collected(id)
        outbox.save(id)
        _ = outbox.next()
        outbox.save(id)
        outbox.save(other)
        outbox.collected(id)
        var saved: [ActivityID] = []
        while case .save(let id)? = outbox.next() { saved.append(id) }
        #expect(saved == [id, other])
    }

    @Test(
        "an activity that is put off waits alone, and goes in its turn when there is more to tell, or time has passed")
    func holding() {
        var outbox = SavedOutbox()
        let (id, other) = (ActivityID.random(), ActivityID.random())
        outbox.hold(id)
        outbox.save(id)
        #expect(outbox.next() == nil && !outbox.isEmpty)
        outbox.delete(["x"], isOfAll: false, completion: Completion {})
        guard case .save(id)? = outbox.next(), case .delete? = outbox.next() else {
            Issue.record("not in their order")
            return
        }
        outbox.collected(id)
        outbox.save(other)
        guard case .save(other)? = outbox.next() else {
            Issue.record("another one waits too")
            return
        }
        outbox.collected(other)
        outbox.save(id)
        #expect(outbox.next() == nil)
        outbox.release()
        #expect(outbox.next() != nil)
    }

    @Test("a burst is saved at once, what goes on at a steady pace, and what was quiet may burst again")
    func pace() {
        var pace = SavingPace(burst: 5, interval: .seconds(10))
        var now = ContinuousClock.now
        let waits = (0..<7).map { _ in pace.saved(now: now) }
        #expect(waits == [0, 0, 0, 0, 10, 20, 30].map { .seconds($0) })
        now += .seconds(70)
        #expect((0..<4).allSatisfy { _ in pace.saved(now: now) == .zero })
        // An app that keeps to the answers never has to wait longer than the interval.
        for _ in 0..<100 {
            let wait = pace.saved(now: now)
            #expect(wait <= .seconds(10))
            now += wait
        }
    }

    @Test("a deletion is told in parts, by count and by bytes, in its place, with its completions at the end")
    func parts() {
        var outbox = SavedOutbox()
        let long = String(repeating: "x", count: 100_000)
        let identifiers = Set((0..<1500).map { "\($0)" } + (0..<10).map { "\($0)\(long)" })
        outbox.delete(identifiers, isOfAll: false, completion: Completion {})
        outbox.delete([String(repeating: "y", count: 5 << 20)], isOfAll: false, completion: Completion {})
        outbox.save(.random())
        var told: Set<String> = []
        var completions = 0
        var hasFailed = false
        while case .delete(let part)? = outbox.next() {
            #expect(completions == 0 && !part.identifiers.isEmpty && part.identifiers.count <= 500)
            #expect(part.identifiers.reduce(0) { $0 + $1.utf8.count } <= SavedOutbox.maximumBytes)
            if !hasFailed {
                // Could not be sent: it comes again, in front of the rest.
                hasFailed = true
                outbox.restore(.delete(part))
                guard case .delete(let again)? = outbox.next() else {
                    Issue.record("no deletion")
                    return
                }
                #expect(again.identifiers == part.identifiers && again.completions.isEmpty)
            }
            #expect(told.isDisjoint(with: part.identifiers))
            told.formUnion(part.identifiers)
            completions += part.completions.count
        }
        #expect(told == identifiers && completions == 2 && outbox.isEmpty)
        outbox.delete(identifiers, isOfAll: false, completion: Completion {})
        outbox.delete([], isOfAll: true, completion: Completion {})
        guard case .delete(let all)? = outbox.next() else {
            Issue.record("no deletion")
            return
        }
        #expect(all.isOfAll && all.identifiers.isEmpty && all.completions.count == 2 && outbox.isEmpty)
    }
}
