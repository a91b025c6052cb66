/// The kinds of documents whose text only a reader in a process of its own may look for.
package enum DocumentFormat: String, Hashable, Sendable {
    case pdf
    /// A zip file with XML: OpenDocument, Office Open XML, EPUB.
    case archive
    case mail
    /// Mails one behind the other in one file.
    case mailbox

    private static let endings: [Substring: DocumentFormat] = {
        let archives = "odt ott ods ots odp otp docx docm dotx xlsx xlsm xltx pptx pptm ppsx potx epub"
        var endings: [Substring: DocumentFormat] = ["pdf": .pdf, "eml": .mail, "mbox": .mailbox]
        for ending in archives.split(separator: " ") { endings[ending] = .archive }
        return endings
    }()

    /// - Returns: nil for a name whose ending is of none of them.
    package init?(name: String) {
        guard let dot = name.lastIndex(of: "."),
            let format = Self.endings[name[name.index(after: dot)...].lowercased()[...]]
        else { return nil }
        self = format
    }
}
