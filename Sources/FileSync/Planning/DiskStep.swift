/// A file as a step expects it. Where it is otherwise, the step does nothing and says so.
package struct ExpectedNode: Hashable, Sendable {
    package var handle: LocalHandle
    package var place: LocalPlace
    package var fingerprint: Fingerprint

    package init(handle: LocalHandle, place: LocalPlace, fingerprint: Fingerprint) {
        self.handle = handle
        self.place = place
        self.fingerprint = fingerprint
    }
}

/// One change of the disk, which the service makes with one rename.
///
/// It is durable as an ``Intent`` before it is begun. After a crash it is performed again: the handles at its places show whether
/// it was done.
package enum DiskStep: Hashable, Sendable {
    /// From staging to a place where nothing is (`RENAME_NOREPLACE`).
    case place(LocalHandle, at: LocalPlace)
    /// From staging to where something is (`RENAME_EXCHANGE`), which goes to staging, to be compared there.
    case replace(LocalHandle, over: ExpectedNode)
    /// As before, but to another name: the displaced file leaves first. For placeholders and what replaces them.
    case substitute(LocalHandle, at: LocalPlace, for: ExpectedNode)
    case move(ExpectedNode, to: LocalPlace)
    case exchange(ExpectedNode, ExpectedNode)
    /// To staging, to be compared there. A directory must be empty.
    case remove(ExpectedNode)
    /// With nothing to set it only checks whether the file is as expected.
    case setMetadata(ExpectedNode, [MetadataKey: ByteString])
}

/// A step, and what the disk holds after it.
package struct Intent: Hashable, Sendable {
    package var step: DiskStep
    /// By entry; nil: nothing any more.
    package var outcome: [EntryID: BaseRecord?]
    /// The files that go to staging, with the last sighting of their entries.
    package var displaced: [LocalHandle: DisplacedFile] = [:]
}

/// A file that left the tree. It stays in staging until no process can write to it any more, and is compared then.
package struct DisplacedFile: Hashable, Sendable {
    package var entry: EntryID
    package var sighting: Sighting
    /// Nil for what has no content of its own.
    package var hash: ContentHash?
}

package enum StepOutcome: Hashable, Sendable {
    /// With the fingerprint that the file has afterwards, where the step changed that. Nil also where it was done before a
    /// crash: a process may have written to the file since, which the next scan shows.
    case done(Fingerprint?)
    /// The disk is not as the step expects it. Nothing was done; the places are to be looked at again.
    case changed
    /// No room, no permission, an error of the disk. Nothing was done.
    case failed
}
