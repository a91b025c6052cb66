extension TreeReader {
    /// The counts of a tree that was read, and what was left out of it.
    struct Findings {
        var files: UInt64 = 0
        var bytes: UInt64 = 0
        /// Files that were read, since they were new or changed.
        var read: UInt64 = 0
        var unreadable: [String] = []
        var unreadableCount: UInt64 = 0
        var unrested: UInt64 = 0
        var unrestedPaths: [String] = []
        /// The roots of those below this one, which are left out.
        var otherFileSystems: [String] = []
        /// Bound of the names of unreadable files, of those that never rested, and of other file systems.
        static let maximumNames = 100
    }
}
