import BatonWire
import Foundation
import SwiftProtobuf
import Testing

@testable import Baton

/// An app's calls to its index that wait for the daemon: a pure value.
@Suite struct IndexQueueTests {
    private static func call(_ identifiers: [String], newState: Data? = nil) -> IndexQueue.Call {
        let steps = identifiers.map { identifier in IndexRequest.Step.with { $0.index.uniqueIdentifier = identifier } }
        return IndexQueue.Call(request: IndexRequest(name: "n", steps: steps, newState: newState)) { _ in }
    }

    private static func identifiers(_ batch: IndexQueue.Batch) -> [String] {
        batch.request.steps.map(\.index.uniqueIdentifier)
    }

    // Issue 28, bad input: an app that indexes without end.
    @Test("an app that indexes 200,000 items in a loop has a bound, and what was taken goes out once and in its order")
    func loop() {
        var queue = IndexQueue()
        let taken = (0..<200_000).prefix { queue.add(Self.call(["\($0)"])) }.count
        #expect((20_000...IndexQueue.maximumWaitingSteps).contains(taken))
        var isTaken = queue.add(Self.call(["more"]))
        #expect(!isTaken)
        var sent: [String] = []
        while let batch = queue.next() {
            #expect(batch.request.steps.count <= IndexQueue.maximumSteps && !batch.isPart)
            #expect(batch.request.bytes <= IndexQueue.maximumBytes)
            sent += Self.identifiers(batch)
        }
        #expect(sent == (0..<taken).map(String.init))
        isTaken = queue.add(Self.call(["more"]))
        #expect(isTaken)
    }

    @Test("a large call goes in parts, and its client state with the last; where a part fails the rest is dropped")
    func parts() {
        var queue = IndexQueue()
        let state = Data("s".utf8)
        let names = (0..<4500).map(String.init)
        for call in [Self.call(names, newState: state), Self.call(["after"])] { _ = queue.add(call) }
        var sent: [String] = []
        for count in [2000, 2000, 500] {
            let batch = queue.next()
            #expect(batch?.request.steps.count == count && batch?.isPart == (count == 2000))
            #expect(batch?.request.newState == (count == 2000 ? nil : state))
            sent += batch.map(Self.identifiers) ?? []
        }
        #expect(sent == names)
        var last = queue.next()
        #expect(last.map(Self.identifiers) == ["after"])

        for call in [Self.call(names), Self.call(["after"])] { _ = queue.add(call) }
        last = queue.next()
        #expect(last?.isPart == true)
        queue.dropFirst()
        last = queue.next()
        #expect(last.map(Self.identifiers) == ["after"] && queue.isEmpty)
    }
}
