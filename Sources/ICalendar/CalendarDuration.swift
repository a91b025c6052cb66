/// A duration as `-PT15M`, `P1DT2H` or `P2W`.
package struct CalendarDuration: Hashable, Sendable {
    package var seconds: Int

    /// 100 years. Policy: longer ones are invalid.
    private static let maximum = 100 * 366 * 86_400

    package init(seconds: Int) { self.seconds = seconds }

    package init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        guard rest.popFirst() == UInt8(ascii: "P"), !rest.isEmpty else { return nil }
        var total = 0
        var isTime = false
        var number: Int?
        for byte in rest {
            if (0x30...0x39).contains(byte) {
                let next = (number ?? 0) * 10 + Int(byte - 0x30)
                guard next <= Self.maximum else { return nil }
                number = next
                continue
            }
            if byte == UInt8(ascii: "T"), number == nil, !isTime {
                isTime = true
                continue
            }
            guard let count = number, let unit = Self.unit(byte, isTime) else { return nil }
            let (product, isOver) = count.multipliedReportingOverflow(by: unit)
            guard !isOver, product <= Self.maximum else { return nil }
            total += product
            guard total <= Self.maximum else { return nil }
            number = nil
        }
        guard number == nil else { return nil }
        seconds = isNegative ? -total : total
    }

    /// Some programs leave out the T where it is not needed: P0S.
    private static func unit(_ byte: UInt8, _ isTime: Bool) -> Int? {
        switch (byte, isTime) {
        case (UInt8(ascii: "W"), false): 7 * 86_400
        case (UInt8(ascii: "D"), false): 86_400
        case (UInt8(ascii: "H"), true): 3600
        case (UInt8(ascii: "M"), true): 60
        case (UInt8(ascii: "S"), _): 1
        default: nil
        }
    }

    package var text: String {
        var rest = abs(seconds)
        let days = rest / 86_400
        rest %= 86_400
        var time = ""
        for (unit, letter) in [(3600, "H"), (60, "M"), (1, "S")] where rest >= unit {
            time += "\(rest / unit)\(letter)"
            rest %= unit
        }
        if days == 0, time.isEmpty { time = "0S" }
        return (seconds < 0 ? "-" : "") + "P" + (days > 0 ? "\(days)D" : "") + (time.isEmpty ? "" : "T" + time)
    }
}
