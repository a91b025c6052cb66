import BatonCore
import FileSync
import Foundation
import Sync
import Testing

@testable import Documents

/// Issue 30, folders: contents for which another device has no room keep no other ones waiting.
@Suite("Turns in which contents are asked to be kept", .timeLimit(.minutes(1))) struct AskingTurnsTests {
    @Test("what was refused is asked for again after all others, the smallest first")
    func turns() {
        var turns = AskingTurns<Int>()
        let waiting = Array(1...6)
        func size(_ key: Int) -> UInt64 { UInt64(10 - key) }
        #expect(turns.open(waiting, size: size) == waiting)
        let hasMore = turns.refuse([1, 2, 3], of: waiting)
        #expect(hasMore)
        #expect(turns.open(waiting, size: size) == [6, 5, 4])
        #expect(turns.open(waiting + [7], size: size) == [7, 6, 5, 4], "what is new")
        let hasLast = turns.refuse([4, 5, 6], of: waiting)
        #expect(!hasLast)
        #expect(turns.open(waiting, size: size) == [6, 5, 4, 3, 2, 1])
        #expect(turns.open(waiting, size: size) == waiting, "a new turn")
        #expect(turns.open([], size: size).isEmpty)
    }

    @Test("files that fit come although many wait that the other device has no room for (D-36)")
    func room() async throws {
        let world = try NearDocuments()
        world.set(largestKept: 10_000)
        let one = try await world.add("B")
        let other = try await world.add("C")
        var random = SystemRandomNumberGenerator()
        func bytes(_ count: Int) -> Data { Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }) }
        for number in 0..<100 { try one.write(bytes(10_100), "large\(number)") }
        let small = (0..<12).map { "small\($0)" }
        for name in small { try one.write(bytes(5000), name) }
        try await world.run([one, other]) {
            try await world.until("what fits to come") { small.allSatisfy { other.read($0) != nil } }
            #expect(other.read("large0") == nil)
            world.set(largestKept: .max)
            try await world.until("the others to come once there is room") {
                (0..<100).allSatisfy { other.read("large\($0)") != nil }
            }
        }
        for device in [one, other] { for container in device.service.running { await container.stop() } }
    }
}
