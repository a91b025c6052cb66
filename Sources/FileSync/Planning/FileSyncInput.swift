/// What the service tells the planner.
///
/// Scans, steps and commands of one tree come one after the other: a scan shows the disk after each step whose outcome was told.
package enum FileSyncInput: Sendable {
    /// The service runs and the root is there. Once, before all else.
    case started
    /// The root is gone, is another object, or its mount is. Nothing is believed to be deleted.
    case rootLost
    case rootFound
    case scanned(LocalScan)
    /// A file was read while it was at rest.
    case contentRead(LocalHandle, Fingerprint, LocalContent)
    /// It changed meanwhile, or is gone. A scan shows it.
    case readFailed(LocalHandle)
    /// From the zone.
    case received([Entry])
    /// From a device that is near: the zone may not have them.
    case receivedDirectly([Entry])
    /// The zone was read to its end.
    case readToEnd
    /// These were deleted for good by a device; the stamp is the deletion's.
    case buried([EntryID: Stamp])
    case pushed([Entry])
    case pushFailed
    case uploaded(ContentHash)
    case uploadFailed(ContentHash)
    /// What was asked for is in staging, durably.
    case staged(EntryID, StagingRequest, LocalHandle, Fingerprint)
    case stagingFailed(EntryID)
    case performed(EntryID, StepOutcome)
    /// A displaced file is at rest: with its content, or nil where that is what it was when it was displaced.
    case compared(LocalHandle, LocalContent?)
    case command(FileSyncCommand)
}

/// What a person or an app asks for.
package enum FileSyncCommand: Hashable, Sendable {
    case evict(EntryID)
    case download(EntryID)
    /// A deletion is undone.
    case undelete(EntryID)
    /// A conflict version is done with.
    case resolve(EntryID, Dot)
    /// An older version, or one of the history, becomes the content.
    case restore(EntryID, Dot)
    /// Deletions that were held back are meant.
    case confirmDeletions
    /// Deletions that were held back are not meant: the files come back.
    case undoDeletions
}

/// What is to be put into staging for an entry.
package enum StagingRequest: Hashable, Sendable {
    case directory
    case placeholder(FileVersion)
    /// With a link's target, a package's manifest.
    case content(Dot, FileVersion)
}

/// What the planner asks the service to do, in this order. What the planner keeps is durable before any of it is begun.
package enum FileSyncAction: Sendable {
    case scanEverything
    case scan([LocalHandle])
    /// Read a file when it is at rest, and cut it.
    case read(LocalHandle, EntryKind, Fingerprint)
    /// Bring the chunks of a content to the cloud. The file is there until then.
    case upload(FileVersion, from: LocalHandle)
    /// Write entries, all or none: a swap is two. After a conflict read the zone on, which tells whole
    /// groups (`received`), then say `pushFailed`.
    case push([Entry])
    case stage(EntryID, EntryKind, StagingRequest, [MetadataKey: ByteString])
    /// What was staged is not wanted any more.
    case discard(LocalHandle)
    case perform(EntryID, DiskStep)
    /// Compare a file in staging with what it was, once it is at rest. What is not in staging is as it was.
    case compare(LocalHandle)
    /// More than half of the files are missing. A person must say whether that is meant.
    case deletionsHeld(files: Int)
}
