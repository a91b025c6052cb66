/// How large the chunks of a file are. It is kept with the version, so that the next one is cut in the same way.
package enum ChunkSizes: UInt8, Hashable, Sendable, CaseIterable {
    /// 16, 64 and 256 KiB: files below 2 GiB.
    case small = 1
    /// 64, 256 and 1024 KiB: files below 32 GiB.
    case medium = 2
    /// 256 KiB, 1 MiB and 4 MiB.
    case large = 3

    package var mean: Int { 64 * 1024 << (2 * (Int(rawValue) - 1)) }
    package var minimum: Int { mean / 4 }
    package var maximum: Int { mean * 4 }

    /// Below this a file has these sizes.
    private var fileBytes: UInt64 {
        switch self {
        case .small: 2 << 30
        case .medium: 32 << 30
        case .large: .max
        }
    }

    /// - Parameter current: the sizes of the version before, which stay until the file is four times out of their range:
    ///   other sizes would send the whole file again.
    package static func suiting(_ size: UInt64, current: ChunkSizes? = nil) -> ChunkSizes {
        let best = allCases.first { size < $0.fileBytes } ?? .large
        guard let current, current != best else { return best }
        let (limit, isOver) = current.fileBytes.multipliedReportingOverflow(by: 4)
        if best.rawValue > current.rawValue { return isOver || size < limit ? current : best }
        return size >= best.fileBytes / 4 ? current : best
    }
}
