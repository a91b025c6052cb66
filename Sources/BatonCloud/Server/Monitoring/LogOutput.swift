import Foundation
import Logging
import Synchronization

/// The levels of the log, as an operator names them.
package enum LogLevel: String, CaseIterable, Sendable {
    case trace, debug, info, notice, warning, error, critical

    var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .notice }
}

/// How a line of the log is written.
package enum LogFormat: String, CaseIterable, Sendable {
    /// For people, with values as `name=value`.
    case text
    /// An object in each line.
    case json
}

extension CloudConfiguration {
    /// Once in a process, before anything is logged.
    func startLogging() {
        let (level, format) = (logLevel.level, logFormat)
        LoggingSystem.bootstrap { label in
            var handler: any LogHandler =
                switch format {
                case .text: StreamLogHandler.standardError(label: label)
                case .json: JSONLogHandler()
                }
            handler.logLevel = level
            return handler
        }
    }
}

/// Writes each event as an object of JSON in one line of standard error: `time`, `level`, `message`, and what belongs to it
/// under its own names.
struct JSONLogHandler: LogHandler {
    var logLevel = Logger.Level.notice
    var metadata = Logger.Metadata()
    /// Where lines go.
    var write: @Sendable (Data) -> Void = { FileHandle.standardError.write($0) }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var fields = metadata.merging(event.metadata ?? [:]) { $1 }.mapValues { "\($0)" }
        fields["time"] = Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        fields["level"] = event.level.rawValue
        fields["message"] = "\(event.message)"
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard var line = try? encoder.encode(fields) else { return }
        line.append(0x0A)
        write(line)
    }
}
