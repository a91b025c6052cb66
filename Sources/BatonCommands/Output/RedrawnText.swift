/// A block of lines at the bottom of a terminal that is drawn over and over.
package struct RedrawnText {
    private let columns: Int?
    private var height = 0

    /// - Parameter columns: where the terminal wraps lines. One that is resized meanwhile may keep rows of the old block.
    package init(columns: Int?) { self.columns = columns }

    /// The output that puts `text` in place of the previous block.
    package mutating func replacing(with text: String) -> String {
        // Up to the first row of the block, then clear from there to the end of the screen.
        let start = height == 0 ? "" : "\u{1B}[\(height)A\u{1B}[J"
        let text = TerminalText.defuse(text)
        height = TerminalText.rows(text, columns: columns)
        return start + text + "\n"
    }
}
