/// Rows under headings, each column as wide as its widest cell. Cells are escaped: they may hold anybody's text.
package struct TextTable: Sendable {
    package struct Column: Sendable {
        package var heading: String
        /// Gives up width when the terminal is too narrow, the widest first.
        package var isFlexible: Bool
        /// Is never cut: where the terminal is too narrow, its cells stand below their rows, in lines of their own.
        package var isWhole: Bool

        package init(_ heading: String, isFlexible: Bool = false, isWhole: Bool = false) {
            self.heading = heading
            self.isFlexible = isFlexible
            self.isWhole = isWhole
        }
    }

    private static let gap = 2
    private static let indentation = 4
    /// Flexible columns, before cells are put below their rows, and after.
    private static let readableWidth = 16
    private static let minimumWidth = 6

    private let columns: [Column]
    private let width: Int?
    private let paint: Paint
    private var rows: [[String]] = []
    /// Sentences about each row.
    private var notes: [[String]] = []

    package init(columns: [Column], width: Int?, paint: Paint) {
        self.columns = columns
        self.width = width
        self.paint = paint
    }

    package mutating func add(_ cells: String...) {
        precondition(cells.count == columns.count, "a row has as many cells as the table has columns")
        rows.append(cells.map(TerminalText.escape))
        notes.append([])
    }

    /// Sentences about the last row. They stand below it, in lines of their own.
    package mutating func add(notes sentences: [String]) {
        guard let last = notes.indices.last else { return }
        notes[last] += sentences.map(TerminalText.escape)
    }

    package var isEmpty: Bool { rows.isEmpty }

    package func render() -> String {
        var shown = Array(columns.indices)
        if excess(of: fitted(shown, floor: Self.readableWidth)) > 0 { shown.removeAll { columns[$0].isWhole } }
        let widths = fitted(shown, floor: Self.minimumWidth)
        let below = columns.indices.filter { !shown.contains($0) }
        var lines = [paint(.bold, line(shown.map { columns[$0].heading }, widths: widths))]
        for (row, notes) in zip(rows, notes) {
            lines.append(line(shown.map { row[$0] }, widths: widths))
            for text in below.map({ row[$0] }) + notes where !text.isEmpty {
                lines += TerminalText.wrap(text, to: width, indentation: Self.indentation)
            }
        }
        return lines.joined(separator: "\n")
    }

    private func line(_ cells: [String], widths: [Int]) -> String {
        let padded = zip(cells, widths).map { cell, width in
            TerminalText.pad(TerminalText.truncate(cell, to: width), to: width)
        }
        let line = padded.joined(separator: String(repeating: " ", count: Self.gap))
        return String(line.reversed().drop { $0 == " " }.reversed())
    }

    private func excess(of widths: [Int]) -> Int {
        guard let width else { return 0 }
        return widths.reduce(0, +) + Self.gap * (widths.count - 1) - width
    }

    /// The widths of columns: as wide as their cells, but for flexible ones that give up what is too much.
    private func fitted(_ shown: [Int], floor: Int) -> [Int] {
        var widths = shown.map { index in
            rows.map { TerminalText.width($0[index]) }.reduce(TerminalText.width(columns[index].heading), max)
        }
        var excess = excess(of: widths)
        while excess > 0 {
            let able = shown.indices.filter { columns[shown[$0]].isFlexible && widths[$0] > floor }
            guard let widest = able.max(by: { widths[$0] < widths[$1] }) else { break }
            let next = able.filter { $0 != widest }.map { widths[$0] }.max() ?? floor
            let taken = min(excess, max(1, widths[widest] - max(next, floor)))
            widths[widest] -= taken
            excess -= taken
        }
        return widths
    }
}
