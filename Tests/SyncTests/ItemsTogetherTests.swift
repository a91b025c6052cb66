import BatonCore
import BatonTestSupport
import BatonTransport
import BatonWire
import Foundation
import SwiftProtobuf
import Synchronization
import Testing

@testable import Sync

@Suite("Items that have to come together", .timeLimit(.minutes(2))) struct ItemsTogetherTests {
    private static let exchange = SyncMethods.exchangeZone.path

    private let folder: TemporaryDirectory
    private let neighbourhood = Neighbourhood()

    init() throws { folder = try TemporaryDirectory() }

    /// A device that changed two items at once, and one that has both as they were, and may not take one without the other.
    private func pair() async throws -> (
        changed: (device: NearDevice, source: ItemSource), other: (device: NearDevice, source: ItemSource)
    ) {
        let accounts = try await AccountDevice.household(2, in: folder)
        let first = ItemSource()
        first.fill((0..<100).lazy.map { "item \($0)" }, stamp: 1, isPending: false) { _ in (Data([7]), []) }
        let other = ItemSource(copy: first)
        other.together.withLock { $0 = ["item 1": ["item 2", "item 200"], "item 2": ["item 1"]] }
        for source in [first, other] { source.changed.withLock { $0 = { [neighbourhood] in neighbourhood.changed() } } }
        return (
            (try await NearDevice(accounts[0], in: neighbourhood, source: first), first),
            (try await NearDevice(accounts[1], in: neighbourhood, source: other), other)
        )
    }

    private static let news: [String: Data?] = ["item 1": Data("new".utf8), "item 2": Data("new".utf8)]

    @Test("a device that is given one of two items asks for the other one, and takes both in at once (D-5, D-36)")
    func given() async throws {
        let (changed, other) = try await pair()
        changed.source.set(Self.news, stamp: 2)
        let contents = try await changed.source.contents(of: ["item 1"], in: ItemSource.zone)
        try await neighbourhood.running([changed.device, other.device], asking: []) { [neighbourhood] in
            _ = try await neighbourhood.call(
                SyncMethods.giveItems,
                .with {
                    $0.zone = ItemSource.zone.message
                    $0.items = contents.map { name, content in
                        .with {
                            $0.name = name
                            $0.content = content
                        }
                    }
                }, by: .device(changed.device.id), at: other.device.id)
        }
        #expect(other.source.exchangedNames == [["item 1", "item 2"]])
        // What the other device does not have is asked for once.
        #expect(neighbourhood.calls.map(\.path) == [Self.exchange])
    }

    @Test("a device that changed one of two items itself, and asks about that one, gets both at once (D-5, D-36)")
    func asked() async throws {
        let (changed, other) = try await pair()
        let areSame: @Sendable () async throws -> Bool = {
            try await changed.source.digest(of: ItemSource.zone) == other.source.digest(of: ItemSource.zone)
        }
        try await neighbourhood.running([changed.device, other.device], asking: [other.device]) {
            [neighbourhood] in
            // From here on it asks about what it changed itself.
            other.source.set(["new": Data()], stamp: 1)
            other.device.sync.changed(ItemSource.zone)
            try await neighbourhood.until(areSame)
            let before = neighbourhood.calls.count { $0.path == SyncMethods.compareRanges.path }
            changed.source.set(Self.news, stamp: 3)
            other.source.set(["item 1": Data("own".utf8)], stamp: 2)
            other.device.sync.changed(ItemSource.zone)
            try await neighbourhood.until(areSame)
            #expect(neighbourhood.calls.count { $0.path == SyncMethods.compareRanges.path } == before)
        }
        #expect(other.source.exchangedNames == [["item 1", "item 2"]])
    }
}
