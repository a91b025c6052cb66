import Baton
import Foundation

extension NSNotification.Name {
    /// Posted when a document was loaded: at first, and whenever a new version came from iCloud. The object is the
    /// document.
    static let monkeyDocumentModified = Self("monkeyDocumentModified")
}

/// Part 2: a document of text. All that it does is to turn text into data, and data into text.
final class MonkeyDocument: UIDocument {
    var documentString = "(default text)"

    override func load(fromContents contents: Any, ofType typeName: String?) throws {
        if let data = contents as? Data {
            guard let text = String(data: data, encoding: .utf8) else {
                throw CocoaError(.fileReadInapplicableStringEncoding)
            }
            documentString = text
        }
        NotificationCenter.default.post(name: .monkeyDocumentModified, object: self)
    }

    override func contents(forType typeName: String) throws -> Any { Data(documentString.utf8) }
}
