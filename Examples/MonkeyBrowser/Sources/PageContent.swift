import Foundation

/// A page as this browser shows it: its title and its text.
struct PageContent: Equatable, Sendable {
    var title: String
    var lines: [String]

    /// - Parameter html: what a server sent. Scripts, styles and tags are left out.
    init(html: String) {
        var reader = HTMLReader(html)
        (title, lines) = reader.read()
    }

    init(title: String, lines: [String]) {
        self.title = title
        self.lines = lines
    }
}

/// Reads the title and the text of a page. An element that is not closed goes on to the end.
private struct HTMLReader {
    private static let hidden: Set<String> = ["script", "style", "noscript", "template", "svg", "head"]
    private static let blocks: Set<String> = [
        "address", "article", "blockquote", "br", "dd", "div", "dl", "dt", "footer", "h1", "h2", "h3", "h4", "h5",
        "h6", "header", "hr", "li", "main", "nav", "ol", "p", "pre", "section", "table", "td", "th", "tr", "ul",
    ]
    private static let entities = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "copy": "©", "mdash": "—",
        "ndash": "–", "hellip": "…", "auml": "ä", "ouml": "ö", "uuml": "ü", "szlig": "ß", "eacute": "é",
    ]

    private var rest: Substring
    private var title = ""
    private var lines: [String] = []
    private var line = ""
    /// The element whose text is not shown.
    private var skipped: String?
    private var isInTitle = false

    init(_ html: String) { rest = html[...] }

    mutating func read() -> (String, [String]) {
        while let character = rest.first {
            switch character {
            case "<": tag()
            case "&": add(entity())
            default: add(String(rest.removeFirst()))
            }
        }
        endLine()
        return (Self.trimmed(title), lines)
    }

    private mutating func tag() {
        if rest.hasPrefix("<!--") {
            rest = rest.range(of: "-->").map { rest[$0.upperBound...] } ?? ""
            return
        }
        guard let end = rest.firstIndex(of: ">") else {
            rest = ""
            return
        }
        let content = rest[rest.index(after: rest.startIndex)..<end]
        rest = rest[rest.index(after: end)...]
        let isEnd = content.first == "/"
        let name = content.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }.lowercased()
        if name == "title" {
            isInTitle = !isEnd
        } else if let hidden = skipped {
            if isEnd, name == hidden { skipped = nil }
        } else if !isEnd, Self.hidden.contains(name), content.last != "/" {
            skipped = name
        } else if Self.blocks.contains(name) {
            endLine()
        }
    }

    private mutating func entity() -> String {
        let name = rest.dropFirst().prefix(10).prefix { $0 != ";" }
        guard rest.dropFirst(name.count + 1).first == ";" else { return String(rest.removeFirst()) }
        rest = rest.dropFirst(name.count + 2)
        if name.hasPrefix("#") {
            let digits = name.dropFirst()
            let number = digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return number.flatMap(Unicode.Scalar.init).map { String(Character($0)) } ?? "\u{FFFD}"
        }
        return Self.entities[String(name)] ?? "&\(name);"
    }

    private mutating func add(_ text: String) {
        if isInTitle {
            title += text
        } else if skipped == nil {
            line += text
        }
    }

    private mutating func endLine() {
        let text = Self.trimmed(line)
        line = ""
        if !text.isEmpty { lines.append(text) }
    }

    private static func trimmed(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
