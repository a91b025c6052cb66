import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Testing

@Suite("Ends of continuation streams")
struct StreamEndTests {
    @Test(
        "Nothing is lost or doubled, what is on its way is bounded, a stream ends only if its writer ended it, and both sides finish (H-80)",
        arguments: 0..<8)
    func schedules(part: Int) throws {
        for index in 0..<2000 {
            let seed = UInt64(part) << 32 | UInt64(index)
            var world = StreamWorld(seed: seed)
            do {
                try world.run()
            } catch {
                Issue.record("seed \(seed): \(error)")
                return
            }
        }
    }

    @Test("A writer whose reader does not read is held at the window")
    func window() {
        var end = StreamEnd()
        var sent = 0
        while case let count = end.send(upTo: 1 << 20), count > 0 { sent += count }
        #expect(sent == StreamFrame.window)
        #expect(end.room == 0)
    }

    @Test("A breach of the protocol is refused, and ends the pair with a failure")
    func violations() throws {
        let violations: [(inout StreamEnd) throws -> Void] = [
            { _ = try $0.receivedData(StreamFrame.window + 1) },
            { try $0.receivedCredit(1) },
            { try $0.receivedDone() },
            {
                _ = try $0.receivedEnd()
                _ = try $0.receivedData(1)
            },
            {
                _ = try $0.receivedEnd()
                _ = try $0.receivedEnd()
            },
            {
                _ = try $0.receivedStop()
                _ = try $0.receivedStop()
            },
        ]
        for violate in violations {
            var end = StreamEnd()
            #expect(throws: BatonError.self) { try violate(&end) }
            #expect(end.isBroken)
            #expect(!end.isOutputOpen)
        }
    }

    @Test("A connection that is lost before the end is a failure; after everything was said it is none")
    func loss() throws {
        var cut = StreamEnd()
        cut.connectionClosed()
        #expect(cut.isBroken && !cut.hasReceivedEnd)
        var finished = StreamEnd()
        let (end, done) = (finished.closeOutput(), try finished.receivedEnd())
        #expect(end == [.end] && done == [.done])
        try finished.receivedDone()
        finished.connectionClosed()
        #expect(finished.isFinished)
        #expect(!finished.isBroken)
    }
}

/// Two ends and the frames on their way between them.
private struct StreamWorld {
    private struct Side {
        var end = StreamEnd()
        var wire: [(StreamFrame)] = []
        var sent = 0
        var onWire = 0
        var unread = 0
        var read = 0
        var closedOutput = false
    }

    private var random: SeededGenerator
    private var sides = [Side(), Side()]

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    struct Broken: Error { var what: String }

    mutating func run() throws {
        let breaks = Int.random(in: 0..<10, using: &random) == 0
        for step in 0..<120 {
            if breaks, step == 80 {
                for side in 0...1 { sides[side].end.connectionClosed() }
                break
            }
            try act(Int.random(in: 0...1, using: &random))
        }
        guard !breaks else {
            for side in sides where !side.end.hasReceivedEnd && !side.end.isBroken {
                throw Broken(what: "a stream was cut and nobody was told")
            }
            return
        }
        // Both apps give up what they hold, and what is on its way arrives.
        for side in 0...1 {
            queue(sides[side].end.closeOutput(), side)
            sides[side].closedOutput = true
            queue(sides[side].end.closeInput(), side)
        }
        while try deliver(to: 0) || deliver(to: 1) {}
        for side in sides where !side.end.isFinished { throw Broken(what: "a side has not finished") }
    }

    private mutating func act(_ side: Int) throws {
        switch Int.random(in: 0..<24, using: &random) {
        case 0..<8:
            let count = sides[side].end.send(upTo: Int.random(in: 1...300_000, using: &random))
            guard count > 0 else { return }
            sides[side].sent += count
            queue([.data(count: count)], side)
        case 8..<16: _ = try deliver(to: side)
        case 16..<22:
            guard sides[side].unread > 0 else { return }
            let count = Int.random(in: 1...sides[side].unread, using: &random)
            sides[side].unread -= count
            sides[side].read += count
            queue(sides[side].end.consumed(count), side)
        case 22:
            guard Int.random(in: 0..<6, using: &random) == 0 else { return }
            queue(sides[side].end.closeInput(), side)
            sides[side].unread = 0
        default:
            guard Int.random(in: 0..<6, using: &random) == 0 else { return }
            queue(sides[side].end.closeOutput(), side)
            sides[side].closedOutput = true
        }
        let (near, far) = (sides[side], sides[1 - side])
        guard near.onWire + far.unread <= StreamFrame.window else {
            throw Broken(what: "more than a window is on its way")
        }
    }

    private mutating func queue(_ frames: [StreamFrame], _ side: Int) {
        for frame in frames {
            if case .data(let count) = frame { sides[side].onWire += count }
            sides[side].wire.append(frame)
        }
    }

    /// The oldest frame on its way to a side.
    private mutating func deliver(to side: Int) throws -> Bool {
        let other = 1 - side
        guard !sides[other].wire.isEmpty else { return false }
        switch sides[other].wire.removeFirst() {
        case .data(let count):
            sides[other].onWire -= count
            if try sides[side].end.receivedData(count) { sides[side].unread += count }
        case .credit(let count): try sides[side].end.receivedCredit(count)
        case .end:
            queue(try sides[side].end.receivedEnd(), side)
            let (near, far) = (sides[side], sides[other])
            guard far.closedOutput || far.end.isRefused else { throw Broken(what: "an end that nobody made") }
            guard near.end.isInputClosed || near.read + near.unread == far.sent else {
                throw Broken(what: "bytes were lost before the end")
            }
        case .stop: queue(try sides[side].end.receivedStop(), side)
        case .done: try sides[side].end.receivedDone()
        }
        return true
    }
}
