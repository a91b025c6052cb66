import Foundation

/// How the cells of a workbook show their numbers: only its styles say which of them are days.
struct CellStyles {
    private struct Format {
        var isDay = false
        var isTime = false
        var isPercent = false
        /// Digits behind the point; nil where as many are shown as there are.
        var decimals: Int?
    }

    /// Formats that have a number and no code, as ECMA-376 lists them.
    private static let days = [14...17, 22...22, 27...31, 36...36, 50...54, 57...58]
    private static let times = [18...22, 32...35, 45...47, 55...56]
    private static let decimals = [1: 0, 2: 2, 3: 0, 4: 2, 9: 0, 10: 2, 37: 0, 38: 0, 39: 2, 40: 2]
    private static let percents = 9...10
    /// Styles, and formats with a code, of a workbook. Policy: as many as programs write.
    private static let maximumStyles = 1 << 16
    /// Characters of a code that are looked at, and digits behind the point.
    private static let maximumCode = 255
    private static let maximumDecimals = 15
    /// The last day that workbooks know, and the one that they count though it never was: 29 February 1900.
    private static let lastDay = 2_958_465.0
    private static let noDay = 60
    private static let minutesOfDay = 1440

    /// Days are counted from 1904 on.
    var isFrom1904 = false
    private var formats: [Format] = []

    /// - Parameter bytes: `xl/styles.xml`.
    mutating func read(_ bytes: [UInt8]) {
        var codes: [Int: Format] = [:]
        var isCell = false
        var scanner = MarkupScanner(bytes)
        while let token = scanner.next() {
            switch token {
            case .start("numFmt", let bytes, _) where codes.count < Self.maximumStyles:
                let attributes = MarkupScanner.attributes(bytes)
                guard let number = attributes["numFmtId"].flatMap({ Int($0) }) else { continue }
                codes[number] = Self.format(code: attributes["formatCode"] ?? "")
            case .start("cellXfs", _, let isEmpty): isCell = !isEmpty
            case .end("cellXfs"): isCell = false
            case .start("xf", let bytes, _) where isCell && formats.count < Self.maximumStyles:
                let number = MarkupScanner.attributes(bytes)["numFmtId"].flatMap { Int($0) } ?? 0
                formats.append(codes[number] ?? Self.format(number: number))
            default: break
            }
        }
    }

    /// - Parameter value: a cell's, as the workbook has it.
    /// - Parameter style: its number among the styles.
    /// - Returns: nil for what is no number.
    func text(of value: String, style: Int) -> String? {
        guard let number = Double(value), number.isFinite else { return nil }
        let format = formats.indices.contains(style) ? formats[style] : Format()
        if format.isDay || format.isTime { return moment(number, format) }
        let shown = format.isPercent ? number * 100 : number
        let unit = format.isPercent ? "%" : ""
        guard abs(shown) < 1e15 else { return String(format: "%.15g", shown) + unit }
        // The digits beyond 15 are none that anybody wrote.
        return
            (format.decimals.map { String(format: "%.*f", $0, shown) } ?? Self.whole(shown)
            ?? String(format: "%.15g", shown)) + unit
    }

    private static func whole(_ number: Double) -> String? { Int(exactly: number).map(String.init) }

    private static func format(number: Int) -> Format {
        Format(
            isDay: days.contains { $0.contains(number) }, isTime: times.contains { $0.contains(number) },
            isPercent: percents.contains(number), decimals: decimals[number])
    }

    private static func format(code: String) -> Format {
        let signs = signs(of: code)
        if signs == "general" { return Format() }
        var format = Format()
        format.isTime = signs.contains { "hs".contains($0) }
        // “m” are minutes beside hours and seconds, else months.
        format.isDay = signs.contains { "dy".contains($0) || ($0 == "m" && !format.isTime) }
        format.isPercent = signs.contains("%")
        let isFixed = signs.contains("0") && !signs.contains { "e/".contains($0) }
        let behind = signs.firstIndex(of: ".").map { signs[signs.index(after: $0)...] } ?? ""
        if isFixed, !behind.contains(where: { "#?".contains($0) }) {
            format.decimals = min(behind.count { $0 == "0" }, maximumDecimals)
        }
        return format
    }

    /// A code for positive numbers, in small letters, without what stands for itself, colors and conditions.
    private static func signs(of code: String) -> String {
        var signs = ""
        var rest = code.prefix(maximumCode).lowercased()[...]
        while let sign = rest.popFirst(), sign != ";" {
            switch sign {
            case "\\", "_", "*": rest = rest.dropFirst()
            case "\"": rest = rest.drop { $0 != "\"" }.dropFirst()
            case "[":
                let inside = rest.prefix { $0 != "]" }
                rest = rest.dropFirst(inside.count + 1)
                // Hours, minutes or seconds in all.
                if inside.allSatisfy({ "hms".contains($0) }) { signs += inside.isEmpty ? "" : "h" }
            default: signs.append(sign)
            }
        }
        return signs
    }

    /// As in “2026-03-12 14:30”.
    private func moment(_ number: Double, _ format: Format) -> String? {
        guard (0...Self.lastDay).contains(number) else { return nil }
        let minutes = Int((number * Double(Self.minutesOfDay)).rounded())
        let (day, minute) = minutes.quotientAndRemainder(dividingBy: Self.minutesOfDay)
        var parts: [String] = []
        if format.isDay { parts.append(date(day)) }
        if format.isTime {
            // More than a day of hours is a length.
            let hours = minute / 60 + (format.isDay ? 0 : day * 24)
            parts.append("\(Self.padded(hours)):\(Self.padded(minute % 60))")
        }
        return parts.joined(separator: " ")
    }

    private func date(_ day: Int) -> String {
        // Days since 1 January 1970.
        let day = isFrom1904 ? day - 24_107 : day - 25_569 + (day < Self.noDay ? 1 : 0)
        let seconds = Double(day) * 86_400
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.year, .month, .day], from: Date(timeIntervalSince1970: seconds))
        return "\(parts.year ?? 0)-\(Self.padded(parts.month ?? 0))-\(Self.padded(parts.day ?? 0))"
    }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
