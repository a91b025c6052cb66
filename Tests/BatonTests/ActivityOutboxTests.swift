import AppLink
import Baton
import BatonCore
import BatonTestSupport
import BatonWire
import SwiftProtobuf
import Testing

@Suite struct ActivityOutboxTests {
    @Test("ten thousand announcements in a row are one, with the last state, and take no memory (H-31, H-32)")
    func coalescesOneActivity() {
        var outbox = ActivityOutbox()
        let id = ActivityID.random()
        for number in 1...10_000 { outbox.becomeCurrent(id, description(id, "Title \(number)")) }
        #expect(outbox.count == 1)
        #expect(outbox.next() == .announce(id, description(id, "Title 10000")))
        #expect(outbox.next() == nil)
    }

    @Test("of ten thousand objects that were current and are gone, only the last is told (H-18)")
    func coalescesManyActivities() {
        var outbox = ActivityOutbox()
        var last = ActivityID.random()
        for _ in 1...10_000 {
            outbox.invalidate(last)
            last = .random()
            outbox.becomeCurrent(last, description(last, "Title"))
        }
        #expect(outbox.count == 1)
        #expect(outbox.next() == .announce(last, description(last, "Title")))
        #expect(outbox.next() == nil)
    }

    @Test("objects that the daemon knew cannot pile up behind ever new announcements")
    func sendsInvalidationsInBetween() {
        var outbox = ActivityOutbox()
        var largest = 0
        var previous: ActivityID?
        for _ in 1...1_000 {
            let id = ActivityID.random()
            outbox.becomeCurrent(id, description(id, "Title"))
            if let previous { outbox.invalidate(previous) }
            previous = id
            _ = outbox.next()
            _ = outbox.next()
            largest = max(largest, outbox.count)
        }
        #expect(largest <= 3)
    }

    @Test("of an app with a thousand living activities the daemon keeps a bounded number, and offers each in turn")
    func forgetsTheOldest() {
        var outbox = ActivityOutbox()
        var daemon = ModelDaemon()
        let ids = (0..<1_000).map { _ in ActivityID.random() }
        var largest = 0
        for id in ids + ids.prefix(100) {
            outbox.becomeCurrent(id, description(id, "T"))
            for _ in 0..<2 {
                if let action = outbox.next() { daemon.take(action) }
            }
            #expect(daemon.current == description(id, "T"))
            largest = max(largest, daemon.known.count)
        }
        #expect(largest <= ActivityOutbox.maximumKnown + 1)
        #expect(outbox.count <= 1_000 + 2)
    }

    @Test("an activity that is to be forgotten and becomes current again is not lost")
    func comesBack() {
        var outbox = ActivityOutbox()
        var daemon = ModelDaemon()
        let ids = (0..<66).map { _ in ActivityID.random() }
        for id in ids.dropLast() {
            outbox.becomeCurrent(id, description(id, "T"))
            if let action = outbox.next() { daemon.take(action) }
        }
        // The first is on its way out.
        outbox.becomeCurrent(ids[0], description(ids[0], "back"))
        while let action = outbox.next() { daemon.take(action) }
        #expect(daemon.current == description(ids[0], "back"))
        #expect(daemon.known.contains(ids[0].rawValue))
        outbox.becomeCurrent(ids[65], description(ids[65], "T"))
        while let action = outbox.next() { daemon.take(action) }
        // An invalidation that failed while its activity became current again does not come after it.
        outbox.becomeCurrent(ids[1], description(ids[1], "T"))
        outbox.restore(.invalidate(ids[1]))
        while let action = outbox.next() { daemon.take(action) }
        #expect(daemon.current == description(ids[1], "T"))
    }

    @Test("what the daemon refuses is not repeated until it changes, and the one before is not offered instead")
    func refuses() {
        var outbox = ActivityOutbox()
        let (a, b) = (ActivityID.random(), ActivityID.random())
        outbox.becomeCurrent(a, description(a, "A"))
        _ = outbox.next()
        outbox.becomeCurrent(b, description(b, "bad"))
        #expect(outbox.next() == .announce(b, description(b, "bad")))
        outbox.refuse(b)
        #expect(outbox.next() == .resign(a))
        #expect(outbox.next() == nil)
        #expect(outbox.takeSnapshot(limit: 64).map(\.isCurrent) == [false])
        #expect(outbox.next() == nil)
        let isChange = outbox.describe(b, description(b, "good"))
        #expect(isChange)
        #expect(outbox.next() == .announce(b, description(b, "good")))
        // Changed for the worse: it goes on being offered as the daemon knows it.
        _ = outbox.describe(b, description(b, "bad"))
        _ = outbox.next()
        outbox.refuse(b)
        #expect(outbox.next() == nil)
        outbox.becomeCurrent(a, description(a, "A"))
        #expect(outbox.next() == .announce(a, description(a, "A")))
    }

    @Test("only a change of the current activity is announced, and only a change")
    func announcesChanges() {
        var outbox = ActivityOutbox()
        let (a, b) = (ActivityID.random(), ActivityID.random())
        outbox.becomeCurrent(a, description(a, "A"))
        outbox.becomeCurrent(b, description(b, "B"))
        #expect(outbox.next() == .announce(b, description(b, "B")))
        let changes = [
            outbox.describe(b, description(b, "B")), outbox.describe(a, description(a, "A2")),
            outbox.describe(.random(), description(a, "C")),
        ]
        #expect(changes == [false, false, false])
        #expect(outbox.next() == nil)
        let isChange = outbox.describe(b, description(b, "B2"))
        #expect(isChange)
        #expect(outbox.next() == .describe(b, description(b, "B2")))
        outbox.becomeCurrent(a, description(a, "A2"))
        #expect(outbox.next() == .announce(a, description(a, "A2")))
    }

    @Test("what another device continued is not announced again before the app makes it current or changes it (H-41)")
    func continuedElsewhere() {
        var outbox = ActivityOutbox()
        let id = ActivityID.random()
        outbox.becomeCurrent(id, description(id, "A"))
        _ = outbox.next()
        // A change on its way does not make it current again.
        _ = outbox.describe(id, description(id, "A2"))
        outbox.continuedElsewhere(id)
        #expect(outbox.next() == nil)
        // Nor does a daemon that was restarted hear that it is.
        #expect(outbox.takeSnapshot(limit: 64).map(\.isCurrent) == [false])
        let isSame = outbox.describe(id, description(id, "A2"))
        #expect(!isSame && outbox.next() == nil)
        // The person goes on here.
        let isNews = outbox.describe(id, description(id, "A3"))
        #expect(isNews)
        #expect(outbox.next() == .announce(id, description(id, "A3")))
        // Unless another one took its place, or it was resigned.
        outbox.continuedElsewhere(id)
        let other = ActivityID.random()
        outbox.becomeCurrent(other, description(other, "B"))
        _ = outbox.next()
        let isStill = outbox.describe(id, description(id, "A5"))
        #expect(!isStill)
        outbox.continuedElsewhere(other)
        outbox.resign(other)
        let isAgain = outbox.describe(other, description(other, "B2"))
        #expect(!isAgain)
        outbox.becomeCurrent(id, description(id, "A4"))
        // Made current before the notice came: it holds.
        outbox.continuedElsewhere(id)
        #expect(outbox.next() == .announce(id, description(id, "A4")))
        outbox.continuedElsewhere(id)
        outbox.restore(.announce(id, description(id, "A4")))
        #expect(outbox.next() == nil)
    }

    @Test("a snapshot for a new daemon holds the newest activities and marks the current one")
    func snapshots() {
        var outbox = ActivityOutbox()
        let ids = (0..<100).map { _ in ActivityID.random() }
        for id in ids { outbox.becomeCurrent(id, description(id, "T")) }
        let snapshot = outbox.takeSnapshot(limit: 64)
        #expect(snapshot.map(\.description.activityID) == ids.suffix(64).map(\.rawValue))
        #expect(snapshot.filter(\.isCurrent).map(\.description.activityID) == [ids[99].rawValue])
        #expect(outbox.next() == nil)
    }

    @Test("the daemon ends up knowing what is, whatever is lost on the way", arguments: [1, 2, 3, 4, 5] as [UInt64])
    func converges(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<400 {
            var outbox = ActivityOutbox()
            var daemon = ModelDaemon()
            var truth = ModelDaemon()
            let ids = (0..<4).map { _ in ActivityID.random(using: &random) }
            var invalid: Set<ActivityID> = []
            for step in 0..<60 {
                let id = ids.randomElement(using: &random) ?? ids[0]
                switch Int.random(in: 0..<8, using: &random) {
                case 0...2 where !invalid.contains(id):
                    truth.current = description(id, "\(step)")
                    outbox.becomeCurrent(id, description(id, "\(step)"))
                case 3:
                    if truth.current?.activityID == id.rawValue { truth.current = description(id, "\(step)") }
                    _ = outbox.describe(id, description(id, "\(step)"))
                case 4:
                    if truth.current?.activityID == id.rawValue { truth.current = nil }
                    outbox.resign(id)
                case 5 where invalid.count < 3:
                    if truth.current?.activityID == id.rawValue { truth.current = nil }
                    invalid.insert(id)
                    outbox.invalidate(id)
                case 6:
                    daemon = ModelDaemon(snapshot: outbox.takeSnapshot(limit: 64))
                default:
                    guard let action = outbox.next() else { continue }
                    if Bool.random(using: &random) { daemon.take(action) } else { outbox.restore(action) }
                }
            }
            while let action = outbox.next() { daemon.take(action) }
            #expect(daemon.current == truth.current, "seed \(seed)")
            #expect(daemon.known.isDisjoint(with: invalid.map(\.rawValue)), "seed \(seed)")
        }
    }
}

/// A model of the daemon's reactions.
private struct ModelDaemon {
    var current: ActivityOutbox.Description?
    var known: Set<String> = []

    init() {}

    init(snapshot: [(description: ActivityOutbox.Description, isCurrent: Bool)]) {
        known = Set(snapshot.map(\.description.activityID))
        current = snapshot.first(where: \.isCurrent)?.description
    }

    mutating func take(_ action: ActivityOutbox.Action) {
        switch action {
        case .announce(let id, let description):
            known.insert(id.rawValue)
            current = description
        case .describe(let id, let description):
            if current?.activityID == id.rawValue { current = description }
        case .resign(let id):
            if current?.activityID == id.rawValue { current = nil }
        case .invalidate(let id):
            known.remove(id.rawValue)
            if current?.activityID == id.rawValue { current = nil }
        }
    }
}

private func description(_ id: ActivityID, _ title: String) -> ActivityOutbox.Description {
    .with {
        $0.activityID = id.rawValue
        $0.title = title
    }
}
