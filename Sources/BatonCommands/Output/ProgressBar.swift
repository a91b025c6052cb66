/// How far something is, as a bar.
enum ProgressBar {
    /// - Parameters:
    ///   - done: of `total`, in whatever unit.
    ///   - width: columns, without the percentage behind it.
    /// - Returns: empty where the total is not known.
    static func text(_ done: UInt64, of total: UInt64, width: Int = 10) -> String {
        guard total > 0 else { return "" }
        let fraction = min(1, Double(done) / Double(total))
        // Full only at the end.
        let filled = done >= total ? width : min(width - 1, Int(fraction * Double(width)))
        let percent = done >= total ? 100 : min(99, Int(fraction * 100))
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        return "\(bar) \(percent) %"
    }
}
