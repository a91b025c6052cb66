/// A version of dotted numbers, as `CFBundleVersion` holds: compared number by number, missing ones being 0.
package struct AppVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let description: String
    /// Without trailing zeros, so that 1.0 equals 1.
    private let numbers: [UInt64]

    /// - Returns: nil unless `text` is 1 to 8 numbers of at most 18 digits, separated by points.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 9, omittingEmptySubsequences: false)
        guard (1...8).contains(parts.count) else { return nil }
        var numbers: [UInt64] = []
        for part in parts {
            guard (1...18).contains(part.utf8.count), part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = UInt64(part)
            else { return nil }
            numbers.append(number)
        }
        while numbers.last == 0 { numbers.removeLast() }
        self.numbers = numbers
        description = text
    }

    package static func == (left: Self, right: Self) -> Bool { left.numbers == right.numbers }
    package func hash(into hasher: inout Hasher) { hasher.combine(numbers) }
    package static func < (left: Self, right: Self) -> Bool { left.numbers.lexicographicallyPrecedes(right.numbers) }
}
