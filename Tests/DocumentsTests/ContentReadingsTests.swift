import BatonConcurrency
import BatonCore
import BatonWire
import Dispatch
import FileSync
import Foundation
import SwiftProtobuf
import Sync
import Testing

@testable import Documents

/// What one device of the account may ask of another one at once (D-36).
@Suite("Readings of contents by other devices", .timeLimit(.minutes(1))) struct ContentReadingsTests {
    private static let bytes = Data(repeating: 7, count: 40_000)

    /// The container of a device, with a file that it has taken in.
    private static func written(
        by device: NearDocuments.Device, in world: NearDocuments
    ) async throws -> ContainerEngine {
        try device.write(bytes, "file.bin")
        let container = try #require(device.container)
        try await world.until("it to be taken in") {
            try await container.perform { $0.planner.state.entries.ids.contains { _ in true } }
        }
        return container
    }

    @Test("a device that reads without end is refused what is beyond its bound; others, and later readings, are not")
    func bound() async throws {
        let world = try NearDocuments()
        let device = try await world.add("B")
        let greedy = DeviceID(unchecked: String(repeating: "C", count: 26))
        let other = DeviceID(unchecked: String(repeating: "D", count: 26))
        try await world.run([device]) {
            let container = try await Self.written(by: device, in: world)
            let name = try await container.perform { container -> Baton_Link_V1_ContentName? in
                let entries = container.planner.state.entries
                guard let id = entries.ids.first(where: { _ in true }), let head = entries[id]?.heads.first else {
                    return nil
                }
                return ContentKey(entry: id, dot: head.key, hash: head.value.hash).message
            }
            let content = try #require(name)
            let request = Baton_Link_V1_ReadContentRequest.with {
                $0.zone = world.zone.message
                $0.content = content
                $0.ranges = [.with { $0.length = UInt32(Self.bytes.count) }]
            }
            let (begun, begin) = AsyncStream.makeStream(of: Void.self)
            let end = OneShot()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<DocumentLinkHarness.readings {
                    group.addTask {
                        try await device.harness.read(request, for: greedy) { _ in
                            begin.yield()
                            await end.wait()
                        }
                    }
                }
                var waiting = begun.makeAsyncIterator()
                for _ in 0..<DocumentLinkHarness.readings { await waiting.next() }
                let refusal = await #expect(throws: BatonError.self) {
                    try await device.harness.read(request, for: greedy) { _ in }
                }
                #expect(refusal?.code == .resourceExhausted && refusal?.reason == "too_many_readings")
                var came = Data()
                try await device.harness.read(request, for: other) { came += $0.data }
                #expect(came == Self.bytes)
                end.fire()
                try await group.waitForAll()
            }
            try await device.harness.read(request, for: greedy) { _ in }
        }
    }

    /// A device of the account that has written a file, and a request of each kind for its content.
    private struct Asked: Sendable {
        enum Kind: CaseIterable { case find, runs, keep }

        let find: Baton_Link_V1_FindContentsRequest
        let runs: Baton_Link_V1_ReadRunsRequest
        let keep: Baton_Link_V1_KeepContentsRequest

        init(_ world: NearDocuments, _ container: ContainerEngine) async throws {
            let asked = try await container.perform { container -> Baton_Link_V1_ContentToKeep? in
                let entries = container.planner.state.entries
                guard let id = entries.ids.first(where: { _ in true }), let entry = entries[id],
                    let head = entry.heads.first
                else { return nil }
                let encoded = try container.keeping.encoded(entry)
                return .with {
                    $0.content = ContentKey(entry: id, dot: head.key, hash: head.value.hash).message
                    $0.entry = encoded
                }
            }
            let content = try #require(asked)
            let zone = world.zone.message
            find = .with { ($0.zone, $0.contents) = (zone, [content.content]) }
            runs = .with { ($0.zone, $0.hashes) = (zone, [content.content.hash]) }
            keep = .with { ($0.zone, $0.contents) = (zone, [content]) }
        }

        func ask(_ kind: Kind, _ harness: DocumentLinkHarness, for device: DeviceID) async throws {
            switch kind {
            case .find: _ = try await harness.find(find, for: device)
            case .runs: _ = try await harness.readRuns(runs, for: device)
            case .keep: _ = try await harness.keep(keep, for: device)
            }
        }
    }

    @Test("calls of one device beyond those that it may have under way are refused; those of others are not")
    func calls() async throws {
        let world = try NearDocuments()
        let device = try await world.add("B")
        let greedy = DeviceID(unchecked: String(repeating: "C", count: 26))
        let other = DeviceID(unchecked: String(repeating: "D", count: 26))
        try await world.run([device]) {
            let container = try await Self.written(by: device, in: world)
            let asked = try await Asked(world, container)
            for kind in Asked.Kind.allCases {
                try await Self.expectBound(of: kind, asked, device.harness, on: container, for: greedy, beside: other)
            }
        }
    }

    /// Nothing is answered while the container's threads are held, so the first answers are refusals.
    private static func expectBound(
        of kind: Asked.Kind, _ asked: Asked, _ harness: DocumentLinkHarness, on container: ContainerEngine,
        for greedy: DeviceID, beside other: DeviceID
    ) async throws {
        let (gate, holding) = (DispatchSemaphore(value: 0), [OneShot(), OneShot()])
        // Without the bound nothing is refused: then the calls are answered after this, and the test fails.
        let hold: @Sendable (Int) -> Void = { number in
            holding[number].fire()
            _ = gate.wait(timeout: .now() + 20)
        }
        async let engine: Void = container.perform { _ in hold(0) }
        async let disk: Void = container.writer.io.run { hold(1) }
        for thread in holding { await thread.wait() }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            func ask(_ device: DeviceID) {
                group.addTask {
                    do {
                        try await asked.ask(kind, harness, for: device)
                        return true
                    } catch let error as BatonError where error.reason == "too_many_calls" {
                        return false
                    }
                }
            }
            for _ in 0..<DocumentLinkHarness.callsAtOnce + 3 { ask(greedy) }
            for _ in 0..<3 { #expect(try await group.next() == false) }
            ask(other)
            for _ in holding { gate.signal() }
            var answered = 0
            while let isAnswered = try await group.next() { answered += isAnswered ? 1 : 0 }
            #expect(answered == DocumentLinkHarness.callsAtOnce + 1)
        }
        _ = try await (engine, disk)
        try await asked.ask(kind, harness, for: greedy)
    }
}
