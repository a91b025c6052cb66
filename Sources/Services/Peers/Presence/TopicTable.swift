import BatonConcurrency
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Synchronization

/// The topics of this device and of the connected ones, as presence keeps them under its lock.
struct TopicTable {
    private struct Heard {
        var incarnation: UInt64
        var version: UInt64
        var value: Data
    }

    /// This device's values. Bound: the topics that this software publishes.
    private(set) var published: [String: Baton_Link_V1_TopicValue] = [:]
    private(set) var followers: [TopicFollower] = []
    /// The values of connected devices. Bound: the topics that are followed here, each with its limit.
    private var heard: [DeviceID: [String: Heard]] = [:]

    mutating func publish(_ value: Data, on topic: String) -> Baton_Link_V1_TopicValue {
        let message = Baton_Link_V1_TopicValue.with {
            $0.topic = topic
            $0.version = (published[topic]?.version ?? 0) + 1
            $0.value = value
        }
        published[topic] = message
        return message
    }

    /// - Parameter connected: the devices that are connected now.
    mutating func add(_ follower: TopicFollower, connected: some Sequence<DeviceID>) {
        followers.append(follower)
        follower.tell { queue in
            for device in connected {
                queue.connected(device)
                if let known = heard[device]?[follower.topic] { queue.value(known.value, of: device) }
            }
        }
    }

    mutating func remove(_ follower: TopicFollower) { followers.removeAll { $0 === follower } }

    /// The largest value of a topic; nil for one without a follower, whose values are ignored.
    func limit(of topic: String) -> Int? { followers.lazy.filter { $0.topic == topic }.map(\.limit).max() }

    func connected(_ device: DeviceID) {
        for follower in followers { follower.tell { $0.connected(device) } }
    }

    mutating func disconnected(_ device: DeviceID) {
        heard[device] = nil
        for follower in followers { follower.tell { $0.disconnected(device) } }
    }

    /// A connected device sent a value.
    mutating func received(_ message: Baton_Link_V1_TopicValue, from device: DeviceID, incarnation: UInt64) {
        // It comes again when the pair has moved to another stream.
        if let known = heard[device]?[message.topic] {
            guard (incarnation, message.version) > (known.incarnation, known.version) else { return }
        }
        heard[device, default: [:]][message.topic] = Heard(
            incarnation: incarnation, version: message.version, value: message.value)
        for follower in followers where follower.topic == message.topic {
            follower.tell { $0.value(message.value, of: device) }
        }
    }
}

/// The newest value of each topic that came on one stream and that was not looked at yet. Bound: the topics that are
/// followed here.
final class TopicInbox: Sendable {
    private let latest = Mailbox<[String: Baton_Link_V1_TopicValue]>([:])

    var signal: AsyncStream<Void> { latest.changes }

    func put(_ value: Baton_Link_V1_TopicValue) { latest.post { $0[value.topic] = value } }

    func take() -> [Baton_Link_V1_TopicValue] { Array(latest.take(leaving: [:]).values) }
}
