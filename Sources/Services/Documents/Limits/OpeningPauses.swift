/// When a folder that could not be opened is tried again: soon at first, since a disk that is being mounted is ready in a moment, and ever
/// less often.
struct OpeningPauses {
    /// Looks at the folders.
    private static let longest = 12

    private var next = 1
    private var left = 0

    mutating func failed() {
        left = next - 1
        next = min(next * 2, Self.longest)
    }

    /// Asked at each look.
    mutating func isDue() -> Bool {
        guard left > 0 else { return true }
        left -= 1
        return false
    }
}
