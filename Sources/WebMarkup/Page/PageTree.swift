import CGumbo

/// The tree of a page's elements, which lives for as long as the call that it is given to.
struct PageTree {
    let root: PageElement

    /// Runs `body` with the tree; with nil where the page needs more memory than it may have.
    static func with<Result>(
        _ bytes: UnsafeBufferPointer<UInt8>, limit: Int, _ body: (PageTree?) throws -> Result
    ) rethrows -> Result {
        guard let arena = baton_arena_create(limit) else { return try body(nil) }
        defer { baton_arena_destroy(arena) }
        let output = bytes.withMemoryRebound(to: CChar.self) { characters in
            baton_gumbo_parse(arena, characters.baseAddress, characters.count)
        }
        guard let output, let root = output.pointee.document else { return try body(nil) }
        return try body(PageTree(root: PageElement(node: UnsafePointer(root))))
    }
}

/// An element of a page, or the whole document.
struct PageElement: Hashable {
    fileprivate let node: UnsafePointer<GumboNode>

    fileprivate init(node: UnsafePointer<GumboNode>) { self.node = node }

    var isElement: Bool { baton_gumbo_is_element(node) != 0 }
    var tag: GumboTag { isElement ? node.pointee.v.element.tag : GUMBO_TAG_UNKNOWN }
    var isForeign: Bool { isElement && node.pointee.v.element.tag_namespace != GUMBO_NAMESPACE_HTML }

    var parent: PageElement? {
        node.pointee.parent.map { PageElement(node: UnsafePointer($0)) }
    }

    func attribute(_ name: String) -> String? {
        guard isElement, node.pointee.v.element.attributes.length > 0,
            let value = baton_gumbo_attribute(node, name)
        else { return nil }
        return String(cString: value)
    }

    func has(_ name: String) -> Bool {
        isElement && node.pointee.v.element.attributes.length > 0 && baton_gumbo_attribute(node, name) != nil
    }

    var hasAttributes: Bool { isElement && node.pointee.v.element.attributes.length > 0 }

    /// The parts of an attribute that is a list.
    func words(_ name: String) -> [String] {
        attribute(name)?.split { $0 == " " || ($0.isASCII && $0.isWhitespace) }.map(String.init) ?? []
    }

    var children: Children { Children(vector: baton_gumbo_children(node).pointee) }

    struct Children: Sequence, IteratorProtocol {
        fileprivate let vector: GumboVector
        private var place: UInt32 = 0

        fileprivate init(vector: GumboVector) { self.vector = vector }

        /// The next child that is an element.
        mutating func next() -> PageElement? {
            while place < vector.length {
                guard let pointer = vector.data[Int(place)] else { return nil }
                place += 1
                let node = UnsafePointer(pointer.assumingMemoryBound(to: GumboNode.self))
                if baton_gumbo_is_element(node) != 0 { return PageElement(node: node) }
            }
            return nil
        }
    }

    /// The text within, of as many bytes at most.
    func text(limit: Int) -> String {
        var bytes: [UInt8] = []
        appendText(to: &bytes, limit: limit)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The tree is not deeper than the scanner lets it be, by a few elements.
    private func appendText(to bytes: inout [UInt8], limit: Int) {
        let vector = baton_gumbo_children(node).pointee
        for place in 0..<Int(vector.length) where bytes.count < limit {
            guard let pointer = vector.data[place] else { return }
            let child = UnsafePointer(pointer.assumingMemoryBound(to: GumboNode.self))
            if let text = baton_gumbo_text(child) {
                let length = strnlen(text, limit - bytes.count)
                text.withMemoryRebound(to: UInt8.self, capacity: length) {
                    bytes += UnsafeBufferPointer(start: $0, count: length)
                }
            } else if baton_gumbo_is_element(child) != 0 {
                PageElement(node: child).appendText(to: &bytes, limit: limit)
            }
        }
    }

    /// The language that holds here, which the nearest element around says.
    var language: String? {
        var element: PageElement? = self
        while let current = element {
            if let tag = current.attribute("lang") { return tag.isEmpty ? nil : tag }
            element = current.parent
        }
        return nil
    }

    /// Calls `body` with each element within, in the order of the page, until it returns false.
    func visit(_ body: (PageElement) -> Bool) {
        var iterators = [children]
        while !iterators.isEmpty {
            guard let element = iterators[iterators.count - 1].next() else {
                iterators.removeLast()
                continue
            }
            guard body(element) else { return }
            iterators.append(element.children)
        }
    }
}
