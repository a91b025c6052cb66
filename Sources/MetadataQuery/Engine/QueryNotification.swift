/// A notification of a query to its observers.
package enum QueryNotification: Hashable, Sendable {
    case didStartGathering
    case gatheringProgress(QueryChanges)
    case didFinishGathering
    case didUpdate(QueryChanges)
}

/// How the results have changed since the last notification.
package struct QueryChanges: Hashable, Sendable {
    package var added: [MetadataRecord] = []
    package var changed: [MetadataRecord] = []
    /// As they were last.
    package var removed: [MetadataRecord] = []

    package init(added: [MetadataRecord] = [], changed: [MetadataRecord] = [], removed: [MetadataRecord] = []) {
        self.added = added
        self.changed = changed
        self.removed = removed
    }

    package var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }
}
