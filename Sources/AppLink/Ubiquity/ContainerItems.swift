package import BatonWire
package import Foundation

/// The items of one container: a value, which the daemon's updates change.
///
/// After a restart of the daemon all items come anew. Until they are complete the former ones stay; then whatever was not
/// named again is gone. So who follows the items never sees them go and come.
package struct ContainerItems: Sendable {
    /// Changes for subscribers.
    package struct Delta: Sendable {
        package var changed: [UbiquitousItem] = []
        package var removed: [UbiquitousItem] = []
        /// All that exists is known now.
        package var isGathered = false

        package var isEmpty: Bool { changed.isEmpty && removed.isEmpty && !isGathered }
    }

    package private(set) var items: [Data: UbiquitousItem] = [:]
    private var identifiers: [String: Data] = [:]
    /// Items received since a reset, while the former ones are still shown.
    private var arriving: [Data: UbiquitousItem]?
    package private(set) var isGathered = false

    package init() {}

    package func item(at path: String) -> UbiquitousItem? { identifiers[path].flatMap { items[$0] } }

    package mutating func told(_ news: Baton_App_V1_ContainerNews) -> Delta {
        if news.reset { arriving = [:] }
        var delta = Delta()
        if isGathered, var arrived = arriving {
            take(news, &arrived)
            arriving = news.gathered ? nil : arrived
            if news.gathered { replace(with: arrived, &delta) }
        } else {
            apply(news, &delta)
            if news.gathered {
                arriving = nil
                isGathered = true
            }
        }
        delta.isGathered = news.gathered
        return delta
    }

    /// There is no container: nothing is in it, and that is known.
    package mutating func vanished() -> Delta {
        var delta = Delta()
        replace(with: [:], &delta)
        delta.isGathered = !isGathered
        (isGathered, arriving) = (true, nil)
        return delta
    }

    private func take(_ news: Baton_App_V1_ContainerNews, _ items: inout [Data: UbiquitousItem]) {
        for id in news.removed { items[id] = nil }
        for message in news.changed { items[message.id] = UbiquitousItem(message) }
    }

    private mutating func apply(_ news: Baton_App_V1_ContainerNews, _ delta: inout Delta) {
        for id in news.removed { remove(id, &delta) }
        for message in news.changed {
            guard let item = UbiquitousItem(message) else {
                remove(message.id, &delta)
                continue
            }
            put(item, &delta)
        }
    }

    private mutating func replace(with new: [Data: UbiquitousItem], _ delta: inout Delta) {
        for id in items.keys where new[id] == nil { remove(id, &delta) }
        for item in new.values where items[item.id] != item { put(item, &delta) }
    }

    private mutating func put(_ item: UbiquitousItem, _ delta: inout Delta) {
        if let old = items[item.id], identifiers[old.path] == item.id { identifiers[old.path] = nil }
        items[item.id] = item
        identifiers[item.path] = item.id
        delta.changed.append(item)
    }

    private mutating func remove(_ id: Data, _ delta: inout Delta) {
        guard let old = items.removeValue(forKey: id) else { return }
        if identifiers[old.path] == id { identifiers[old.path] = nil }
        delta.removed.append(old)
    }
}
