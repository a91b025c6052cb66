/// The lexical form of a text: the type of XML Schema that its letters fit.
struct LexicalForm {
    let type: String

    private init(_ name: String) { type = "http://www.w3.org/2001/XMLSchema#" + name }

    init?(number text: String) {
        var pattern = Pattern(text)
        _ = pattern.take("+") || pattern.take("-")
        guard pattern.takeDigits(1...64) else { return nil }
        if pattern.isAtEnd {
            self.init("integer")
            return
        }
        if pattern.take("."), !pattern.takeDigits(1...64) { return nil }
        if pattern.take("e") || pattern.take("E") {
            _ = pattern.take("+") || pattern.take("-")
            guard pattern.takeDigits(1...8) else { return nil }
        }
        guard pattern.isAtEnd else { return nil }
        self.init("double")
    }

    /// A date, a time, a duration, or a part of a date.
    init?(time text: String) {
        // No date is longer.
        guard text.utf8.count < 64 else { return nil }
        let kinds: [(String, (inout Pattern) -> Bool)] = [
            ("dateTime", { $0.takeDate() && $0.take("T") && $0.takeTime() && $0.takeZone() }),
            ("date", { $0.takeDate() && $0.takeZone() }),
            ("time", { $0.takeTime() && $0.takeZone() }),
            ("duration", { $0.takeDuration() }),
            ("gYearMonth", { $0.takeDigits(4...4) && $0.take("-") && $0.takeDigits(2...2) }),
            ("gYear", { $0.takeDigits(4...4) }),
        ]
        for (name, matches) in kinds {
            var pattern = Pattern(text)
            if matches(&pattern), pattern.isAtEnd {
                self.init(name)
                return
            }
        }
        return nil
    }

    private struct Pattern {
        private var rest: Substring.UTF8View

        init(_ text: String) { rest = text[...].utf8 }

        var isAtEnd: Bool { rest.isEmpty }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: character) else { return false }
            rest.removeFirst()
            return true
        }

        mutating func takeDigits(_ counts: ClosedRange<Int>) -> Bool {
            let count = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }.count
            guard counts.contains(count) else { return false }
            rest = rest.dropFirst(count)
            return true
        }

        mutating func takeDate() -> Bool {
            takeDigits(4...4) && take("-") && takeDigits(2...2) && take("-") && takeDigits(2...2)
        }

        mutating func takeTime() -> Bool {
            guard takeDigits(2...2), take(":"), takeDigits(2...2) else { return false }
            guard take(":") else { return true }
            return takeDigits(2...2) && (!take(".") || takeDigits(1...9))
        }

        mutating func takeZone() -> Bool {
            if take("Z") || isAtEnd { return true }
            return (take("+") || take("-")) && takeDigits(2...2) && take(":") && takeDigits(2...2)
        }

        mutating func takeDuration() -> Bool {
            guard take("P") else { return false }
            var parts = takeParts("YMWD")
            if take("T") {
                let times = takeParts("HMS")
                guard times > 0 else { return false }
                parts += times
            }
            return parts > 0
        }

        /// How many numbers with their letters there are.
        private mutating func takeParts(_ letters: String) -> Int {
            var count = 0
            for letter in letters.unicodeScalars {
                var probe = self
                guard probe.takeDigits(1...9), !probe.take(".") || probe.takeDigits(1...9), probe.take(letter) else {
                    continue
                }
                self = probe
                count += 1
            }
            return count
        }
    }
}
