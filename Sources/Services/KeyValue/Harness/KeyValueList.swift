import BatonCore
import BatonWire
import SwiftProtobuf

/// The list of a store's contents for people.
enum KeyValueList {
    static func item(
        _ key: String, _ slot: KeyValueReplica.Slot?, name: (DeviceID) -> String
    ) -> Baton_Control_V1_KeyValueItem {
        .with {
            $0.key = key
            guard let slot else { return }
            if let value = slot.entry.value { $0.value = .init(value) }
            $0.changed = slot.entry.stamp.time.milliseconds
            if slot.entry.stamp.device != KeyValueReplica.nobody {
                $0.deviceID = slot.entry.stamp.device.rawValue
                $0.deviceName = name(slot.entry.stamp.device)
            }
            $0.waiting = slot.isPending
        }
    }
}

extension KeyValueService {
    /// The list entries due to a command, without removals at first.
    func list(
        for subscriber: KeyValueSubscriber, name: @escaping @Sendable (DeviceID) -> String
    ) async throws -> [Baton_Control_V1_KeyValueList] {
        try await commitQueue.perform { transaction in
            guard let kept = try transaction.find(subscriber.grant.store) else { throw StoreTransaction.unknown }
            let slots = kept.replica.slots
            let items: [Baton_Control_V1_KeyValueItem]
            switch subscriber.takeDue() {
            case .everything:
                items = slots.filter { $0.value.entry.value != nil }.sorted { $0.key < $1.key }
                    .map { KeyValueList.item($0.key, $0.value, name: name) }
            case .keys(let keys):
                if keys.isEmpty { return [] }
                items = keys.keys.sorted().map { KeyValueList.item($0, slots[$0], name: name) }
            }
            let isSynced: Bool = if case .synced = kept.replica.phase { true } else { false }
            let groups = KeyValueNews.groups(items)
            return groups.enumerated().map { index, group in
                .with {
                    $0.store = subscriber.grant.store.rawValue
                    $0.items = group
                    $0.more = index < groups.count - 1
                    $0.synced = isSynced
                }
            }
        }
    }
}
