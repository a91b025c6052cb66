import Foundation

/// A number as apps put it into dictionaries: any of Swift's, or Foundation's.
struct MediaNumber {
    let real: Double

    /// - Returns: nil for what is no finite number.
    init?(_ value: Any?) {
        let number: Double? =
            switch value {
            case let number as NSNumber: number.doubleValue
            case let number as Double: number
            case let number as Float: Double(number)
            case let number as any BinaryInteger: Double(number)
            default: nil
            }
        guard let number, number.isFinite else { return nil }
        real = number
    }

    var integer: Int64? { Int64(exactly: real.rounded(.towardZero)) }

    var count: UInt32 { UInt32(clamping: integer ?? 0) }
}
