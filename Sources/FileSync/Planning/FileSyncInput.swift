/// An input from the service to the planner.
///
/// Scans, steps and commands of one tree come one after the other: a scan shows the disk after each step whose outcome
/// was reported.
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
    /// A device that is near gave all that it has. Lost directories may be with others: they are waited for until `readToEnd`.
    case toldByDevice
    /// These were deleted for good by a device; the stamp is the deletion's. Those that are `kept` were not known here to be deleted
    /// for long enough: here they are deleted as by a person, and can be undeleted. If they are announced again
    /// after that, each is stamped later than its grave.
    case buried([EntryID: Stamp], kept: Set<EntryID> = [])
    /// The zone has lost these: they are written again.
    case missing([EntryID])
    case pushed([Entry])
    case pushFailed
    case uploaded(ContentHash)
    case uploadFailed(ContentHash)
    /// The requested content is in staging, durably.
    case staged(EntryID, StagingRequest, LocalHandle, Fingerprint)
    case stagingFailed(EntryID)
    case performed(EntryID, StepOutcome)
    /// The reason why steps of these failed is gone: they are tried again now.
    case retry([EntryID])
    /// A displaced file is at rest: with its content, or nil where that is what it was when it was displaced.
    case compared(LocalHandle, LocalContent?)
    case command(FileSyncCommand)

    /// Whether it is the result of an action, which may wait for others.
    package var isResult: Bool {
        switch self {
        case .contentRead, .readFailed, .staged, .stagingFailed, .performed: true
        default: false
        }
    }
}

/// A command of a person or an app.
package enum FileSyncCommand: Hashable, Sendable {
    case evict(EntryID)
    /// These leave since the disk has little room, and not by a person's wish.
    case makeRoom([EntryID])
    case download(EntryID)
    /// New files in a directory come whole from now on, or as placeholders.
    case mark(EntryID, keeps: Bool)
    /// A deletion is undone.
    case undelete(EntryID)
    /// A conflict version is done with.
    case resolve(EntryID, Dot)
    /// An older version, or one of the history, becomes the content.
    case restore(EntryID, Dot)
    /// The versions that these had before go for good.
    case forgetHistory([EntryID])
    /// Deletions that were held back are meant.
    case confirmDeletions
    /// Deletions that were held back are not meant: the files come back.
    case undoDeletions
    /// These are not on this disk any more, and that is no deletion.
    case bringAgain([EntryID])
    /// The disk has these modes and attributes, which are not to be announced: they become what they are to be.
    case describe(EntryID, [MetadataKey: ByteString])
}

/// The content to put into staging for an entry.
package enum StagingRequest: Hashable, Sendable {
    case directory
    case placeholder(FileVersion)
    /// With a link's target, a package's manifest.
    case content(Dot, FileVersion)
}

/// An action that the planner requests from the service, in this order. The planner's state is durable before any of
/// them begins.
package enum FileSyncAction: Sendable {
    case scanEverything
    case scan([LocalHandle])
    /// Read a file when it is at rest, and cut it.
    case read(LocalHandle, EntryKind, Fingerprint)
    /// Bring the chunks of a content to the cloud. The file is there until then.
    case upload(FileVersion, from: LocalHandle)
    /// Write entries, all or none: a swap is two. After a conflict read the zone on, which delivers whole
    /// groups (`received`), then say `pushFailed`.
    case push([Entry])
    case stage(EntryID, EntryKind, StagingRequest, [MetadataKey: ByteString])
    /// The staged content is not wanted any more.
    case discard(LocalHandle)
    case perform(EntryID, DiskStep)
    /// Compare a file in staging with its former state, once it is at rest. A file that is not in staging is unchanged.
    case compare(LocalHandle)
    /// More than half of the files are missing. A person must say whether that is meant.
    case deletionsHeld(files: Int)
}
