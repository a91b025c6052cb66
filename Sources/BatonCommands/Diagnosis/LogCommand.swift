import ArgumentParser
import BatonClient
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton log`
struct LogCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Show what the daemon did.")

    @Flag(name: .shortAndLong, help: "Stay, and show what happens.")
    var follow = false

    @Option(name: .long, help: "At most so many of the newest records; 0 for all that are kept.")
    var limit: UInt32 = 200

    @Option(name: .long, help: "Only records of this acceptance; “baton continue --json” names it.")
    var acceptance: String?

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        try GivenText.check(acceptance, "The acceptance is an empty text. Leave it out for every record.")
    }

    func run(in session: CommandSession) async throws {
        let records = try await session.stream(
            ControlMethods.readLog,
            .with {
                $0.follow = follow
                $0.limit = limit
                $0.acceptanceID = acceptance ?? ""
            })
        var names = LogNames(session: session)
        for try await record in records {
            await names.learn(record.fields)
            if session.isJSON {
                try session.emitLine(json(record, names).description)
            } else {
                try session.emitLine(text(record, names, session))
            }
        }
    }

    private func json(_ record: Baton_Control_V1_LogRecord, _ names: LogNames) -> JSONValue {
        let fields = record.fields.sorted { $0.key < $1.key }
        return [
            "time_us": .init(record.time), "category": .string(record.category), "event": .string(record.event),
            "message": .string(record.message),
            "device_name": record.fields["device_id"].flatMap(names.device).map(JSONValue.string) ?? .null,
            "app_name": record.fields["bundle_id"].flatMap(names.app).map(JSONValue.string) ?? .null,
            "fields": .object(fields.map { .init($0.key, .string($0.value)) }),
        ]
    }

    private func text(_ record: Baton_Control_V1_LogRecord, _ names: LogNames, _ session: CommandSession) -> String {
        let time = Moment.clockTime(
            microseconds: record.time, now: session.context.clock.now, timeZone: session.context.timeZone)
        let details = record.fields.sorted { $0.key < $1.key }.map { key, value in
            switch key {
            case "device_id": "device=\(names.device(value) ?? value)"
            case "bundle_id": "app=\(names.app(value) ?? value)"
            default: "\(key)=\(value)"
            }
        }
        let category = TerminalText.pad(TerminalText.escape(record.category), to: 9)
        let line = "\(time)  \(session.paint(.bold, category))  \(TerminalText.escape(record.message))"
        guard !details.isEmpty else { return line }
        return line + "  " + session.paint(.faint, TerminalText.escape(details.joined(separator: " ")))
    }
}
