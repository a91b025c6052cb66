/// Who may read an interpolated value in a log. OSLog's.
public struct OSLogPrivacy: Sendable {
    /// How a value is hidden. Accepted: what is hidden shows nothing of itself here.
    public enum Mask: Sendable {
        /// By its hash.
        case hash
        /// Wholly.
        case none
    }

    enum Level: Sendable { case auto, `public`, `private` }
    let level: Level

    /// Numbers and Booleans are shown, texts and objects hidden.
    public static let auto = Self(level: .auto)
    /// Shown.
    public static let `public` = Self(level: .public)
    /// Hidden.
    public static let `private` = Self(level: .private)
    /// Hidden.
    public static let sensitive = Self(level: .private)
    /// Hidden.
    public static func `private`(mask: Mask) -> Self { .private }
    /// Hidden.
    public static func sensitive(mask: Mask) -> Self { .private }
    /// As ``auto``.
    public static func auto(mask: Mask) -> Self { .auto }
}

/// How wide an interpolated value is. OSLog's.
public struct OSLogStringAlignment: Sendable {
    let columns: Int
    let isRight: Bool

    /// As it is.
    public static let none = Self(columns: 0, isRight: true)
    /// With spaces before it.
    public static func right(columns: Int) -> Self { Self(columns: columns, isRight: true) }
    /// With spaces behind it.
    public static func left(columns: Int) -> Self { Self(columns: columns, isRight: false) }

    func apply(_ text: String) -> String {
        let padding = String(repeating: " ", count: max(0, columns - text.count))
        return isRight ? padding + text : text + padding
    }
}

/// How a whole number is written. OSLog's.
public struct OSLogIntegerFormatting: Sendable {
    let radix: Int
    let isUppercase: Bool
    let prefix: String
    let digits: Int

    /// With ten digits.
    public static let decimal = Self(radix: 10, isUppercase: false, prefix: "", digits: 0)
    /// With sixteen digits.
    public static let hex = Self(radix: 16, isUppercase: false, prefix: "", digits: 0)
    /// With eight digits.
    public static let octal = Self(radix: 8, isUppercase: false, prefix: "", digits: 0)
    /// With ten digits, as many as are asked for at least.
    public static func decimal(explicitPositiveSign: Bool = false, minDigits: Int = 0) -> Self {
        Self(radix: 10, isUppercase: false, prefix: explicitPositiveSign ? "+" : "", digits: minDigits)
    }
    /// With sixteen digits.
    public static func hex(
        explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false, minDigits: Int = 0
    ) -> Self {
        Self(radix: 16, isUppercase: uppercase, prefix: includePrefix ? "0x" : "", digits: minDigits)
    }

    func apply<Number: FixedWidthInteger>(_ number: Number) -> String {
        let digits = String(number.magnitude, radix: radix, uppercase: isUppercase)
        let zeros = String(repeating: "0", count: max(0, self.digits - digits.count))
        return (number < 0 ? "-" : prefix) + zeros + digits
    }
}

/// How a number with a fraction is written. OSLog's.
public struct OSLogFloatFormatting: Sendable {
    let precision: Int?

    /// With six digits behind the point.
    public static let fixed = Self(precision: 6)
    /// As short as it can be.
    public static let hybrid = Self(precision: nil)
    /// With so many digits behind the point.
    public static func fixed(precision: Int, explicitPositiveSign: Bool = false) -> Self { Self(precision: precision) }

    func apply(_ number: Double) -> String {
        guard let precision, number.isFinite, abs(number) < 1e15, (0...15).contains(precision) else {
            return "\(number)"
        }
        var scale = 1.0
        for _ in 0..<precision { scale *= 10 }
        let whole = (abs(number) * scale).rounded()
        guard whole < 9e18 else { return "\(number)" }
        var digits = String(UInt64(whole))
        if digits.count <= precision { digits = String(repeating: "0", count: precision + 1 - digits.count) + digits }
        let sign = number < 0 ? "-" : ""
        return precision == 0 ? sign + digits : sign + digits.dropLast(precision) + "." + digits.suffix(precision)
    }
}

/// How a Boolean is written. OSLog's.
public enum OSLogBoolFormat: Sendable {
    /// `true` and `false`.
    case truth
    /// `yes` and `no`.
    case answer
}

/// What is logged: a text with values, each of which is shown or hidden. OSLog's.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
    /// The parts of the text.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        var shown = ""
        var open = ""

        /// An empty text.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// A part of the program's own text.
        public mutating func appendLiteral(_ literal: String) {
            shown += literal
            open += literal
        }

        private mutating func append(_ text: String, _ privacy: OSLogPrivacy, isPublic: Bool) {
            open += text
            switch privacy.level {
            case .public: shown += text
            case .private: shown += "<private>"
            case .auto: shown += isPublic ? text : "<private>"
            }
        }

        /// A text: hidden unless it is public.
        public mutating func appendInterpolation(
            _ text: @autoclosure () -> String, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
        ) {
            append(align.apply(text()), privacy, isPublic: false)
        }

        /// A whole number: shown unless it is private.
        public mutating func appendInterpolation<Number: FixedWidthInteger>(
            _ number: @autoclosure () -> Number, format: OSLogIntegerFormatting = .decimal,
            align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
        ) {
            append(align.apply(format.apply(number())), privacy, isPublic: true)
        }

        /// A number: shown unless it is private.
        public mutating func appendInterpolation(
            _ number: @autoclosure () -> Double, format: OSLogFloatFormatting = .fixed,
            align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
        ) {
            append(align.apply(format.apply(number())), privacy, isPublic: true)
        }

        /// A number: shown unless it is private.
        public mutating func appendInterpolation(
            _ number: @autoclosure () -> Float, format: OSLogFloatFormatting = .fixed,
            align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
        ) {
            append(align.apply(format.apply(Double(number()))), privacy, isPublic: true)
        }

        /// A Boolean: shown unless it is private.
        public mutating func appendInterpolation(
            _ boolean: @autoclosure () -> Bool, format: OSLogBoolFormat = .truth, privacy: OSLogPrivacy = .auto
        ) {
            let value = boolean()
            let text = format == .truth ? "\(value)" : value ? "yes" : "no"
            append(text, privacy, isPublic: true)
        }

        /// A type's name: shown unless it is private.
        public mutating func appendInterpolation(
            _ type: @autoclosure () -> Any.Type, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
        ) {
            append(align.apply("\(type())"), privacy, isPublic: true)
        }

        /// A value with a description: hidden unless it is public.
        @_disfavoredOverload
        public mutating func appendInterpolation<Value: CustomStringConvertible>(
            _ value: @autoclosure () -> Value, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
        ) {
            append(align.apply(value().description), privacy, isPublic: false)
        }

        /// An error: hidden unless it is public.
        @_disfavoredOverload
        public mutating func appendInterpolation(
            _ error: @autoclosure () -> any Error, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
        ) {
            append(align.apply("\(error())"), privacy, isPublic: false)
        }
    }

    /// With what is private hidden.
    let shown: String
    /// With everything.
    let open: String

    /// A text without values.
    public init(stringLiteral value: String) { (shown, open) = (value, value) }
    /// A text with values.
    public init(stringInterpolation: StringInterpolation) {
        (shown, open) = (stringInterpolation.shown, stringInterpolation.open)
    }
}
