import BatonCore

/// The names that a directory has, as its file system wrote them down.
///
/// Some file systems find one name by another: they know no case, or take a short form. The entry that is found then is another
/// item. A listing shows its name. It is read only where something was found, and again for a name that was not there: an app may have
/// made it meanwhile. Used by one thread.
final class NamesThere {
    private let list: () throws -> [[UInt8]]
    private var names: Set<[UInt8]>?

    init(_ list: @escaping () throws -> [[UInt8]]) { self.list = list }

    /// A directory that cannot be listed has each name that was found in it.
    /// - Parameter name: of an entry that was found.
    func contains(_ name: [UInt8]) -> Bool {
        if names?.contains(name) == true { return true }
        names = (try? list()).map { Set($0) }
        return names?.contains(name) ?? true
    }

    /// A restore gave an item this name.
    func insert(_ name: [UInt8]) { names?.insert(name) }

    /// The failure of an item whose name leads to another one.
    /// - Parameter path: of the item.
    static func taken(_ path: String) -> BatonError {
        BatonError(
            .failedPrecondition, reason: "not_taken",
            "Another item has the name here: this file system makes no difference between the two names. That one stays as it is. "
                + "Restore this one to a place on another file system, or move that one away.")
    }
}
