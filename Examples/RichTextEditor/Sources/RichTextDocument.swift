import Baton
import Foundation

/// A package with the text in `TXT.rtf`, as other systems keep rich text with attachments.
///
/// Nothing here is about Handoff but the selection: the type in the `Info.plist` has an activity type, so a document in
/// iCloud has an activity with its URL.
final class RichTextDocument: NSDocument {
    static let type = "com.myCompany.rtfd"
    private static let selectionKey = "selection"
    private static let textName = "TXT.rtf"

    var text = RichText()
    /// Where the person types.
    private(set) var selection = 0
    /// Hears of what changes without the person.
    static var observer: (@MainActor (RichTextDocument, _ event: String) -> Void)?

    override class var autosavesInPlace: Bool { true }

    // MARK: The file

    override func read(from fileWrapper: FileWrapper, ofType typeName: String) throws {
        guard let data = fileWrapper.fileWrappers?[Self.textName]?.regularFileContents else {
            throw CocoaError(.fileReadCorruptFile)
        }
        text = try RichText(rtf: data)
        selection = min(selection, text.plain.count)
        Self.observer?(self, "read")
    }

    override func fileWrapper(ofType typeName: String) throws -> FileWrapper {
        FileWrapper(directoryWithFileWrappers: [Self.textName: FileWrapper(regularFileWithContents: text.rtf)])
    }

    override func fileNameExtension(forType typeName: String, saveOperation: SaveOperationType) -> String? { "rtfd" }

    // MARK: Editing

    func type(_ added: String, isBold: Bool) {
        text.append(added, isBold: isBold)
        select(text.plain.count)
        updateChangeCount(.changeDone)
    }

    func select(_ position: Int) {
        selection = min(max(position, 0), text.plain.count)
        userActivity?.needsSave = true
    }

    // MARK: Handoff

    override func updateUserActivityState(_ activity: NSUserActivity) {
        super.updateUserActivityState(activity)
        activity.addUserInfoEntries(from: [Self.selectionKey: selection])
    }

    override func restoreUserActivityState(_ userActivity: NSUserActivity) {
        super.restoreUserActivityState(userActivity)
        if let position = userActivity.userInfo?[Self.selectionKey] as? Int { select(position) }
        Self.observer?(self, "restored")
    }
}
