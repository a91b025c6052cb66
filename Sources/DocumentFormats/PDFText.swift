/// The text and properties of a PDF file, as `pdftotext -htmlmeta` prints them.
package enum PDFText {
    /// The arguments before the name of the file.
    package static let arguments = ["-q", "-htmlmeta", "-nopgbrk", "-enc", "UTF-8"]

    /// - Parameter page: may be cut anywhere.
    /// - Parameter name: the file's, which is no title.
    package static func contents(ofPage page: [UInt8], file name: String) -> DocumentContents {
        var contents = DocumentContents()
        var scanner = MarkupScanner(page)
        var isTitle = false
        while !contents.text.isFull, let token = scanner.next() {
            switch token {
            case .start("title", _, _): isTitle = true
            case .start("meta", let attributes, _): read(MarkupScanner.attributes(attributes), into: &contents)
            case .end("title"), .end("head"): isTitle = false
            case .text(let text):
                if isTitle {
                    contents.title += String(decoding: text, as: UTF8.self)
                } else {
                    contents.text.append(text)
                }
            case .start, .end: contents.text.endWord()
            }
        }
        if contents.title == name { contents.title = "" }
        return contents
    }

    private static func read(_ attributes: [String: String], into contents: inout DocumentContents) {
        guard let value = attributes["content"] else { return }
        switch attributes["name"] {
        case "Author": contents.authors.append(value)
        case "Subject": contents.subject = value
        case "Keywords": contents.keywords.append(value)
        default: break
        }
    }
}
