import Glibc

/// How much a message matters. OSLog's, with Apple's numbers.
public struct OSLogType: RawRepresentable, Sendable, Hashable {
    /// Apple's number.
    public let rawValue: UInt8
    /// A type by its number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// A type by its number.
    public init(_ rawValue: UInt8) { self.rawValue = rawValue }
    /// Worth keeping.
    public static let `default` = Self(rawValue: 0)
    /// Helps at times.
    public static let info = Self(rawValue: 1)
    /// For developers; not written unless `OS_ACTIVITY_MODE` is `debug`.
    public static let debug = Self(rawValue: 2)
    /// Something failed.
    public static let error = Self(rawValue: 16)
    /// A mistake of the program or the system.
    public static let fault = Self(rawValue: 17)

    fileprivate var name: String {
        switch self {
        case .info: "info"
        case .debug: "debug"
        case .error: "error"
        case .fault: "fault"
        default: "default"
        }
    }
}

/// A part of an app, for the older functions. OSLog's.
public final class OSLog: Sendable {
    let logger: Logger

    /// A part of an app.
    public init(subsystem: String, category: String) { logger = Logger(subsystem: subsystem, category: category) }
    private init() { logger = Logger() }

    /// No part in particular.
    public static let `default` = OSLog()
    /// Writes nothing.
    public static let disabled = OSLog(subsystem: "", category: "disabled")

    /// Whether messages of a type are written.
    public func isEnabled(type: OSLogType) -> Bool { self !== OSLog.disabled && Logger.isWritten(type) }
}

/// Writes messages of a part of an app: one line each on standard error, with the time, the part and the type. OSLog's.
///
/// Values that are private show as `<private>`, unless standard error is a terminal. Safe to use from any thread.
public struct Logger: Sendable {
    private let label: String
    private let isDisabled: Bool

    /// No part in particular.
    public init() { (label, isDisabled) = ("", false) }
    /// A part of an app.
    public init(subsystem: String, category: String) {
        label = "\(subsystem):\(category)"
        isDisabled = label == ":disabled"
    }
    /// The part of an older log.
    public init(_ log: OSLog) { self = log.logger }

    private static let isTerminal = isatty(STDERR_FILENO) == 1
    private static let writesDebug = getenv("OS_ACTIVITY_MODE").map { String(cString: $0) == "debug" } ?? false

    static func isWritten(_ type: OSLogType) -> Bool { type != .debug || writesDebug }

    private func write(_ type: OSLogType, _ message: OSLogMessage) {
        guard !isDisabled, Self.isWritten(type) else { return }
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        var parts = tm()
        localtime_r(&now.tv_sec, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        // A line is a line: a message cannot pass for another one.
        let text = (Self.isTerminal ? message.open : message.shown).split(
            separator: "\n", omittingEmptySubsequences: false
        )
        .joined(separator: "\n    ")
        let line =
            "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) \(type.name) [\(label)] \(text)\n"
        let bytes = Array(line.utf8)
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// Writes a message of the default type.
    public func log(_ message: OSLogMessage) { write(.default, message) }
    /// Writes a message of a type.
    public func log(level: OSLogType, _ message: OSLogMessage) { write(level, message) }
    /// For developers.
    public func trace(_ message: OSLogMessage) { write(.debug, message) }
    /// For developers.
    public func debug(_ message: OSLogMessage) { write(.debug, message) }
    /// Helps at times.
    public func info(_ message: OSLogMessage) { write(.info, message) }
    /// Worth keeping.
    public func notice(_ message: OSLogMessage) { write(.default, message) }
    /// Something is not as it should be.
    public func warning(_ message: OSLogMessage) { write(.error, message) }
    /// Something failed.
    public func error(_ message: OSLogMessage) { write(.error, message) }
    /// A mistake of the program or the system.
    public func critical(_ message: OSLogMessage) { write(.fault, message) }
    /// A mistake of the program or the system.
    public func fault(_ message: OSLogMessage) { write(.fault, message) }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Writes a message. OSLog's.
public func os_log(_ message: OSLogMessage) { Logger().log(message) }

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Writes a message of a type. OSLog's.
public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: OSLogMessage) {
    log.logger.log(level: type, message)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Writes a message with values in the place of `%@`, `%d` and the like: `%{public}@` is shown, a text otherwise hidden. OSLog's.
public func os_log(
    _ message: StaticString, log: OSLog = .default, type: OSLogType = .default, _ arguments: any CVarArg...
) {
    log.logger.log(level: type, OSLogMessage(format: "\(message)", arguments))
}

extension OSLogMessage {
    /// Each place takes the next value, whatever its kind.
    init(format: String, _ arguments: [any CVarArg]) {
        var interpolation = StringInterpolation(literalCapacity: 0, interpolationCount: 0)
        var rest = Substring(format)
        var values = arguments[...]
        while let percent = rest.firstIndex(of: "%") {
            interpolation.appendLiteral(String(rest[..<percent]))
            rest = rest[percent...].dropFirst()
            if rest.first == "%" {
                interpolation.appendLiteral("%")
                rest = rest.dropFirst()
                continue
            }
            var privacy = OSLogPrivacy.auto
            if rest.first == "{", let end = rest.firstIndex(of: "}") {
                let options = rest[..<end]
                privacy = options.contains("public") ? .public : options.contains("private") ? .private : .auto
                rest = rest[end...].dropFirst()
            }
            let end = rest.firstIndex { $0.isLetter && !"hlqLzjt".contains($0) || $0 == "@" }
            rest = end.map { rest[$0...].dropFirst() } ?? ""
            guard let value = values.popFirst() else { continue }
            switch value {
            case let number as any FixedWidthInteger:
                interpolation.appendInterpolation("\(number)", privacy: privacy.orPublic)
            case let number as Double: interpolation.appendInterpolation("\(number)", privacy: privacy.orPublic)
            default: interpolation.appendInterpolation("\(value)", privacy: privacy)
            }
        }
        interpolation.appendLiteral(String(rest))
        self.init(stringInterpolation: interpolation)
    }
}

extension OSLogPrivacy {
    fileprivate var orPublic: OSLogPrivacy { if case .auto = level { .public } else { self } }
}
