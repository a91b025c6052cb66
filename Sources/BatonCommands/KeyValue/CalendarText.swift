/// A moment as in 2026-01-31T12:00:00.5+01:00, whose form a parser has found right: whether the calendar has it. Parsers
/// take the 30th of February for the 2nd of March.
enum CalendarText {
    static func isPossible(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        // Year, month, day, hour, minute and second, each at its place.
        let fields = [0..<4, 5..<7, 8..<10, 11..<13, 14..<16, 17..<19].map { number(bytes, $0) }
        guard case (let year?, let month?, let day?) = (fields[0], fields[1], fields[2]),
            case (let hour?, let minute?, let second?) = (fields[3], fields[4], fields[5])
        else { return false }
        return (1...12).contains(month) && day >= 1 && day <= days(in: month, of: year)
            && hour < 24 && minute < 60 && second < 60 && isPossible(offset: bytes.dropFirst(19))
    }

    /// - Parameter rest: the text behind the seconds.
    private static func isPossible(offset rest: ArraySlice<UInt8>) -> Bool {
        guard let sign = rest.firstIndex(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }) else {
            return true
        }
        let digits = rest[(sign + 1)...].filter { $0 != UInt8(ascii: ":") }
        guard let hours = number(digits, 0..<2) else { return false }
        return hours < 24 && (digits.count == 2 || (number(digits, 2..<4) ?? 60) < 60)
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        default: 31
        }
    }

    private static func number(_ bytes: [UInt8], _ range: Range<Int>) -> Int? {
        guard range.upperBound <= bytes.count, bytes[range].allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(String(decoding: bytes[range], as: UTF8.self))
    }
}
