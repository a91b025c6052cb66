import CGumbo

/// An element's contents as the value of a property.
struct ElementValue {
    let value: MicrodataItem.Value
    /// Steps that reading it took.
    let cost: Int

    /// A longer text is cut.
    static let limit = 64 << 10

    init(of element: PageElement, base: String?, ofMicrodata: Bool) {
        if let content = element.attribute("content"), !ofMicrodata || element.tag == GUMBO_TAG_META {
            self.init(text: content, of: element)
            return
        }
        switch element.tag {
        case GUMBO_TAG_META: self.init(text: "", of: element)
        case GUMBO_TAG_AUDIO, GUMBO_TAG_EMBED, GUMBO_TAG_IFRAME, GUMBO_TAG_IMG, GUMBO_TAG_SOURCE, GUMBO_TAG_TRACK,
            GUMBO_TAG_VIDEO:
            self.init(address: element.attribute("src"), of: element, base: base)
        case GUMBO_TAG_A, GUMBO_TAG_AREA, GUMBO_TAG_LINK:
            self.init(address: element.attribute("href"), of: element, base: base)
        case GUMBO_TAG_OBJECT: self.init(address: element.attribute("data"), of: element, base: base)
        case GUMBO_TAG_DATA where element.has("value"), GUMBO_TAG_METER where element.has("value"):
            let text = element.attribute("value") ?? ""
            self.init(.text(text, type: LexicalForm(number: text)?.type, language: nil))
        case GUMBO_TAG_TIME:
            let text = element.attribute("datetime") ?? element.text(limit: 1024)
            let type = LexicalForm(time: text)?.type
            self.init(.text(text, type: type, language: type == nil ? element.language : nil))
        default: self.init(text: element.text(limit: Self.limit), of: element)
        }
    }

    private init(_ value: MicrodataItem.Value) {
        self.value = value
        switch value {
        case .text(let text, _, _): cost = 1 + text.utf8.count / 4
        case .address(let address): cost = 1 + WorkBudget.cost(ofBytes: address.utf8.count)
        case .item: cost = 1
        }
    }

    private init(text: String, of element: PageElement) {
        self.init(.text(text, type: nil, language: element.language))
    }

    private init(address: String?, of element: PageElement, base: String?) {
        guard let address else {
            self.init(text: element.text(limit: Self.limit), of: element)
            return
        }
        // Browsers ignore space around an address, and breaks of lines in it.
        let text = HTMLText.trimmed(address).filter { !$0.isNewline && $0 != "\t" }
        self.init(.address(IRI.resolve(text, against: base)))
    }
}
