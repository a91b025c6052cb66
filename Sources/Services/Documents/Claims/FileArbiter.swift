/// An operation of the sync on a file that a process may be using.
package struct FileAccess: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Presenters are not asked to save first.
        case reading
        case writing
        /// Leaves its content unchanged, as far as its users can see.
        case changingAttributes
        case moving
        case deleting
        /// Something else takes its place.
        case replacing
    }

    package var kind: Kind
    /// Absolute, without links in its directories.
    package var path: String

    package init(_ kind: Kind, _ path: String) {
        self.kind = kind
        self.path = path
    }
}

/// A change that the sync made to a file, for the processes that present it.
package enum FileNews: Hashable, Sendable {
    case appeared(String)
    case changed(String)
    case disappeared(String)
    case moved(String, to: String)
    case exchanged(String, String)
    /// A version that another device or process made, removed, or settled; named as in ``ContainerReader/versionID(_:)``.
    case version(String, Version, String)
    /// How the file stands in iCloud: Apple's keys of the values that changed.
    case attributes(String, Set<String>)

    package enum Version: Hashable, Sendable {
        case gained, lost, resolved
    }
}

/// The outcome of a request.
package enum ClaimAnswer: Hashable, Sendable {
    case granted
    /// An app could not make way, or the arbiter is overloaded: a sentence for people.
    case refused(String)
}

/// Grants the sync access to files that processes coordinate.
package protocol FileArbiter: Sendable {
    /// Asks for all of some files at once. The sync's own requests never wait for one another.
    /// - Parameter answer: called once, unless the request is withdrawn; on any thread, also before this returns. It must not
    ///   block.
    /// - Returns: names the request, and then the claim.
    func request(_ accesses: [FileAccess], _ answer: @escaping @Sendable (ClaimAnswer) -> Void) -> UInt64

    /// Ends a claim, and notifies presenters of the changes made under it.
    func end(_ claim: UInt64, _ news: [FileNews])

    /// Gives up a request, or a claim under which nothing was done.
    func withdraw(_ claim: UInt64)

    /// Notifies presenters of changes for which no process had to make way.
    func tell(_ news: FileNews)

    /// The names of apps whose claims conflict with some accesses.
    func holders(against accesses: [FileAccess]) -> [String]

    /// The paths of files that apps show now.
    func shown() -> Set<String>

    /// Whether any process shows anything.
    var hasPresenters: Bool { get }
}

extension FileArbiter {
    package var hasPresenters: Bool { true }
    package func shown() -> Set<String> { [] }
}
