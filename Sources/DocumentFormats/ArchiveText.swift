import BatonCore

/// The text of a zip file with XML or pages: OpenDocument, Office Open XML, EPUB. Which it is its parts say, and not its name.
package struct ArchiveText {
    /// Bytes of one part, and of all that are read. Policy: what follows is not found.
    private static let maximumPart = 8 << 20
    private static let maximumAll = 32 << 20
    /// Parts that are read.
    private static let maximumParts = 1000
    /// Bytes of a cell's value: Excel's bound of its characters.
    private static let maximumValue = 32_767

    private enum Kind: Int {
        case properties
        /// A workbook's sheets, and how it shows numbers.
        case workbook
        case styles
        /// In Office Open XML the texts are elements of their own.
        case runs
        case openDocument
        case page
        /// After what they belong to.
        case notes
        /// A workbook's, of which there may be very many.
        case cells
    }

    private var contents = DocumentContents()
    private var styles = CellStyles()

    /// - Returns: nil for a file that is damaged, is none of these, or is encrypted.
    package static func contents(of file: DocumentFile) -> DocumentContents? {
        guard let archive = ZipArchive(file) else { return nil }
        let parts = archive.parts.enumerated().compactMap { index, part in kind(of: part.name).map { (part, $0, index) }
        }
        .sorted { ($0.1.rawValue, $0.2) < ($1.1.rawValue, $1.2) }
        guard !parts.isEmpty else { return nil }
        var text = ArchiveText()
        var left = maximumAll
        for (part, kind, _) in parts.prefix(maximumParts) where left > 0 && !text.contents.text.isFull {
            do {
                let bytes = try archive.contents(of: part, limit: min(maximumPart, left))
                left -= bytes.count
                text.read(bytes, kind)
            } catch .expands {
                return nil
            } catch {
                // The others may be whole.
                continue
            }
        }
        return text.contents
    }

    private static func kind(of name: String) -> Kind? {
        switch name {
        case "meta.xml", "docProps/core.xml": return .properties
        case "content.xml": return .openDocument
        case "xl/workbook.xml": return .workbook
        case "xl/styles.xml": return .styles
        case "word/document.xml", "xl/sharedStrings.xml": return .runs
        default: break
        }
        guard let dot = name.lastIndex(of: ".") else { return nil }
        let folder = name.lastIndex(of: "/").map { name[..<$0] } ?? ""
        switch name[name.index(after: dot)...].lowercased() {
        case "opf": return .properties
        case "xhtml", "html", "htm": return .page
        case "xml" where folder == "ppt/slides": return .runs
        case "xml" where folder == "xl/worksheets": return .cells
        case "xml" where ["word", "xl", "xl/drawings", "ppt/notesSlides"].contains(folder):
            return [
                "word/footnotes", "word/endnotes", "word/comments", "word/header", "word/footer", "xl/comments",
                "xl/drawings/drawing", "ppt/notesSlides/",
            ].contains { name.hasPrefix($0) } ? .notes : nil
        default: return nil
        }
    }

    private mutating func read(_ bytes: [UInt8], _ kind: Kind) {
        contents.text.endWord()
        switch kind {
        case .properties: Self.readProperties(bytes, into: &contents)
        case .workbook: readWorkbook(bytes)
        case .styles: styles.read(bytes)
        case .runs, .notes, .cells: readRuns(bytes)
        case .openDocument: Self.readOpenDocument(bytes, into: &contents.text)
        case .page:
            // An encrypted page is no text.
            guard !bytes.contains(0) else { return }
            let encoding = TextEncoding.declared(inMarkup: bytes) ?? TextEncoding.guessed(for: bytes)
            contents.text.append(HTMLText.plain(encoding.text(of: bytes[...])).utf8)
        }
    }

    private static func readProperties(_ bytes: [UInt8], into contents: inout DocumentContents) {
        var scanner = MarkupScanner(bytes)
        var text: [UInt8] = []
        while let token = scanner.next() {
            switch token {
            case .start: text = []
            case .text(let more): text += more
            case .end(let name):
                let value = String(decoding: text, as: UTF8.self)
                text = []
                switch name {
                case "title" where contents.title.isEmpty: contents.title = value
                case "creator", "initial-creator":
                    contents.addAuthor(value)
                case "subject" where contents.subject.isEmpty: contents.subject = value
                case "keyword", "keywords": contents.keywords.append(value)
                case "description":
                    contents.text.append(HTMLText.plain(value).utf8)
                    contents.text.endWord()
                default: break
                }
            }
        }
    }

    private mutating func readWorkbook(_ bytes: [UInt8]) {
        var scanner = MarkupScanner(bytes)
        while !contents.text.isFull, let token = scanner.next() {
            switch token {
            case .start("workbookPr", let bytes, _):
                styles.isFrom1904 = ["1", "true"].contains(MarkupScanner.attributes(bytes)["date1904"])
            case .start("sheet", let bytes, _):
                contents.text.append((MarkupScanner.attributes(bytes)["name"] ?? "").utf8)
                contents.text.endWord()
            default: break
            }
        }
    }

    /// A word may consist of several runs; paragraphs, cells, tabs and breaks end it. A cell's value is a number or a text where its
    /// type says so.
    private mutating func readRuns(_ bytes: [UInt8]) {
        var scanner = MarkupScanner(bytes)
        var isText = false
        var cell: [String: String] = [:]
        var value: [UInt8]?
        while !contents.text.isFull, let token = scanner.next() {
            switch token {
            case .start("t", _, let isEmpty): isText = !isEmpty
            case .start("v", _, let isEmpty): value = isEmpty ? nil : []
            case .start("c", let bytes, _): cell = MarkupScanner.attributes(bytes)
            case .start("tab", _, _), .start("br", _, _), .start("cr", _, _): contents.text.endWord()
            case .start: break
            case .end("t"): isText = false
            case .end("v"):
                if let value { append(value, of: cell) }
                value = nil
            case .end("p"), .end("si"), .end("c"), .end("text"): contents.text.endWord()
            case .end: break
            case .text(let more):
                if isText { contents.text.append(more) }
                if value.map({ $0.count < Self.maximumValue }) == true { value?.append(contentsOf: more) }
            }
        }
    }

    /// Texts that cells share stand elsewhere, and errors and truth values are no words of anybody's.
    private mutating func append(_ value: [UInt8], of cell: [String: String]) {
        switch cell["t"] {
        case "str", "d": contents.text.append(value)
        case nil, "n":
            let style = cell["s"].flatMap { Int($0) } ?? 0
            if let text = styles.text(of: String(decoding: value, as: UTF8.self), style: style) {
                contents.text.append(text.utf8)
            }
        default: break
        }
    }

    private static func readOpenDocument(_ bytes: [UInt8], into text: inout BoundedText) {
        var scanner = MarkupScanner(bytes)
        var (isBody, isDeleted) = (false, false)
        while !text.isFull, let token = scanner.next() {
            switch token {
            case .start("body", _, let isEmpty): isBody = !isEmpty
            case .start("tracked-changes", _, let isEmpty): isDeleted = !isEmpty
            case .start("tab", _, _), .start("s", _, _), .start("line-break", _, _): text.endWord()
            case .start: break
            case .end("body"): isBody = false
            case .end("tracked-changes"): isDeleted = false
            case .end("p"), .end("h"): text.endWord()
            case .end: break
            case .text(let more): if isBody, !isDeleted { text.append(more) }
            }
        }
    }
}
