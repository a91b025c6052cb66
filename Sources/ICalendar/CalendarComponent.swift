/// A component of RFC 5545, as VTODO: its lines and the components within it, in the order of the file.
///
/// Unchanged parts are written byte for byte as they were read.
package struct CalendarComponent: Hashable, Sendable {
    package enum Item: Hashable, Sendable {
        case line(ContentLine)
        case component(CalendarComponent)
    }

    /// In upper case.
    package let name: String
    let begin: ContentLine
    /// Nil where the file ends before.
    var end: ContentLine?
    package var items: [Item]

    init(name: String, begin: ContentLine, end: ContentLine?, items: [Item]) {
        self.name = name
        self.begin = begin
        self.end = end
        self.items = items
    }

    /// A new one.
    package init(_ name: String, _ items: [Item] = []) {
        self.init(
            name: name, begin: ContentLine("BEGIN", value: name), end: ContentLine("END", value: name), items: items)
    }

    // MARK: Lines

    package var lines: [ContentLine] {
        items.compactMap { if case .line(let line) = $0 { line } else { nil } }
    }

    package var components: [CalendarComponent] {
        items.compactMap { if case .component(let component) = $0 { component } else { nil } }
    }

    /// The first line of that name.
    package func line(_ name: String) -> ContentLine? {
        for case .line(let line) in items where line.name == name { return line }
        return nil
    }

    /// Replaces the first line of that name and removes any further ones; without one it is added before the components.
    /// - Parameter line: nil removes.
    package mutating func set(_ line: ContentLine?, for name: String) {
        var isPlaced = false
        var result: [Item] = []
        result.reserveCapacity(items.count + 1)
        for item in items {
            guard case .line(let old) = item, old.name == name else {
                result.append(item)
                continue
            }
            if let line, !isPlaced { result.append(.line(line)) }
            isPlaced = true
        }
        if let line, !isPlaced {
            let place = result.firstIndex { if case .component = $0 { true } else { false } } ?? result.endIndex
            result.insert(.line(line), at: place)
        }
        items = result
    }

    package mutating func set(text: String?, for name: String) {
        set(text.map { ContentLine(name, value: CalendarText.escaped($0)) }, for: name)
    }

    // MARK: Writing

    /// All bytes, as they stand in a file.
    func write(to bytes: inout [UInt8]) {
        bytes += begin.raw
        for item in items {
            switch item {
            case .line(let line): bytes += line.raw
            case .component(let component): component.write(to: &bytes)
            }
        }
        if let end { bytes += end.raw }
    }
}
