/// How many letters must change to make one word of another: added, removed, replaced, or two neighbours exchanged.
package enum EditDistance {
    /// - Returns: nil for a distance above the limit.
    package static func between<Letter: Equatable>(
        _ left: [Letter], _ right: ArraySlice<Letter>, limit: Int
    ) -> Int? {
        guard abs(left.count - right.count) <= limit else { return nil }
        let right = Array(right)
        guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
        var before = [Int](repeating: 0, count: right.count + 1)
        var above = Array(0...right.count)
        var current = above
        for row in 1...left.count {
            current[0] = row
            var least = row
            for column in 1...right.count {
                let cost = left[row - 1] == right[column - 1] ? 0 : 1
                var value = min(above[column] + 1, current[column - 1] + 1, above[column - 1] + cost)
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                    value = min(value, before[column - 2] + 1)
                }
                current[column] = value
                least = min(least, value)
            }
            guard least <= limit else { return nil }
            (before, above, current) = (above, current, before)
        }
        return above[right.count] <= limit ? above[right.count] : nil
    }
}
