/// A block of lines at the bottom of a terminal that is drawn over and over.
struct RedrawnText {
    private var height = 0

    /// What to print so that `text` stands where the block before stood.
    mutating func replacing(with text: String) -> String {
        // Up to the first line of the block, then clear from there to the end of the screen.
        let start = height == 0 ? "" : "\u{1B}[\(height)A\u{1B}[J"
        height = text.split(separator: "\n", omittingEmptySubsequences: false).count
        return start + text + "\n"
    }
}
