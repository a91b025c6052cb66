extension UInt64 {
    /// The sum, or the largest number where it is beyond: sparse files claim sizes whose sum no number holds.
    package func addingSaturated(_ other: UInt64) -> UInt64 {
        let (sum, isOver) = addingReportingOverflow(other)
        return isOver ? .max : sum
    }
}
