/// Numbers, times and dates that are one word.
enum NumberWord {
    static func integer(_ word: String) -> Int? {
        guard (1...4).contains(word.utf8.count), word.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(word)
    }

    /// 6:30 may be the evening's; 18:30 and 06:30 say what they mean.
    static func clocks(_ word: String) -> [[String: Slots.Value]] {
        let separator: Character = word.contains(":") ? ":" : "."
        let parts = word.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
        guard (2...3).contains(parts.count), separator == ":" || parts.count == 2,
            parts.dropFirst().allSatisfy({ $0.utf8.count == 2 }), let hour = integer(parts[0]), parts[0].count <= 2,
            let minute = integer(parts[1]), hour < 24 || hour == 24 && minute == 0, minute < 60
        else { return [] }
        var slots: [String: Slots.Value] = ["hour": .number(hour), "minute": .number(minute)]
        if parts[0].hasPrefix("0") { slots["exact"] = .number(1) }
        return [slots]
    }

    /// The hours and minutes of 1:30.
    static func span(_ word: String, below limit: Int) -> [String: Slots.Value]? {
        guard word.contains(":"), let slots = clocks(word).first, case .number(let hours)? = slots["hour"],
            hours < limit, let minutes = slots["minute"]
        else { return nil }
        return ["inhours": .number(hours), "inminutes": minutes]
    }

    /// 1730 and 0630 say what they mean; 530 may be the evening's.
    static func compactClock(_ word: String) -> [String: Slots.Value]? {
        guard (3...4).contains(word.utf8.count), let number = integer(word), number / 100 < 24, number % 100 < 60 else {
            return nil
        }
        var slots: [String: Slots.Value] = ["hour": .number(number / 100), "minute": .number(number % 100)]
        if word.hasPrefix("0") { slots["exact"] = .number(1) }
        return slots
    }

    /// $20, €20 and 20€.
    static func isMoney(_ word: String) -> Bool {
        word.contains { "$€£₺¥".contains($0) } && word.contains { $0.isASCII && $0.isNumber }
            && word.allSatisfy { !$0.isLetter }
    }

    /// The 1 of 1.5, of 1,5 and of 1½, and the 0 of ½.
    static func half(_ word: String) -> Int? {
        if word.hasSuffix("½") { return word.count == 1 ? 0 : integer(String(word.dropLast())) }
        guard word.hasSuffix(".5") || word.hasSuffix(",5") else { return nil }
        return integer(String(word.dropLast(2)))
    }

    /// With a slash the day or the month may come first: both are given where both are possible.
    static func dates(_ word: String) -> [[String: Slots.Value]] {
        if word.contains("-") {
            let parts = numbers(word, "-")
            return parts.count == 3 ? dates(parts) : []
        }
        if word.contains("/") {
            let parts = numbers(word, "/")
            return (2...3).contains(parts.count) ? dates(parts) : []
        }
        let parts = numbers(word.hasSuffix(".") ? String(word.dropLast()) : word, ".")
        guard (2...3).contains(parts.count) else { return [] }
        return date(day: parts[0], month: parts[1], year: parts.count == 3 ? parts[2] : nil)
    }

    private static func dates(_ parts: [Int]) -> [[String: Slots.Value]] {
        if parts.count == 3, parts[0] > 1000 { return date(day: parts[2], month: parts[1], year: parts[0]) }
        let year = parts.count == 3 ? parts[2] : nil
        let one = date(day: parts[1], month: parts[0], year: year)
        let other = date(day: parts[0], month: parts[1], year: year)
        return parts[0] == parts[1] ? one : one + other
    }

    private static func numbers(_ word: String, _ separator: Character) -> [Int] {
        let parts = word.split(separator: separator, omittingEmptySubsequences: false)
        let numbers = parts.compactMap { integer(String($0)) }
        return numbers.count == parts.count ? numbers : []
    }

    private static func date(day: Int, month: Int, year: Int?) -> [[String: Slots.Value]] {
        guard (1...31).contains(day), (1...12).contains(month) else { return [] }
        var slots: [String: Slots.Value] = ["day": .number(day), "month": .number(month)]
        if let year { slots["year"] = .number(year < 100 ? 2000 + year : year) }
        return [slots]
    }
}
