/// The parts of one page's URL as patterns are compared with them, made when first needed.
struct PageText {
    private let url: WebPageURL
    private var path = Variants()
    private var trimmedPath = Variants()
    private var query = Variants()
    private var fragment = Variants()
    private var items: [Pattern.Options: [[UInt32]: [[UInt32]]]] = [:]

    /// One text for each way to compare.
    private struct Variants {
        private var texts: [[UInt32]?] = [nil, nil, nil, nil]

        mutating func text(
            _ options: Pattern.Options, _ bytes: [UInt8], change: (inout [UInt32]) -> Void = { _ in }
        ) -> [UInt32] {
            let index = (options.isCaseSensitive ? 1 : 0) + (options.isPercentEncoded ? 2 : 0)
            if let text = texts[index] { return text }
            var text = options.units(ofURL: bytes)
            change(&text)
            texts[index] = text
            return text
        }
    }

    init(_ url: WebPageURL) { self.url = url }

    mutating func path(_ options: Pattern.Options) -> [UInt32] { path.text(options, url.path) }

    /// Without slashes at its end, but for the one of the root.
    mutating func trimmedPath(_ options: Pattern.Options) -> [UInt32] {
        trimmedPath.text(options, url.path) { text in
            while text.count > 1, text.last == Pattern.Unit.slash.rawValue { text.removeLast() }
        }
    }

    mutating func query(_ options: Pattern.Options) -> [UInt32] { query.text(options, url.query) }
    mutating func fragment(_ options: Pattern.Options) -> [UInt32] { fragment.text(options, url.fragment) }

    /// The values of every query item of that name; one empty value when there is none.
    mutating func values(ofItem name: [UInt32], _ options: Pattern.Options) -> [[UInt32]] {
        let all: [[UInt32]: [[UInt32]]]
        if let made = items[options] {
            all = made
        } else {
            all = makeItems(options)
            items[options] = all
        }
        return all[name] ?? [[]]
    }

    private func makeItems(_ options: Pattern.Options) -> [[UInt32]: [[UInt32]]] {
        var items: [[UInt32]: [[UInt32]]] = [:]
        for item in url.query.split(separator: UInt8(ascii: "&")) {
            let equals = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
            let value = item[equals...].dropFirst()
            items[options.units(ofURL: item[..<equals]), default: []].append(options.units(ofURL: value))
        }
        return items
    }
}
