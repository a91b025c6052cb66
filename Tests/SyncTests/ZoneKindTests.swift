import BatonCore
import Foundation
import KeyValue
import Testing

@testable import Sync

@Suite("Kinds of zones, and their policies") struct ZoneKindTests {
    private static let first = ZoneName.Kind("first")
    private static let second = ZoneName.Kind("second")
    private static let early = ZoneName(kind: first, name: "a")
    private static let late = ZoneName(kind: second, name: "b")

    private func machine(_ policies: [ZoneName.Kind: ZonePolicy]) -> SyncStateMachine {
        var machine = SyncStateMachine(policies: policies)
        for kind in policies.keys.sorted() {
            _ = machine.handle(.added(ZoneName(kind: kind, name: kind == Self.first ? "a" : "b")), now: 1, fraction: 0)
        }
        _ = machine.handle(.configured(true), now: 1, fraction: 0)
        return machine
    }

    @Test("A kind's name is letters, digits and hyphens")
    func names() {
        for name in ["documents", "a", "key-value", "v2", String(repeating: "x", count: 64)] {
            #expect(ZoneName.Kind(rawValue: name)?.rawValue == name)
        }
        for name in ["", "Documents", "a/b", "a b", "ä", String(repeating: "x", count: 65)] {
            #expect(ZoneName.Kind(rawValue: name) == nil)
        }
    }

    @Test("A required kind goes before the kind that requires it, unless it fails; with less priority it is none")
    func prerequisites() {
        var up = machine([
            Self.first: ZonePolicy(priority: 1, requires: [Self.second]),
            Self.second: ZonePolicy(requires: [Self.first]),
        ])
        #expect(up.handle(.connected(heads: [:]), now: 2, fraction: 0) == [.pull(Self.early, nil)])
        _ = up.handle(.pulled(Self.early, .absent(wasThere: false)), now: 3, fraction: 0)
        #expect(up.zones[Self.late]?.operation == nil, "the first is still to be written")
        let actions = up.handle(.failed(Self.early, .zone), now: 4, fraction: 0)
        #expect(actions == [.pull(Self.late, nil)])
    }

    @Test("Zones of the greatest priority go first")
    func priority() {
        var up = machine([
            Self.first: ZonePolicy(requires: []), Self.second: ZonePolicy(priority: 5, requires: []),
        ])
        #expect(
            up.handle(.connected(heads: [:]), now: 2, fraction: 0) == [.pull(Self.late, nil), .pull(Self.early, nil)])
    }

    @Test("Nothing is done for a kind without a source, nor for one whose source was removed; what was under way ends")
    func removed() {
        var up = machine([Self.first: ZonePolicy(requires: [])])
        _ = up.handle(.added(Self.late), now: 2, fraction: 0)
        _ = up.handle(.changed(Self.late), now: 2, fraction: 0)
        #expect(up.zones[Self.late] == nil)
        _ = up.handle(.connected(heads: [:]), now: 2, fraction: 0)
        _ = up.handle(.kindRemoved(Self.first), now: 3, fraction: 0)
        #expect(up.zones[Self.early]?.operation == .pull, "it is still under way")
        #expect(up.handle(.changed(Self.early), now: 4, fraction: 0).isEmpty)
        // Made again meanwhile: one operation at a time, and the result of the one before means nothing.
        _ = up.handle(.kindAdded(Self.first, ZonePolicy(requires: [])), now: 5, fraction: 0)
        #expect(up.handle(.added(Self.early), now: 5, fraction: 0).isEmpty)
        let again = up.handle(.pulled(Self.early, .page(newest: 7, more: false)), now: 6, fraction: 0)
        #expect(again == [.pull(Self.early, nil)])
        _ = up.handle(.removed(Self.early), now: 7, fraction: 0)
        let last = up.handle(.pulled(Self.early, .page(newest: 7, more: false)), now: 8, fraction: 0)
        #expect(last == [.forget(Self.early)], "that it was read is forgotten when nothing of it is under way")
        #expect(up.zones.isEmpty)
        #expect(up.nextWake == nil)
    }

    @Test("10,000 items in full batches wait for no throttle; an app's store is throttled as it was")
    func bulk() {
        for (policy, isSlow) in [(ZonePolicy(requires: []), false), (ZonePolicy.sparing, true)] {
            var up = machine([Self.first: policy])
            _ = up.handle(.connected(heads: [:]), now: 2, fraction: 0)
            _ = up.handle(.pulled(Self.early, .absent(wasThere: false)), now: 2, fraction: 0)
            var now: UInt64 = 2
            var version: UInt64 = 0
            for _ in 0..<100 {
                if up.zones[Self.early]?.operation != .push { now = max(now, up.nextWake ?? now) }
                _ = up.handle(.woke, now: now, fraction: 0)
                version += 100
                _ = up.handle(.pushed(Self.early, .written(newest: version, count: 100)), now: now, fraction: 0)
            }
            #expect((now > 10_000) == isSlow)
        }
    }
}
