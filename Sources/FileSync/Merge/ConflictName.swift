package import BatonCore

/// Names for what had to give way: `stem (conflict 2026-03-14 Kitchen 1a2b).ext`.
package enum ConflictName {
    /// - Parameter device: where it was saved; nil where that is not known.
    package static func name(
        for name: EntryName, kind: EntryKind, time: HybridTimestamp, device: String?, id: EntryID
    ) -> EntryName {
        let split = kind == .directory ? name.bytes.count : name.extensionStart
        var stem = Array(name.bytes[..<split])
        let ending = Array(name.bytes[split...])
        // A name that was made here gets the whole identifier: nothing else can have it.
        let isAgain = String(decoding: stem, as: UTF8.self).contains(" (conflict ")
        let mark = isAgain ? id.description : String(id.description.suffix(6))
        let owner = device.map { $0.map { $0 == "/" || $0 == "\0" ? "-" : String($0) }.joined() + " " } ?? ""
        let suffix = Array(" (conflict \(day(of: time)) \(owner)\(mark))".utf8)
        let room = 255 - suffix.count - ending.count
        if stem.count > room { stem = cut(stem, to: max(room, 0)) }
        return EntryName(unchecked: stem + suffix + ending)
    }

    /// Not in the middle of a character, where it is UTF-8.
    static func cut(_ bytes: [UInt8], to count: Int) -> [UInt8] {
        guard bytes.count > count else { return bytes }
        var end = count
        while end > 0, end > count - 4, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return Array(bytes[..<(bytes[end] & 0xC0 == 0x80 ? count : end)])
    }

    /// The day in UTC: the same on all devices.
    package static func day(of time: HybridTimestamp) -> String {
        var days = Int(time.milliseconds / 86_400_000) + 719_468
        let era = days / 146_097
        days -= era * 146_097
        let yearOfEra = (days - days / 1460 + days / 36_524 - days / 146_096) / 365
        let dayOfYear = days - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shifted + 2) / 5 + 1
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(width - digits.count, 0)) + digits
    }
}
