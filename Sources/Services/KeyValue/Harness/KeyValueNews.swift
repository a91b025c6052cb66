import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// A process's updates of its store, in messages of limited size.
struct KeyValueNews {
    /// Limit of the entries of one message; a larger entry has a message of its own.
    static let maximumBytes = 1 << 20

    private let kept: StoreTransaction.Kept
    private let grant: KeyValueGrant

    init(_ kept: StoreTransaction.Kept, _ grant: KeyValueGrant) {
        self.kept = kept
        self.grant = grant
    }

    func parts(_ due: KeyValueSubscriber.PendingUpdate) -> [Baton_App_V1_KeyValueNews] {
        let slots = kept.replica.slots
        switch due {
        case .everything:
            let entries = slots.sorted { $0.key < $1.key }.map { KeyValueWire.message($0.key, $0.value, reason: nil) }
            return split(entries, isSnapshot: true)
        case .keys(let keys):
            if keys.isEmpty { return [] }
            let entries = keys.sorted { $0.key < $1.key }.map {
                KeyValueWire.message($0.key, slots[$0.key], reason: $0.value)
            }
            return split(entries, isSnapshot: false)
        }
    }

    private func split(_ entries: [Baton_App_V1_KeyValueEntry], isSnapshot: Bool) -> [Baton_App_V1_KeyValueNews] {
        var parts: [Baton_App_V1_KeyValueNews] = []
        for group in Self.groups(entries) {
            parts.append(
                .with {
                    $0.profile = Baton_App_V1_KeyValueProfile(grant.limits.profile)
                    $0.era = kept.replica.era
                    $0.snapshot = isSnapshot
                    $0.entries = group
                    $0.more = true
                    $0.revision = kept.revision
                })
        }
        parts[parts.count - 1].more = false
        return parts
    }

    /// At least one, which may be empty.
    static func groups<Element: Message>(_ elements: [Element]) -> [[Element]] {
        var groups: [[Element]] = [[]]
        var bytes = 0
        for element in elements {
            let size = (try? (element.serializedBytes() as [UInt8]).count) ?? 0
            if bytes + size > maximumBytes, !groups[groups.count - 1].isEmpty {
                groups.append([])
                bytes = 0
            }
            groups[groups.count - 1].append(element)
            bytes += size
        }
        return groups
    }
}
