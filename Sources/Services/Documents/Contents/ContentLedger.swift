import FileSync
import Sync

/// Large contents of a container that are on their way, and those that this device keeps: for itself, and for others. On the container's
/// queue; ``ContainerWriter`` does beside it what takes long.
///
/// It asks the engine, which is the caller, for the tree and the disk, and gives it inputs.
final class ContentLedger {
    /// Contents that wait until packs were written, and how many packs there were.
    var uploads: [ContentHash: (waiting: Set<String>, all: Int)] = [:]
    /// The shelf is looked at soon.
    var isTidyDue = false

    /// Contents that a near device is asked to keep.
    var toKeep: [ContentHash: (version: FileVersion, handle: LocalHandle)] = [:]
    var keepingTurns = AskingTurns<ContentHash>()
    var isKeeping = false
    /// Contents in packs that wait for the cloud, and the files that they are read from.
    var sending: [ContentHash: (version: FileVersion, handle: LocalHandle, since: ContinuousClock.Instant)] = [:]
    var isWatchingSending = false
    /// Contents of entries announced by nearby devices, which the cloud does not have yet.
    var awaited: [ContentHash: AwaitedContent] = [:]
    var isWatchingAwaited = false
    /// Contents that come to be kept for others, with their sizes.
    var coming: [ContentHash: UInt64] = [:]
    /// Contents that come to the shelf, with their sizes: the disk has to have room for all of them.
    var arriving: [ContentHash: UInt64] = [:]
    /// How many files get a content now, each of which may need it on the shelf. Bound: what planners have under way.
    var staging: [ContentHash: Int] = [:]
    /// Contents that another device wants to be kept here, for which there is no room, and when it asked.
    var noRoom: [ContentHash: ContinuousClock.Instant] = [:]
    /// It asks more often than that.
    static let noRoomTime = Duration.seconds(60)
    /// Files that a person wants to be in the account and not here, until another device says that it keeps them.
    var evicting: Set<EntryID> = []
    /// Those of them of which no person said so: the disk has little room.
    var evictingForRoom: Set<EntryID> = []
    var evictingTurns = AskingTurns<EntryID>()
    var isEvicting = false
    /// Runs that no list named when they were looked at last. Bound: the runs of the store.
    var unnamedRuns: Set<ContentHash> = []
    /// Contents are cut again whose runs are missing.
    var isCuttingAgain = false
    /// With a cloud: contents that devices kept for each other before there was one, and that it may not have yet.
    var notInCloud: Set<ContentHash> = []
    /// Those of them that a near device has got first, and that this one puts into packs now.
    var keptFirst: Set<ContentHash> = []
    /// When no device kept one that it was asked for first.
    var keptNothingFirst: ContinuousClock.Instant?
    /// How many of them are here, and on their way to the cloud.
    var toBring = 0
    /// Counts the times that they were looked for.
    var bringing: UInt64 = 0

    /// Chunks of contents that were deleted while the account had no room for them. Bound: they go with the next look.
    var givenUp: Set<ContentHash> = []
    /// Packs without a use are looked for soon.
    var isDropping = false

    init(notInCloud: Set<ContentHash>) { self.notInCloud = notInCloud }
}
