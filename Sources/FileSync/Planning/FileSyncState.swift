package import BatonCore

/// Everything of a tree that outlives a crash. The service writes it before it performs what a change of it caused.
package struct FileSyncState: Sendable {
    /// The author of this database's changes.
    package internal(set) var actor: ActorID
    package internal(set) var lastTime: HybridTimestamp = .zero
    package internal(set) var entries: EntrySet
    package internal(set) var base: BaseTree
    /// Steps that are under way, one for each entry at most.
    package internal(set) var intents = TouchedTable<EntryID, Intent>()
    package internal(set) var displaced = TouchedTable<LocalHandle, DisplacedFile>()
    /// Entries with changes that are not announced, the oldest change first.
    package internal(set) var unsent = UnsentQueue()
    /// Contents that are on this disk only.
    package internal(set) var unstored: Set<ContentHash> = []
    /// Contents that edits replaced whose own contents are on this disk only. Where such a one is lost, the edit never was.
    package internal(set) var replaced: [EntryID: [Dot: FileVersion]] = [:]
    /// Entries whose content a person wants not to be here; of a directory, those that come to it.
    package internal(set) var evicted: Set<EntryID> = []
    /// Those of them that left since the disk had little room.
    package internal(set) var leftForRoom: Set<EntryID> = []
    /// Files and directories whose contents a person wants to be here, in directories that are not.
    package internal(set) var kept: Set<EntryID> = []
    /// Entries that are missing here, of which a person must say whether they were deleted.
    package internal(set) var held: Set<EntryID> = []
    package let rootHandle: LocalHandle
    /// The directory, on the root's file system and outside of what is scanned, where files wait.
    package let stagingHandle: LocalHandle
    /// The name of this device, for people.
    package var device: String
    /// Whether contents that are replaced stay in the history.
    package var keepsHistory: Bool
    /// Whether this disk only receives: changes made on it are not sent.
    package var isReadOnly = false

    package init(
        actor: ActorID, policy: ConflictPolicy, traits: FileSystemTraits, rootHandle: LocalHandle,
        stagingHandle: LocalHandle, device: String, keepsHistory: Bool
    ) {
        self.actor = actor
        entries = EntrySet(policy: policy)
        base = BaseTree(traits: traits)
        self.rootHandle = rootHandle
        self.stagingHandle = stagingHandle
        self.device = device
        self.keepsHistory = keepsHistory
    }
}
