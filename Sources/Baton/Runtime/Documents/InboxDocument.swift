import Foundation

/// Documents that come by the app's Inbox, whose files can be read and removed, but not changed.
enum InboxDocument {
    /// The file to open as a document that can be saved. Blocks.
    /// - Parameter container: of the app; nil or empty for one that has none.
    /// - Returns: a file of the Inbox as a copy in the app's `Documents`, from where it is removed; any other as it is.
    static func own(_ url: URL, container: String?) throws -> URL {
        guard let container, !container.isEmpty else { return url }
        let documents = URL(fileURLWithPath: container).appendingPathComponent("Documents")
        // The Inbox may be a link.
        let inbox = documents.appendingPathComponent("Inbox").resolvingSymlinksInPath().path
        let folder = url.deletingLastPathComponent().resolvingSymlinksInPath().path
        guard folder == inbox else { return url }
        let item = SharedItem(content: .file(url), type: .item, name: url.lastPathComponent)
        let own = try SaveActivity.save(item, in: documents)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: own.path)
        // One that stays is there twice, and not lost.
        try? FileManager.default.removeItem(at: url)
        return own
    }
}
