import BatonConcurrency
package import BatonCore
import Foundation
import OrderedCollections
import Synchronization

/// One thing that the follower of a topic learns of a device.
package enum PresenceTopicUpdate<Value: Sendable>: Sendable {
    case connected(DeviceID)
    /// The device's latest value. It comes between `connected` and `disconnected`.
    case value(Value, of: DeviceID)
    /// The device's value is gone.
    case disconnected(DeviceID)
}

extension PresenceTopicUpdate: Equatable where Value: Equatable {}

/// The updates that wait for a follower of a topic. Bounded: at most three updates for each device, since a newer value takes the
/// place of one that was not read yet.
struct TopicQueue: Sendable {
    private struct Waiting {
        var disconnected = false
        var connected = false
        var value: Data?
        var isEmpty: Bool { !disconnected && !connected && value == nil }
    }

    /// Those with something to read; the one that has waited longest comes first.
    private var devices: OrderedDictionary<DeviceID, Waiting> = [:]

    mutating func connected(_ device: DeviceID) {
        change(device) {
            $0.connected = true
            $0.value = nil
        }
    }

    mutating func value(_ value: Data, of device: DeviceID) { change(device) { $0.value = value } }

    mutating func disconnected(_ device: DeviceID) {
        change(device) { waiting in
            // The end of a connection that was never reported need not be reported.
            waiting = Waiting(disconnected: waiting.disconnected || !waiting.connected)
        }
    }

    private mutating func change(_ device: DeviceID, _ body: (inout Waiting) -> Void) {
        body(&devices[device, default: Waiting()])
        if devices[device]?.isEmpty == true { devices[device] = nil }
    }

    mutating func next() -> PresenceTopicUpdate<Data>? {
        guard !devices.isEmpty else { return nil }
        var (device, waiting) = devices.removeFirst()
        let update: PresenceTopicUpdate<Data>
        if waiting.disconnected {
            waiting.disconnected = false
            update = .disconnected(device)
        } else if waiting.connected {
            waiting.connected = false
            update = .connected(device)
        } else {
            update = .value(waiting.value ?? Data(), of: device)
            waiting.value = nil
        }
        // One update for each device in turn: a device that sends much does not keep the others waiting.
        if !waiting.isEmpty { devices[device] = waiting }
        return update
    }
}

/// A follower of one topic.
final class TopicFollower: Sendable {
    let topic: String
    let limit: Int
    private let queue = Mailbox(TopicQueue())

    init(topic: String, limit: Int) {
        self.topic = topic
        self.limit = limit
    }

    func tell(_ change: (inout TopicQueue) -> Void) { queue.post(change) }

    /// Waits for the next update; nil when the task is cancelled.
    func next() async -> PresenceTopicUpdate<Data>? {
        if let update = queue.withLock({ $0.next() }) { return update }
        for await _ in queue.changes {
            if let update = queue.withLock({ $0.next() }) { return update }
        }
        return nil
    }
}
