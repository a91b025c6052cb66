import BatonCore
import BatonWire
import FileSync
import Foundation
import SwiftProtobuf

/// The state that one watcher of a container has been sent, and the changes that it is to be sent.
///
/// Bound: the container's items.
struct ContainerDiff {
    /// Items of one message.
    private static let itemsPerMessage = 500

    /// Where the container is.
    let container: String
    private var told: Set<EntryID> = []

    init(container: String) { self.container = container }

    /// - Parameter items: all that the watcher follows.
    mutating func begin(_ items: [ContainerItem], token: Data) -> [Baton_App_V1_ContainerNews] {
        told = Set(items.map(\.id))
        return messages(items, removed: [], isFirst: true, token)
    }

    /// - Parameter isShown: whether the watcher follows an item.
    /// - Returns: messages; empty where nothing is new.
    mutating func news(
        _ changes: ItemChanges, token: Data, where isShown: (ContainerItem) -> Bool = { _ in true }
    ) -> [Baton_App_V1_ContainerNews] {
        let changed = changes.changed.values.filter(isShown).sorted(by: ContainerItem.isBefore)
        let shown = Set(changed.map(\.id))
        let removed = changes.removed.union(changes.changed.keys).subtracting(shown).intersection(told).sorted()
        told.formUnion(shown)
        told.subtract(removed)
        guard !changed.isEmpty || !removed.isEmpty else { return [] }
        return messages(changed, removed: removed, isFirst: false, token)
    }

    private func messages(
        _ changed: [ContainerItem], removed: [EntryID], isFirst: Bool, _ token: Data
    ) -> [Baton_App_V1_ContainerNews] {
        var messages: [Baton_App_V1_ContainerNews] = []
        var start = 0
        repeat {
            let part = changed[start..<min(start + Self.itemsPerMessage, changed.count)]
            start += Self.itemsPerMessage
            messages.append(
                .with {
                    $0.identityToken = token
                    $0.reset = isFirst && messages.isEmpty
                    $0.changed = part.map { item in
                        DocumentsWire.message(item, created: FileBirth.time("\(container)/\(item.path)"))
                    }
                    $0.removed = messages.isEmpty ? removed.map(EntryCodec.bytes) : []
                    $0.gathered = isFirst && start >= changed.count
                })
        } while start < changed.count
        return messages
    }
}
