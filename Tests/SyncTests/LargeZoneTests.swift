import BatonCore
import BatonTestSupport
import BatonTransport
import BatonWire
import Foundation
import SwiftProtobuf
import Synchronization
import Testing

@testable import Sync

@Suite("Large zones", .timeLimit(.minutes(2))) struct LargeZoneTests {
    private let folder: TemporaryDirectory
    private let neighbourhood = Neighbourhood()

    init() throws { folder = try TemporaryDirectory() }

    @Test("Two near devices with 100,000 items exchange what differs, and a few kilobytes to find it")
    func near() async throws {
        let full = ItemSource()
        full.fill((0..<100_000).lazy.map { "item \($0)" }, stamp: 1, isPending: false) { _ in (Data([7]), []) }
        let other = ItemSource(copy: full)
        let changed = (0..<5).map { "item \($0 * 19_937)" }
        for name in changed { full.set([name: Data("here".utf8)], stamp: 2) }
        for number in 0..<4 { other.set(["new \(number)": Data("there".utf8)], stamp: 3) }
        other.set(["item 77": nil], stamp: 4)
        let accounts = try await AccountDevice.household(2, in: folder)
        let here = try await NearDevice(accounts[0], in: neighbourhood, source: full)
        let there = try await NearDevice(accounts[1], in: neighbourhood, source: other)
        for source in [full, other] { source.changed.withLock { $0 = { [neighbourhood] in neighbourhood.changed() } } }
        try await neighbourhood.running([here, there], asking: [here]) {
            try await neighbourhood.until {
                try await full.digest(of: ItemSource.zone) == other.digest(of: ItemSource.zone)
            }
        }
        #expect(full.contents == other.contents)
        #expect(full.count == 100_004)
        #expect(full.entry("item 77")?.content == nil)
        #expect(changed.allSatisfy { other.entry($0)?.content == Data("here".utf8) })
        let bytes = neighbourhood.calls.reduce(0) { $0 + $1.size }
        #expect(bytes < 16 << 10, "it took \(bytes) bytes")
        #expect(neighbourhood.calls.count < 20)
    }

    @Test("A device that has nothing gets all of it, whoever asks", arguments: [true, false])
    func empty(asksEmpty: Bool) async throws {
        let full = ItemSource()
        full.fill(
            (0..<10_000).lazy.map { "item \($0) " + String(repeating: "n", count: 40) }, stamp: 1, isPending: false
        ) {
            _ in (Data(count: 100), [])
        }
        let none = ItemSource()
        let accounts = try await AccountDevice.household(2, in: folder)
        let here = try await NearDevice(accounts[0], in: neighbourhood, source: full)
        let there = try await NearDevice(accounts[1], in: neighbourhood, source: none)
        none.changed.withLock { $0 = { [neighbourhood] in neighbourhood.changed() } }
        try await neighbourhood.running([here, there], asking: [asksEmpty ? there : here]) {
            try await neighbourhood.until { none.count == 10_000 }
        }
        #expect(none.contents == full.contents)
        #expect(neighbourhood.calls.allSatisfy { $0.size < 4 << 20 })
    }

    @Test("What changes after an exchange is brought without a look at the rest, and what else differs is found too")
    func afterwards() async throws {
        let full = ItemSource()
        full.fill((0..<1000).lazy.map { "item \($0)" }, stamp: 1, isPending: false) { _ in (Data([7]), []) }
        let other = ItemSource(copy: full)
        full.set(["item 1": Data("first".utf8)], stamp: 2)
        let accounts = try await AccountDevice.household(2, in: folder)
        let here = try await NearDevice(accounts[0], in: neighbourhood, source: full)
        let there = try await NearDevice(accounts[1], in: neighbourhood, source: other)
        let comparisons: @Sendable () -> Int = { [neighbourhood] in
            neighbourhood.calls.count { $0.path == SyncMethods.compareRanges.path }
        }
        let areSame: @Sendable () async throws -> Bool = {
            try await full.digest(of: ItemSource.zone) == other.digest(of: ItemSource.zone)
        }
        for source in [full, other] { source.changed.withLock { $0 = { [neighbourhood] in neighbourhood.changed() } } }
        try await neighbourhood.running([here, there], asking: [here]) {
            try await neighbourhood.until(areSame)
            let first = comparisons()
            #expect(first > 0)
            full.set(["item 2": Data("second".utf8), "new": Data("third".utf8)], stamp: 3)
            here.sync.changed(ItemSource.zone)
            try await neighbourhood.until(areSame)
            #expect(comparisons() == first)
            // This device does not hear of the first one.
            other.set(["item 3": Data("fourth".utf8)], stamp: 4)
            full.set(["item 4": Data("fifth".utf8)], stamp: 5)
            here.sync.changed(ItemSource.zone)
            try await neighbourhood.until(areSame)
            #expect(comparisons() > first)
        }
        #expect(full.contents == other.contents)
    }

    @Test("Ranges that cannot be are refused")
    func malformed() async throws {
        let accounts = try await AccountDevice.household(2, in: folder)
        let here = try await NearDevice(accounts[0], in: neighbourhood, source: ItemSource())
        let there = try await NearDevice(accounts[1], in: neighbourhood, source: ItemSource())
        try await neighbourhood.running([here, there], asking: []) {
            let range = Baton_Link_V1_RangeDigests.with { $0.sums = Array(repeating: 0, count: 16) }
            var odd = [range, range, range, range]
            odd[0].range.depth = 16
            odd[1].range.depth = 15
            odd[2].range.start = 1
            odd[3].sums = [1]
            for range in odd {
                let refusal = await neighbourhood.refusal(
                    SyncMethods.compareRanges,
                    .with {
                        $0.zone = ItemSource.zone.message
                        $0.ranges = [range]
                    }, by: .device(here.id), at: there.id)
                #expect(refusal?.reason == "malformed_range")
            }
            let refusal = await neighbourhood.refusal(
                SyncMethods.compareRanges,
                .with {
                    $0.zone = ItemSource.zone.message
                    $0.ranges = Array(repeating: range, count: 1001)
                }, by: .device(here.id), at: there.id)
            #expect(refusal?.reason == "too_many_ranges")
        }
    }

    @Test("A member that names one range a thousand times has it looked at once")
    func repeated() async throws {
        let accounts = try await AccountDevice.household(2, in: folder)
        let source = ItemSource()
        source.set(["a": Data([1]), "b": Data([2])], stamp: 1)
        let here = try await NearDevice(accounts[0], in: neighbourhood, source: ItemSource())
        let there = try await NearDevice(accounts[1], in: neighbourhood, source: source)
        try await neighbourhood.running([here, there], asking: []) {
            let answer = try await neighbourhood.call(
                SyncMethods.exchangeZone,
                .with {
                    $0.zone = ItemSource.zone.message
                    $0.ranges = Array(repeating: ItemRange.all.message, count: 999) + [ItemRange.all.parts[0].message]
                }, by: .device(here.id), at: there.id)
            #expect(answer.items.map(\.name) == ["a", "b"])
        }
        #expect(source.asked == [[.all]])
    }
}
