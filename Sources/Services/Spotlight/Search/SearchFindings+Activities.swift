extension SearchFindings {
    private struct Name: Hashable {
        var owner: ItemOwner
        var key: String
    }

    /// One thing is shown once. An activity gives its place to the item that it is about, if that is found too; but an activity with
    /// all words stays, and an item without them goes.
    func joiningActivities() -> SearchFindings {
        var items: [Name: FoundItem] = [:]
        for found in found where found.stored.item.source == .item {
            items[Name(owner: found.stored.item.owner, key: found.stored.item.key)] = found
        }
        guard !items.isEmpty else { return self }
        let subjects = found.filter { !$0.isRelated }.compactMap { subject(of: $0, items) }
        let dropped = Set(subjects.filter { items[$0]?.isRelated == true })
        var result = self
        result.found = []
        var shown: Set<Name> = []
        for found in found {
            let isItem = found.stored.item.source == .item
            let own = Name(owner: found.stored.item.owner, key: found.stored.item.key)
            guard let name = isItem ? own : subject(of: found, items) else {
                result.found.append(found)
                continue
            }
            if dropped.contains(name) {
                if isItem { result.joined += 1 } else { result.found.append(found) }
            } else if shown.insert(name).inserted, let item = items[name] {
                result.found.append(item)
            } else {
                result.joined += 1
            }
        }
        return result
    }

    /// The found item that an activity is about; nil for anything else.
    private func subject(of found: FoundItem, _ items: [Name: FoundItem]) -> Name? {
        let item = found.stored.item
        guard item.source == .activity,
            let key = item.text("relatedUniqueIdentifier") ?? item.text("weakRelatedUniqueIdentifier")
        else { return nil }
        let name = Name(owner: item.owner, key: key)
        return items[name] == nil ? nil : name
    }
}
