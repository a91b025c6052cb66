/// Whether a content that comes fits on a disk, beside others that are on their way. Without it several of them could fill the disk
/// together, and none would ever be whole.
struct ContentRoom {
    /// Stays free: others write to the disk too.
    private static let reserve: UInt64 = 16 << 20

    /// A content that comes.
    struct Coming {
        var size: UInt64
        /// Bytes of it that have room already.
        var here: UInt64

        var rest: UInt64 { size - min(size, here) }
    }

    /// Bytes.
    var free: UInt64
    var others: [Coming]

    func fits(_ content: Coming) -> Bool {
        let rest = content.rest
        var needed = rest.addingSaturated(min(rest, Self.reserve))
        for other in others { needed = needed.addingSaturated(other.rest) }
        return needed <= free
    }
}

extension UInt64 {
    fileprivate func addingSaturated(_ other: UInt64) -> UInt64 {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? .max : sum
    }
}
