public import Foundation

extension FileManager {
    /// Moves an item to the desktop's trash, from where the person can put it back.
    ///
    /// The trash is that of freedesktop's specification: `$XDG_DATA_HOME/Trash`, or `.Trash-UID` at the top of the file system that the
    /// item is on. A link goes itself. Items in iCloud are deleted on the other devices, as those are that are moved elsewhere; write
    /// under a coordinator's claim for deleting. Blocks; any thread may call it.
    /// - Parameters:
    ///   - url: of the item.
    ///   - outResultingURL: gets where it is now, perhaps under another name.
    /// - Throws: `CocoaError`: `.featureUnsupported` in an app in a sandbox, which has no trash, and for what cannot be put there;
    ///   `.fileNoSuchFile`, `.fileWriteNoPermission`, `.fileWriteOutOfSpace`. The item is where it was then.
    ///
    /// Apple: <https://developer.apple.com/documentation/foundation/filemanager/trashitem(at:resultingitemurl:)>
    public func trashItem(at url: URL, resultingItemURL outResultingURL: UnsafeMutablePointer<NSURL?>?) throws {
        let result = try Trash.current.take(url)
        outResultingURL?.pointee = result as NSURL
    }
}
