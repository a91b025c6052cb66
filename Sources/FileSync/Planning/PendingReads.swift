/// A file whose content is asked for.
struct PendingRead: Sendable {
    /// Nil: it is new here.
    var entry: EntryID?
    var kind: EntryKind
    var parent: EntryID
    var name: EntryName
    var fingerprint: Fingerprint
    var metadata: [MetadataKey: ByteString]
}

/// Files whose contents are asked for, with the ways to find one.
struct PendingReads: Sendable {
    private struct NewPlace: Hashable {
        var parent: EntryID
        var key: NameKey
    }

    private(set) var all: [LocalHandle: PendingRead] = [:]
    /// How many files are read for each entry.
    private var counts: [EntryID: Int] = [:]
    /// How many new files are read that have a place.
    private var places: [NewPlace: Int] = [:]
    private let traits: FileSystemTraits

    init(traits: FileSystemTraits) { self.traits = traits }

    var isEmpty: Bool { all.isEmpty }
    var count: Int { all.count }

    subscript(handle: LocalHandle) -> PendingRead? {
        get { all[handle] }
        set {
            if let old = all[handle] { note(old, by: -1) }
            if let newValue { note(newValue, by: 1) }
            all[handle] = newValue
            guard all.isEmpty else { return }
            all.giveBackRoom()
            counts.giveBackRoom()
            places.giveBackRoom()
        }
    }

    /// Whether an entry's content is being read.
    func isReading(_ entry: EntryID) -> Bool { counts[entry] != nil }

    /// Whether a file that is not known yet has the place.
    func isNew(_ parent: EntryID, _ key: NameKey) -> Bool { places[NewPlace(parent: parent, key: key)] != nil }

    private mutating func note(_ read: PendingRead, by change: Int) {
        if let entry = read.entry {
            let count = counts[entry, default: 0] + change
            counts[entry] = count == 0 ? nil : count
        } else {
            let place = NewPlace(parent: read.parent, key: traits.key(of: read.name))
            let count = places[place, default: 0] + change
            places[place] = count == 0 ? nil : count
        }
    }
}
