import BatonCore
import Yams

/// A problem with a value: the rest of a sentence that begins with the setting's name.
struct ConfigurationProblem: Error {
    var text: String
}

/// A value of a configuration file, to be read as what its setting is.
struct ConfigurationValue {
    let node: Node
    let name: String

    func text() throws -> String {
        guard case .scalar(let scalar) = node, !scalar.string.isEmpty else {
            throw ConfigurationProblem(text: "must be a text.")
        }
        return scalar.string
    }

    /// One, or a list.
    func texts() throws -> [String] {
        guard case .sequence(let sequence) = node else { return [try text()] }
        return try sequence.map { try ConfigurationValue(node: $0, name: name).text() }
    }

    /// One at least: to name none is to leave the setting out.
    func someTexts() throws -> [String] {
        let texts = try texts()
        guard !texts.isEmpty else {
            throw ConfigurationProblem(text: "names none. Name one at least, or leave the setting out.")
        }
        return texts
    }

    func path() throws -> String {
        let path = try text()
        guard path.hasPrefix("/") else {
            throw ConfigurationProblem(text: "must be a whole path, from “/” on.")
        }
        return path
    }

    func flag() throws -> Bool {
        guard let flag = node.bool else { throw ConfigurationProblem(text: "must be true or false.") }
        return flag
    }

    func number(_ range: ClosedRange<Int>) throws -> Int {
        guard let number = Int(try text()), range.contains(number) else {
            throw ConfigurationProblem(
                text: "must be a number between \(range.lowerBound) and \(range.upperBound).")
        }
        return number
    }

    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ type: Choice.Type) throws -> Choice {
        guard let choice = Choice(rawValue: try text()) else {
            throw ConfigurationProblem(
                text: "must be one of: \(Choice.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return choice
    }

    // MARK: With units

    private static let sizes: [String: UInt64] = [
        "": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
    ]
    private static let times: [String: UInt64] = [
        "minute": 60_000, "minutes": 60_000, "hour": 3_600_000, "hours": 3_600_000, "day": 86_400_000,
        "days": 86_400_000,
    ]

    /// - Parameter plain: the least number, but for 0, that is taken without a unit: a smaller one hardly means bytes.
    func bytes(_ range: ClosedRange<UInt64>, plain: UInt64 = 0) throws -> UInt64 {
        try Self.bytes(try text(), range, plain: plain)
    }

    /// As a person writes it.
    static func bytes(_ text: String, _ range: ClosedRange<UInt64>, plain: UInt64 = 0) throws -> UInt64 {
        guard let bytes = quantity(text, sizes), range.contains(bytes) else {
            throw ConfigurationProblem(
                text: "must be a size between \(size(range.lowerBound)) and \(size(range.upperBound)), as in "
                    + "“4 MiB” (B, KiB, MiB, GiB, TiB).")
        }
        guard bytes == 0 || bytes >= plain || UInt64(text) == nil else {
            throw ConfigurationProblem(
                text: "must have a unit, as in “10 GiB” (B, KiB, MiB, GiB, TiB): without one it is \(bytes) bytes.")
        }
        return bytes
    }

    func bytes(_ range: ClosedRange<Int>) throws -> Int {
        Int(clamping: try bytes(UInt64(range.lowerBound)...UInt64(range.upperBound)))
    }

    /// In milliseconds.
    func time(_ range: ClosedRange<UInt64>) throws -> UInt64 {
        guard let time = Self.quantity(try text(), Self.times), range.contains(time) else {
            throw ConfigurationProblem(
                text: "must be a time between \(range.lowerBound / 3_600_000) hours and "
                    + "\(range.upperBound / 86_400_000) days, as in “36 hours” (minutes, hours, days).")
        }
        return time
    }

    /// A whole number and a unit.
    private static func quantity(_ text: String, _ units: [String: UInt64]) -> UInt64? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }
        guard let number = UInt64(digits), let factor = units[String(unit)] else { return nil }
        let (product, overflows) = number.multipliedReportingOverflow(by: factor)
        return overflows ? nil : product
    }

    private static func size(_ bytes: UInt64) -> String {
        let unit = sizes.filter { $0.key.count == 3 && bytes >= $0.value && bytes % $0.value == 0 }
            .max { $0.value < $1.value }
        return unit.map { "\(bytes / $0.value) \($0.key)" } ?? "\(bytes) B"
    }
}
