import BatonConcurrency
import BatonCore
package import BatonWire
import Foundation
import SwiftProtobuf
import Synchronization

/// Topics: devices send each other more than that they are there.
extension PresenceService {
    /// Sends it to every connected device, and to each one that connects later. Where the value before was not sent yet, it is
    /// replaced. Does not wait. A value over the topic's limit is recorded and not sent.
    package func publish<Value>(_ value: Value, on topic: PresenceTopic<Value>) {
        guard let bytes: Data = try? value.serializedBytes(), bytes.count <= topic.limit else {
            return recorder.record(
                "presence", "topic_too_large", "This device's message to the others is too large.",
                ["topic": topic.name])
        }
        state.withLock { state in
            let message = state.topics.publish(bytes, on: topic.name)
            // A device that is no member any more is about to be disconnected.
            for (device, id) in state.current where membership.standing(device) == .member {
                state.outboxes[id]?.post(message)
            }
        }
    }

    /// The connected devices with their latest values, and what changes from now on, in one order for each device. Values
    /// that are superseded before they are read are left out; so is one that cannot be read. To be called before
    /// ``run()``: values of topics without a follower are ignored.
    package func follow<Value>(_ topic: PresenceTopic<Value>) -> AsyncStream<PresenceTopicUpdate<Value>> {
        let follower = TopicFollower(topic: topic.name, limit: topic.limit)
        state.withLock { $0.topics.add(follower, connected: $0.current.keys) }
        return AsyncStream { [weak self] in
            while let update = await follower.next() {
                switch update {
                case .connected(let device): return .connected(device)
                case .disconnected(let device): return .disconnected(device)
                case .value(let bytes, let device):
                    if let value = try? Value(serializedBytes: bytes) { return .value(value, of: device) }
                    self?.recorder.record(
                        "presence", "topic_refused", "A device's message cannot be read and was ignored.",
                        ["topic": topic.name, "device_id": device.rawValue])
                }
            }
            return nil
        } onCancel: { [weak self] in
            self?.state.withLock { $0.topics.remove(follower) }
        }
    }

    /// A value came on an established stream.
    func received(_ value: Baton_Link_V1_TopicValue, from peer: DeviceID, into inbox: TopicInbox) {
        guard let limit = state.withLock({ $0.topics.limit(of: value.topic) }) else { return }
        guard value.value.count <= limit else {
            return recorder.record(
                "presence", "topic_too_large", "A device's message is too large and was ignored.",
                ["topic": value.topic, "device_id": peer.rawValue])
        }
        // Without fields that are not known, since it is kept.
        inbox.put(
            .with {
                $0.topic = value.topic
                $0.version = value.version
                $0.value = value.value
            })
    }

    /// The newest values of a device, at a bounded rate: what was superseded meanwhile is left out.
    func deliver(_ inbox: TopicInbox, of peer: DeviceID, over id: StreamID) async throws {
        var pace = TokenBucket(burst: 50, interval: .milliseconds(4), now: clock.now())
        for await _ in inbox.signal {
            if let time = pace.pace(now: clock.now()) { try await clock.sleep(time) }
            let values = inbox.take()
            state.withLock { state in
                // One that is not connected any more has no values.
                guard state.current[peer] != nil, let incarnation = state.streams[id]?.hello?.incarnation else {
                    return
                }
                for value in values { state.topics.received(value, from: peer, incarnation: incarnation) }
            }
        }
        // The signal ends when this task is cancelled.
        throw CancellationError()
    }
}
