/// The reasons for which a text is no calendar.
package enum CalendarError: Error, Hashable, Sendable {
    case tooLarge(bytes: Int)
    case tooDeep
    case noCalendar
    /// An END without its BEGIN, or a BEGIN without an END.
    case notClosed(String)

    /// For a person, as a sentence.
    package var message: String {
        switch self {
        case .tooLarge(let bytes): "It has \(bytes) bytes; at most \(CalendarFile.maximumSize) are read."
        case .tooDeep: "Components are nested more than \(CalendarFile.maximumDepth) deep."
        case .noCalendar: "It is no calendar: there is no BEGIN:VCALENDAR."
        case .notClosed(let name): "BEGIN and END of \(name) do not belong together."
        }
    }
}

/// An iCalendar file (RFC 5545) as a tree of its lines. Whatever is not changed is written as it was read, byte for byte.
///
/// Reading takes time and memory linear in the size.
package struct CalendarFile: Hashable, Sendable {
    /// In bytes. Policy: a larger file is refused.
    package static let maximumSize = 1 << 20
    /// Components within each other. Policy: deeper ones are refused.
    package static let maximumDepth = 16

    /// The components of the outermost level, mostly one VCALENDAR, and what stands around them.
    package var items: [CalendarComponent.Item]

    package init(_ calendar: CalendarComponent) { items = [.component(calendar)] }

    package init(_ bytes: [UInt8]) throws(CalendarError) {
        guard bytes.count <= Self.maximumSize else { throw .tooLarge(bytes: bytes.count) }
        var open: [CalendarComponent] = []
        var outer: [CalendarComponent.Item] = []
        for raw in Self.lines(bytes) {
            let line = ContentLine(raw: raw)
            if line.name == "BEGIN" {
                guard open.count < Self.maximumDepth else { throw .tooDeep }
                open.append(
                    CalendarComponent(name: Self.componentName(line), begin: line, end: nil, items: []))
            } else if line.name == "END" {
                guard var last = open.popLast(), last.name == Self.componentName(line) else {
                    throw .notClosed(String(Self.componentName(line).prefix(40)))
                }
                last.end = line
                if open.isEmpty {
                    outer.append(.component(last))
                } else {
                    open[open.count - 1].items.append(.component(last))
                }
            } else if open.isEmpty {
                outer.append(.line(line))
            } else {
                open[open.count - 1].items.append(.line(line))
            }
        }
        if let last = open.last { throw .notClosed(String(last.name.prefix(40))) }
        items = outer
        guard calendars.contains(where: { $0.name == "VCALENDAR" }) else { throw .noCalendar }
    }

    private static func componentName(_ line: ContentLine) -> String {
        var name = line.value[...]
        while name.last?.isWhitespace == true { name.removeLast() }
        return name.uppercased()
    }

    /// The lines with their folds and ends. CRLF, LF and CR end a line; a byte order mark belongs to the first one's bytes.
    private static func lines(_ bytes: [UInt8]) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var start = 0
        var index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        if index > 0 {
            lines.append(Array(bytes[..<index]))
            start = index
        }
        while index < bytes.count {
            guard bytes[index] == 0x0D || bytes[index] == 0x0A else {
                index += 1
                continue
            }
            if bytes[index] == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A { index += 1 }
            index += 1
            if index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { continue }
            lines.append(Array(bytes[start..<index]))
            start = index
        }
        if start < bytes.count { lines.append(Array(bytes[start...])) }
        return lines
    }

    package var calendars: [CalendarComponent] {
        items.compactMap { if case .component(let component) = $0 { component } else { nil } }
    }

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for item in items {
            switch item {
            case .line(let line): bytes += line.raw
            case .component(let component): component.write(to: &bytes)
            }
        }
        return bytes
    }

    // MARK: To-dos

    /// Every VTODO that is no exception to a repeating one.
    package var todos: [CalendarComponent] {
        calendars.filter { $0.name == "VCALENDAR" }.flatMap(\.components).filter {
            $0.name == "VTODO" && $0.line("RECURRENCE-ID") == nil
        }
    }

    /// The first to-do, with what the file says of its single occurrences.
    package var todo: CalendarTodo? {
        todos.first.flatMap { CalendarTodo($0, zones: zones, overrides: overrides) }
    }

    /// The exceptions to the first to-do (RECURRENCE-ID): occurrences that were done or changed by themselves.
    package var overrides: [CalendarComponent] {
        let uid = todos.first?.line("UID")?.value
        return calendars.filter { $0.name == "VCALENDAR" }.flatMap(\.components).filter {
            $0.name == "VTODO" && $0.line("RECURRENCE-ID") != nil && $0.line("UID")?.value == uid
        }
    }

    /// The rules of time zones that the file brings, by their TZID.
    package var zones: CalendarZones {
        CalendarZones(
            calendars.filter { $0.name == "VCALENDAR" }.flatMap(\.components).filter { $0.name == "VTIMEZONE" })
    }

    /// Changes the first VTODO.
    /// - Returns: false where there is none.
    @discardableResult
    package mutating func changeTodo(_ body: (inout CalendarComponent) -> Void) -> Bool {
        for (index, item) in items.enumerated() {
            guard case .component(var calendar) = item, calendar.name == "VCALENDAR" else { continue }
            for (place, inner) in calendar.items.enumerated() {
                guard case .component(var todo) = inner, todo.name == "VTODO", todo.line("RECURRENCE-ID") == nil else {
                    continue
                }
                body(&todo)
                calendar.items[place] = .component(todo)
                items[index] = .component(calendar)
                return true
            }
        }
        return false
    }
}
