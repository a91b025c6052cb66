import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

@testable import Peers

@Suite("Presence topics")
struct TopicQueueTests {
    private static let first = DeviceID(unchecked: String(repeating: "A", count: 26))
    private static let second = DeviceID(unchecked: String(repeating: "B", count: 26))

    private static func drain(_ queue: inout TopicQueue) -> [PresenceTopicUpdate<Data>] {
        var updates: [PresenceTopicUpdate<Data>] = []
        while let update = queue.next() { updates.append(update) }
        return updates
    }

    @Test func `a newer value takes the place of one that was not read, after the connection`() {
        var queue = TopicQueue()
        queue.connected(Self.first)
        for byte: UInt8 in 1...3 { queue.value(Data([byte]), of: Self.first) }
        #expect(Self.drain(&queue) == [.connected(Self.first), .value(Data([3]), of: Self.first)])
        #expect(queue.next() == nil)
    }

    @Test func `a device that came back is first told as gone, and its old value is not told`() {
        var queue = TopicQueue()
        queue.connected(Self.first)
        _ = Self.drain(&queue)
        queue.value(Data([1]), of: Self.first)
        queue.disconnected(Self.first)
        queue.connected(Self.first)
        queue.value(Data([2]), of: Self.first)
        #expect(
            Self.drain(&queue) == [
                .disconnected(Self.first), .connected(Self.first), .value(Data([2]), of: Self.first),
            ])
    }

    @Test func `a connection that was over before anybody heard of it is not told`() {
        var queue = TopicQueue()
        queue.connected(Self.first)
        queue.value(Data([1]), of: Self.first)
        queue.disconnected(Self.first)
        #expect(queue.next() == nil)
    }

    @Test func `a device that talks much does not keep another one waiting`() {
        var queue = TopicQueue()
        for device in [Self.first, Self.second] {
            queue.connected(device)
            queue.value(Data([1]), of: device)
        }
        #expect(queue.next() == .connected(Self.first))
        #expect(queue.next() == .connected(Self.second))
        #expect(queue.next() == .value(Data([1]), of: Self.first))
        queue.value(Data([2]), of: Self.first)
        #expect(queue.next() == .value(Data([1]), of: Self.second))
        #expect(queue.next() == .value(Data([2]), of: Self.first))
    }

    /// However slowly it is read, a device's updates alternate as they must, and the last one is the present state.
    @Test(arguments: 0..<UInt64(200)) func `random schedules end with what holds`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = TopicQueue()
        var truth: [DeviceID: Data?] = [:]
        var told: [DeviceID: Data?] = [:]
        func read() {
            guard let update = queue.next() else { return }
            switch update {
            case .connected(let device):
                #expect(told[device] == nil)
                told[device] = .some(nil)
            case .value(let value, let device):
                #expect(told[device] != nil)
                told[device] = value
            case .disconnected(let device):
                #expect(told[device] != nil)
                told[device] = nil
            }
        }
        for step in 0..<300 {
            let device = [Self.first, Self.second][Int.random(in: 0...1, using: &random)]
            switch (truth[device], Int.random(in: 0..<4, using: &random)) {
            case (nil, 0):
                truth[device] = .some(nil)
                queue.connected(device)
            case (.some, 0):
                truth[device] = nil
                queue.disconnected(device)
            case (.some, 1):
                let value = Data("\(step)".utf8)
                truth[device] = value
                queue.value(value, of: device)
            default: read()
            }
        }
        for _ in 0..<16 { read() }
        #expect(queue.next() == nil && told == truth)
    }

    @Test func `the table takes newer versions only, of topics that are followed, and forgets a device that left`()
        async
    {
        var table = TopicTable()
        #expect(table.limit(of: "x") == nil)
        let follower = TopicFollower(topic: "x", limit: 8)
        table.add(follower, connected: [Self.first])
        #expect(table.limit(of: "x") == 8)
        func value(_ version: UInt64, _ byte: UInt8) -> Baton_Link_V1_TopicValue {
            .with {
                $0.topic = "x"
                $0.version = version
                $0.value = Data([byte])
            }
        }
        table.received(value(2, 2), from: Self.first, incarnation: 1)
        #expect(await follower.next() == .connected(Self.first))
        #expect(await follower.next() == .value(Data([2]), of: Self.first))
        // The same again, an older one, and an older incarnation.
        table.received(value(2, 9), from: Self.first, incarnation: 1)
        table.received(value(1, 9), from: Self.first, incarnation: 1)
        table.received(value(9, 9), from: Self.first, incarnation: 0)
        table.received(value(1, 3), from: Self.first, incarnation: 2)
        #expect(await follower.next() == .value(Data([3]), of: Self.first))
        // A later follower hears the present state.
        let late = TopicFollower(topic: "x", limit: 4)
        table.add(late, connected: [Self.first])
        #expect(await late.next() == .connected(Self.first))
        #expect(await late.next() == .value(Data([3]), of: Self.first))
        table.disconnected(Self.first)
        #expect(await follower.next() == .disconnected(Self.first))
        table.received(value(1, 4), from: Self.first, incarnation: 2)
        #expect(await follower.next() == .value(Data([4]), of: Self.first))
        table.remove(follower)
        table.remove(late)
        #expect(table.limit(of: "x") == nil)
    }
}
