/// How the engine treats the zones of one kind. The kind's source brings it.
package struct ZonePolicy: Hashable, Sendable {
    /// The treatment of deletions.
    package enum Deletions: Hashable, Sendable {
        /// The cloud forgets them after its retention time (90 days by default). A missing item was deleted before that
        /// or lost, which cannot be distinguished: a device that has it writes it again.
        case forgotten
        /// A deletion with a tombstone stays in the cloud, as an item: a device that returns after years learns of it.
        /// A missing item was lost. A deletion without a tombstone erases the item; the cloud forgets it.
        case kept
    }

    /// Zones of the greatest priority go first.
    package var priority: Int
    /// Kinds that go before: while something of theirs is to be done, and does not fail, nothing is done for this one; and they
    /// are asked before each write. Only kinds of a greater priority count, so that no two wait for each other.
    package var requires: Set<ZoneName.Kind>
    /// The number of batches that a zone may write at once; from then on one in each pause.
    package var burst: Int
    /// In milliseconds.
    package var pause: UInt64
    /// How many milliseconds another device that is near may take to send what it has announced.
    package var nearbyDelay: UInt64
    package var deletions: Deletions
    /// Items may be written in groups (``OutgoingItem/group``). Both this and deletions that are kept change what is sealed.
    package var hasGroups: Bool

    /// By default a batch of 500 items may go each 20 ms after the first 200 batches: 10,000 items are 20 batches.
    package init(
        priority: Int = 0, requires: Set<ZoneName.Kind> = [.contentKeys], burst: Int = 200, pause: UInt64 = 20,
        nearbyDelay: UInt64 = 3000, deletions: Deletions = .forgotten, hasGroups: Bool = false
    ) {
        self.priority = priority
        self.requires = requires
        self.burst = burst
        self.pause = pause
        self.nearbyDelay = nearbyDelay
        self.deletions = deletions
        self.hasGroups = hasGroups
    }

    /// Whether an ``ItemFrame`` stands before each content.
    var isFramed: Bool { hasGroups || deletions == .kept }

    /// For what people change by hand, in an app that might not know when to stop.
    package static let sparing = ZonePolicy(burst: 20, pause: 250)
}
