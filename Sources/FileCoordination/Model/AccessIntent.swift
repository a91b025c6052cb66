/// A file or directory that a coordinator wants to read or write.
package struct AccessIntent: Hashable, Sendable {
    /// Apple's numbers.
    package struct ReadingOptions: OptionSet, Hashable, Sendable {
        package let rawValue: UInt
        package init(rawValue: UInt) { self.rawValue = rawValue }
        /// Presenters are not asked to save first.
        package static let withoutChanges = ReadingOptions(rawValue: 1)
        package static let resolvesSymbolicLink = ReadingOptions(rawValue: 2)
        /// Does not wait for a download.
        package static let immediatelyAvailableMetadataOnly = ReadingOptions(rawValue: 4)
        /// The reader gets a snapshot.
        package static let forUploading = ReadingOptions(rawValue: 8)
    }

    /// Apple's numbers, of which one at most applies.
    package enum WritingPurpose: UInt, Hashable, Sendable, CaseIterable {
        case any = 0
        case deleting = 1
        case moving = 2
        case merging = 4
        case replacing = 8
        /// Does not wait for a download.
        case contentIndependentMetadataOnly = 16
    }

    package enum Access: Hashable, Sendable {
        case reading(ReadingOptions)
        case writing(WritingPurpose)
    }

    package var path: CoordinatedPath
    /// The package that the path is in, or else the path itself: a package counts as one item.
    package var unit: CoordinatedPath
    package var access: Access

    package init(_ access: Access, _ path: CoordinatedPath, unit: CoordinatedPath? = nil) {
        self.access = access
        self.path = path
        // A unit that does not contain the path would let its claim pass by others.
        self.unit = unit.flatMap { path.isWithin($0) ? $0 : nil } ?? path
    }

    package var isWriting: Bool { if case .writing = access { true } else { false } }

    /// Whether the writer changes what is below its directory.
    var affectsContents: Bool {
        switch access {
        case .writing(.deleting), .writing(.moving), .writing(.replacing): true
        case .writing, .reading: false
        }
    }

    /// Readers wait for writers, and writers for both. A directory and its contents concern one another only if the
    /// directory is deleted, moved or replaced.
    package func conflicts(with other: AccessIntent) -> Bool {
        guard isWriting || other.isWriting else { return false }
        return unit == other.unit || (affectsContents && other.unit.isWithin(unit))
            || (other.affectsContents && unit.isWithin(other.unit))
    }

    /// Whether a claim for this one is enough for the other one too.
    func covers(_ other: AccessIntent) -> Bool {
        guard other.path.isWithin(path) else { return false }
        switch (access, other.access) {
        case (.reading(let held), .reading(let wanted)):
            return !held.contains(.withoutChanges) || wanted.contains(.withoutChanges)
        case (.writing, .reading): return true
        case (.writing(let held), .writing(let wanted)): return wanted == .any || wanted == held
        case (.reading, .writing): return false
        }
    }

    mutating func move(from source: CoordinatedPath, to destination: CoordinatedPath, unit: CoordinatedPath) {
        guard path.isWithin(source) else { return }
        path = path.moved(from: source, to: destination)
        let moved = self.unit.isWithin(source) ? self.unit.moved(from: source, to: destination) : unit
        self.unit = path.isWithin(moved) ? moved : path
    }
}
