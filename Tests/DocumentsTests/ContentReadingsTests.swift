import BatonConcurrency
import BatonCore
import BatonWire
import FileSync
import Foundation
import SwiftProtobuf
import Sync
import Testing

@testable import Documents

/// What one device of the account may ask of another one at once (D-36).
@Suite("Readings of contents by other devices", .timeLimit(.minutes(1))) struct ContentReadingsTests {
    @Test("a device that reads without end is refused what is beyond its bound; others, and later readings, are not")
    func bound() async throws {
        let world = try NearDocuments()
        let device = try await world.add("B")
        let greedy = DeviceID(unchecked: String(repeating: "C", count: 26))
        let other = DeviceID(unchecked: String(repeating: "D", count: 26))
        try await world.run([device]) {
            let bytes = Data(repeating: 7, count: 40_000)
            try device.write(bytes, "file.bin")
            let container = try #require(device.container)
            try await world.until("it to be taken in") {
                try await container.perform { $0.planner.state.entries.ids.contains { _ in true } }
            }
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
                $0.ranges = [.with { $0.length = UInt32(bytes.count) }]
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
                #expect(came == bytes)
                end.fire()
                try await group.waitForAll()
            }
            try await device.harness.read(request, for: greedy) { _ in }
        }
    }

    @Test("so many at once for each key, and the others wait for their turn")
    func turns() async {
        let locks = KeyedLocks<String>(atOnce: 2)
        let (begun, begin) = AsyncStream.makeStream(of: Int.self)
        let ends = (0..<3).map { _ in OneShot() }
        await withTaskGroup(of: Void.self) { group in
            var started = begun.makeAsyncIterator()
            for number in 0..<3 {
                group.addTask {
                    await locks.withPermit("a") {
                        begin.yield(number)
                        await ends[number].wait()
                    }
                }
                guard number < 2 else { break }
                let next = await started.next()
                #expect(next == number)
            }
            await locks.withPermit("b") {}
            ends[0].fire()
            let next = await started.next()
            #expect(next == 2)
            for end in ends { end.fire() }
        }
        #expect(!locks.contains("a"))
    }
}
