/// Rows under headings, each column as wide as its widest cell. Cells are escaped: they may hold anybody's text.
package struct TextTable: Sendable {
    package struct Column: Sendable {
        package var heading: String
        /// Gives up width first when the terminal is too narrow.
        package var isFlexible: Bool

        package init(_ heading: String, isFlexible: Bool = false) {
            self.heading = heading
            self.isFlexible = isFlexible
        }
    }

    private static let gap = 2
    private static let minimumWidth = 6

    private let columns: [Column]
    private let width: Int?
    private let paint: Paint
    private var rows: [[String]] = []

    package init(columns: [Column], width: Int?, paint: Paint) {
        self.columns = columns
        self.width = width
        self.paint = paint
    }

    package mutating func add(_ cells: String...) {
        precondition(cells.count == columns.count, "a row has as many cells as the table has columns")
        rows.append(cells.map(TerminalText.escape))
    }

    package var isEmpty: Bool { rows.isEmpty }

    package func render() -> String {
        let widths = columnWidths()
        let heading = line(columns.map(\.heading), widths: widths)
        return ([paint(.bold, heading)] + rows.map { line($0, widths: widths) }).joined(separator: "\n")
    }

    private func line(_ cells: [String], widths: [Int]) -> String {
        let padded = zip(cells, widths).map { cell, width in
            TerminalText.pad(TerminalText.truncate(cell, to: width), to: width)
        }
        let line = padded.joined(separator: String(repeating: " ", count: Self.gap))
        return String(line.reversed().drop { $0 == " " }.reversed())
    }

    private func columnWidths() -> [Int] {
        var widths = columns.indices.map { index in
            rows.map { TerminalText.width($0[index]) }.reduce(TerminalText.width(columns[index].heading), max)
        }
        guard let width else { return widths }
        var excess = widths.reduce(0, +) + Self.gap * (widths.count - 1) - width
        for index in columns.indices.reversed() where columns[index].isFlexible && excess > 0 {
            let taken = min(excess, max(0, widths[index] - Self.minimumWidth))
            widths[index] -= taken
            excess -= taken
        }
        return widths
    }
}
