import BatonCore
import Foundation

/// Goes through a page once: finds its JSON-LD, whether a tree is needed at all, and whether a tree may be made of it.
struct PageScanner {
    private var reader: TagReader
    private let limits: ExtractionLimits
    private var page = ScannedPage()
    private var open = OpenElements()
    private var nodes = 0

    /// The rest after as many scripts of JSON-LD is left out.
    private static let scripts = 1000

    private init(_ bytes: UnsafeBufferPointer<UInt8>, _ limits: ExtractionLimits) {
        reader = TagReader(bytes)
        self.limits = limits
    }

    static func scan(_ bytes: UnsafeBufferPointer<UInt8>, _ limits: ExtractionLimits) throws(BatonError) -> ScannedPage
    {
        var scanner = PageScanner(bytes, limits)
        try scanner.run()
        return scanner.page
    }

    private mutating func run() throws(BatonError) {
        let bytes = reader.bytes
        page.treeEnd = bytes.count
        while let start = bytes.position(of: UInt8(ascii: "<"), from: reader.place) {
            guard start + 1 < bytes.count else { break }
            let next = bytes[start + 1]
            reader.place = start + 1
            guard nodes < limits.nodes, page.scripts.count < Self.scripts else {
                page.treeEnd = start
                page.isTruncated = true
                return
            }
            if next | 0x20 >= UInt8(ascii: "a"), next | 0x20 <= UInt8(ascii: "z") {
                try readStartTag()
            } else if next == UInt8(ascii: "/") {
                readEndTag()
            } else if next == UInt8(ascii: "!") || next == UInt8(ascii: "?") {
                skipDeclaration()
            }
        }
    }

    private mutating func readTagName() -> Range<Int> {
        let start = reader.place
        let bytes = reader.bytes
        var place = start
        while place < bytes.count, bytes[place] > 0x20, bytes[place] != UInt8(ascii: ">"),
            bytes[place] != UInt8(ascii: "/")
        {
            place += 1
        }
        reader.place = place
        return start..<place
    }

    private mutating func readEndTag() {
        reader.place += 1
        let name = readTagName()
        while reader.nextAttribute() {}
        if !open.close(TagName.code(reader.bytes, name)) { nodes += 1 }
    }

    private mutating func skipDeclaration() {
        let bytes = reader.bytes
        let place = reader.place
        guard place + 2 < bytes.count, bytes[place + 1] == UInt8(ascii: "-"), bytes[place + 2] == UInt8(ascii: "-")
        else {
            reader.place = bytes.position(of: UInt8(ascii: ">"), from: place).map { $0 + 1 } ?? bytes.count
            return
        }
        // `<!-->` and `<!--->` are whole comments.
        var probe = place + 1
        while let end = bytes.position(of: UInt8(ascii: ">"), from: probe) {
            if bytes[end - 1] == UInt8(ascii: "-"), bytes[end - 2] == UInt8(ascii: "-") {
                reader.place = end + 1
                return
            }
            // `--!>` ends a comment too.
            if end - 3 > place, bytes[end - 1] == UInt8(ascii: "!"), bytes[end - 2] == UInt8(ascii: "-"),
                bytes[end - 3] == UInt8(ascii: "-")
            {
                reader.place = end + 1
                return
            }
            probe = end + 1
        }
        reader.place = bytes.count
    }

    private mutating func readStartTag() throws(BatonError) {
        let name = readTagName()
        let code = TagName.code(reader.bytes, name)
        if reader.matches(name, "meta") || reader.matches(name, "link") || reader.matches(name, "base") {
            try readHeadTag(name)
        } else if reader.matches(name, "script") {
            try readScript()
            nodes += 1
            return
        } else {
            try readAttributes { _ in }
        }
        if !reader.isSelfClosing || !isForeign(code) {
            nodes += open.open(code, TagName.kind(code))
        }
        guard open.depth <= limits.openElements else {
            throw BatonError(
                .invalidArgument, reason: "page_too_deep",
                "The page has more than \(limits.openElements) elements within each other. Nothing was read of it.")
        }
        skipRawText(name)
    }

    /// `<path/>` within a drawing is whole; `<div/>` is not.
    private func isForeign(_ code: UInt32) -> Bool { TagName.kind(code) == .other }

    /// Reads the attributes of the tag, and whether they are markup that needs a tree.
    private mutating func readAttributes(_ each: (TagReader) -> Void) throws(BatonError) {
        var count = 0
        while reader.nextAttribute() {
            count += 1
            guard count <= limits.attributes else {
                throw BatonError(
                    .invalidArgument, reason: "page_too_deep",
                    "A tag of the page has more than \(limits.attributes) attributes. Nothing was read of it.")
            }
            // Most names are distinguished by their length alone.
            switch reader.name.count {
            case 9 where reader.matches(reader.name, "itemscope"): page.hasMicrodata = true
            case 6 where reader.matches(reader.name, "typeof"): page.hasRDFa = true
            case 5 where reader.matches(reader.name, "vocab"): page.hasRDFa = true
            default: break
            }
            each(reader)
        }
    }

    private mutating func readHeadTag(_ tag: Range<Int>) throws(BatonError) {
        var values: [String: String] = [:]
        try readAttributes { reader in
            for name in ["name", "property", "content", "rel", "href"] where values[name] == nil {
                let isName =
                    reader.name.count == name.utf8.count && reader.text(reader.name).lowercased() == name
                if isName { values[name] = HTMLText.decoded(reader.text(reader.value).shortened(toBytes: 4096)) }
            }
        }
        if reader.matches(tag, "base") {
            page.base = page.base ?? values["href"]
        } else if reader.matches(tag, "link") {
            let relations = values["rel", default: ""].lowercased().split(separator: " ")
            if relations.contains("canonical") { page.canonical = page.canonical ?? values["href"] }
        } else if values["name"]?.lowercased() == "description" {
            page.summary = page.summary ?? values["content"].flatMap(HTMLText.collapsed)
        }
    }

    private mutating func readScript() throws(BatonError) {
        var isData = false
        try readAttributes { reader in
            if reader.matches(reader.name, "type") {
                // Some servers write the plus sign as a reference.
                let type = HTMLText.decoded(reader.text(reader.value)).lowercased().prefix { $0 != ";" }
                isData = type.trimmingCharacters(in: .whitespaces) == "application/ld+json"
            }
        }
        let start = reader.place
        let end = reader.endTag("script")
        if isData, start < end { page.scripts.append(start..<end) }
        page.withoutTags.append(start..<end)
        reader.place = end
    }

    /// The text of these elements holds no tags.
    private mutating func skipRawText(_ name: Range<Int>) {
        switch name.count {
        case 5 where reader.matches(name, "style"):
            let start = reader.place
            reader.place = reader.endTag("style")
            page.withoutTags.append(start..<reader.place)
        case 5 where reader.matches(name, "title"):
            let start = reader.place
            reader.place = reader.endTag("title")
            if page.title == nil {
                let text = reader.text(start..<min(reader.place, start + 4096))
                page.title = HTMLText.collapsed(HTMLText.decoded(text))
            }
        case 8 where reader.matches(name, "textarea"): reader.place = reader.endTag("textarea")
        case 6 where reader.matches(name, "iframe"): reader.place = reader.endTag("iframe")
        case 3 where reader.matches(name, "xmp"): reader.place = reader.endTag("xmp")
        default: break
        }
    }
}
