import BatonCore
import BatonWire
import FileSync
import Foundation
import SwiftProtobuf

/// What one watcher of a container was told, and what it is to be told.
///
/// Bound: the container's items.
struct ContainerTeller {
    /// Items of one message.
    private static let itemsPerMessage = 500

    /// Where the container is.
    let container: String
    private var told: [EntryID: ContainerItem] = [:]
    private var isFirst = true

    init(container: String) { self.container = container }

    /// - Returns: messages; empty where nothing is new.
    mutating func news(_ items: [ContainerItem], token: Data) -> [Baton_App_V1_ContainerNews] {
        var present: [EntryID: ContainerItem] = [:]
        for item in items { present[item.id] = item }
        let changed = items.filter { told[$0.id] != $0 }
        let removed = told.keys.filter { present[$0] == nil }.sorted()
        told = present
        guard isFirst || !changed.isEmpty || !removed.isEmpty else { return [] }
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
        isFirst = false
        return messages
    }
}
