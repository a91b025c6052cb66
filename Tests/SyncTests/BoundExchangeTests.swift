import BatonConcurrency
import BatonCore
import BatonTestSupport
import BatonTransport
import BatonWire
import Foundation
import SwiftProtobuf
import Synchronization
import Testing

@testable import Sync

/// How much one device of the account may ask of another one at once (D-36).
@Suite("Exchanges that one device asks for", .timeLimit(.minutes(1))) struct BoundExchangeTests {
    enum Kind: CaseIterable {
        case compareZones, compareRanges, exchangeZone, giveItems
    }

    private let folder: TemporaryDirectory
    private let neighbourhood = Neighbourhood()

    init() throws { folder = try TemporaryDirectory() }

    private func refusal(_ kind: Kind, by caller: DeviceID, at device: DeviceID) async -> BatonError? {
        let (caller, zone) = (CallContext.Peer.device(caller), ItemSource.zone.message)
        return switch kind {
        case .compareZones:
            await neighbourhood.refusal(
                SyncMethods.compareZones, .with { $0.zones = [.with { $0.zone = zone }] }, by: caller, at: device)
        case .compareRanges:
            await neighbourhood.refusal(
                SyncMethods.compareRanges,
                .with {
                    $0.zone = zone
                    $0.ranges = [
                        .with { ($0.range, $0.sums) = (ItemRange.all.message, Array(repeating: 1, count: 16)) }
                    ]
                }, by: caller, at: device)
        case .exchangeZone:
            await neighbourhood.refusal(
                SyncMethods.exchangeZone, .with { ($0.zone, $0.ranges) = (zone, [ItemRange.all.message]) }, by: caller,
                at: device)
        case .giveItems:
            await neighbourhood.refusal(
                SyncMethods.giveItems,
                .with {
                    $0.zone = zone
                    $0.items = [.with { ($0.name, $0.content) = ("item", Data(count: 9)) }]
                }, by: caller, at: device)
        }
    }

    @Test(
        "A device has so many calls of each kind under way here, and others do not wait for it (D-36)",
        arguments: Kind.allCases)
    func bound(kind: Kind) async throws {
        let accounts = try await AccountDevice.household(3, in: folder)
        let source = ItemSource()
        let device = try await NearDevice(accounts[0], in: neighbourhood, source: source)
        let (greedy, other) = (try accounts[1].id, try accounts[2].id)
        // Each call is refused, or comes to the source, which answers none until all have.
        let (events, happened) = AsyncStream.makeStream(of: BatonError?.self)
        let gate = OneShot()
        try await neighbourhood.running([device], asking: []) { [self] in
            source.beforeAnswers.withLock { closure in
                closure = {
                    happened.yield(nil)
                    await gate.wait()
                }
            }
            try await withThrowingTaskGroup(of: BatonError?.self) { group in
                @Sendable func ask(_ caller: DeviceID) async -> BatonError? {
                    let refusal = await refusal(kind, by: caller, at: device.id)
                    if let refusal { happened.yield(refusal) }
                    return refusal
                }
                for _ in 0..<DirectExchangeHarness.callsAtOnce + 3 { group.addTask { await ask(greedy) } }
                var event = events.makeAsyncIterator()
                var reasons: [String] = []
                for _ in 0..<DirectExchangeHarness.callsAtOnce + 3 {
                    if let refusal = try #require(await event.next()) { reasons.append(refusal.reason) }
                }
                #expect(reasons == Array(repeating: "too_many_calls", count: 3))
                group.addTask { await ask(other) }
                let ofOther = try #require(await event.next())
                #expect(ofOther == nil)
                gate.fire()
                var refused = 0
                for try await refusal in group where refusal != nil { refused += 1 }
                #expect(refused == 3)
            }
            let later = await refusal(kind, by: greedy, at: device.id)
            #expect(later == nil)
        }
    }
}
