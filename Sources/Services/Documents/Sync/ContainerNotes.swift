import BatonCore
import FileSync

/// How far contents have come, and what keeps a container, or something in it, from being the same everywhere.
///
/// Bound: the container's items, and their contents.
struct ContainerNotes: Sendable {
    /// From 0 to 1.
    var progress: [EntryID: Double] = [:]
    /// Why something does not come or go.
    var problems: [EntryID: BatonError] = [:]
    /// Those of them that are about making a file, which may come to its place otherwise.
    var unmade: Set<EntryID> = []
    var uploadProblems: [ContentHash: BatonError] = [:]
    /// The account has no room for contents of this device.
    var refusal: BatonError?
    /// Why nothing goes on.
    var problem: BatonError?
    /// All that the account has is known.
    var isReadToEnd: Bool
    /// In a folder that only receives: how much was changed here at the last look.
    var changedHere = 0

    init(isReadToEnd: Bool) { self.isReadToEnd = isReadToEnd }
}

/// Files of the tree that are to be read, so that their contents are known. Bound: the files.
struct FileReads: Sendable {
    /// Those that a program writes to: the newest fingerprint that was asked for.
    var wanted: [LocalHandle: Fingerprint] = [:]
    /// Since when they wait. It says nothing about others than ``wanted``.
    var since: [LocalHandle: ContinuousClock.Instant] = [:]
    /// Those that cannot be read, and were recorded.
    var unreadable: Set<LocalHandle> = []
    /// Those that are read when apps let the sync at them.
    var waiting: [LocalHandle: EntryKind] = [:]
    /// Since when databases that programs write to wait.
    var databases: [LocalHandle: ContinuousClock.Instant] = [:]
    /// Those that are being read, under a claim.
    var underWay: Set<LocalHandle> = []
}
