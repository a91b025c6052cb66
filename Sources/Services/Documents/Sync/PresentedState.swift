import FileSync

/// The state of a container's items that presenters are sent besides changes of the files: their versions, and their states
/// in iCloud.
///
/// Bound: the items that are in conflict, wait to be sent, or are not here.
struct PresentedState {
    /// Unresolved versions, of the items that have any.
    private var conflicts: [EntryID: Set<Dot>] = [:]
    private var unsent: Set<EntryID> = []
    private var absent: Set<EntryID> = []

    enum VersionEvent: Hashable {
        case gained, lost, resolved
    }

    /// Whether an item is in iCloud, here, and in conflict.
    enum Attribute: String, CaseIterable {
        case isUploaded = "NSURLUbiquitousItemIsUploadedKey"
        case downloadingStatus = "NSURLUbiquitousItemDownloadingStatusKey"
        case hasConflicts = "NSURLUbiquitousItemHasUnresolvedConflictsKey"
    }

    struct News: Hashable {
        var versions: [Dot: VersionEvent] = [:]
        var attributes: Set<Attribute> = []
    }

    /// Nothing was sent yet: the present state is the first.
    mutating func begin(_ state: FileSyncState) {
        for id in state.entries.ids { note(id, state) }
        unsent = Set(state.unsent)
    }

    /// - Parameter touched: entries and records that changed, and entries that wait to be sent or do so no more.
    /// - Returns: what is new of each.
    mutating func update(_ touched: Set<EntryID>, _ state: FileSyncState) -> [EntryID: News] {
        var news: [EntryID: News] = [:]
        for id in touched {
            let (old, wasAbsent) = (conflicts[id] ?? [], absent.contains(id))
            note(id, state)
            let now = conflicts[id] ?? []
            for dot in now.subtracting(old) { news[id, default: News()].versions[dot] = .gained }
            let entry = old.isEmpty ? nil : state.entries[id]
            for dot in old.subtracting(now) {
                // A version that was chosen or set aside is still there.
                let isKept = entry?.history[dot] != nil || entry?.heads[dot] != nil
                news[id, default: News()].versions[dot] = isKept ? .resolved : .lost
            }
            if old.isEmpty != now.isEmpty { news[id, default: News()].attributes.insert(.hasConflicts) }
            if unsent.contains(id) != state.unsent.contains(id) {
                if unsent.remove(id) == nil { unsent.insert(id) }
                news[id, default: News()].attributes.insert(.isUploaded)
            }
            if wasAbsent != absent.contains(id) { news[id, default: News()].attributes.insert(.downloadingStatus) }
        }
        unsent.giveBackRoom()
        absent.giveBackRoom()
        return news
    }

    private mutating func note(_ id: EntryID, _ state: FileSyncState) {
        // Most items have one content, and are not unpacked for this.
        let entry = state.entries.hasSeveralHeads(id) && state.entries.isPresent(id) ? state.entries[id] : nil
        let dots = entry.map { Set($0.conflicts.map(\.dot)) } ?? []
        conflicts[id] = dots.isEmpty ? nil : dots
        if state.base.outline(of: id)?.isPlaceholder == true { absent.insert(id) } else { absent.remove(id) }
    }
}

extension ContainerEngine {
    /// Notifies presenters of the changes of these.
    /// - Parameter touched: entries and records that changed.
    func tellPresenters(_ touched: Set<EntryID>) {
        let news = presented.update(touched, planner.state)
        guard !news.isEmpty, ports.arbiter.hasPresenters else { return }
        let reader = reader
        for (id, news) in news {
            guard let item = reader.item(id) else { continue }
            let path = "\(realPath)/\(item.path)"
            for (dot, event) in news.versions {
                ports.arbiter.tell(.version(path, event.news, ContainerReader.versionID(dot)))
            }
            if !news.attributes.isEmpty {
                ports.arbiter.tell(.attributes(path, Set(news.attributes.map(\.rawValue))))
            }
        }
    }
}

extension PresentedState.VersionEvent {
    fileprivate var news: FileNews.Version {
        switch self {
        case .gained: .gained
        case .lost: .lost
        case .resolved: .resolved
        }
    }
}
