import ArgumentParser
import BatonClient
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton log`
struct LogCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Show the daemon's records, or an app's output.")

    @Flag(name: .shortAndLong, help: "Stay, and show what happens.")
    var follow = false

    @Option(name: .long, help: "Show the newest N records, of an app lines (0: all).")
    var limit: UInt32 = 200

    @Option(
        name: .long, help: "Show an app's output: its bundle ID or name.", completion: DynamicCompletion.apps)
    var app: String?

    @Option(name: .long, help: "Only records of this acceptance; “baton continue --json” names it.")
    var acceptance: String?

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        try NonEmptyArgument.check(acceptance, "The acceptance is an empty text. Leave it out for every record.")
        try NonEmptyArgument.check(app, "The app is an empty text. Name one of “baton apps”, or leave it out.")
        guard app == nil || acceptance == nil else {
            throw ValidationError("An app's output belongs to no acceptance: leave out --app or --acceptance.")
        }
    }

    func run(in session: CommandSession) async throws {
        if let app { return try await showOutput(of: app, session) }
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

    private func showOutput(of app: String, _ session: CommandSession) async throws {
        let apps = try await session.call(ControlMethods.listApps, .init()).apps
        let bundleID = try AppReference.resolve(app, among: apps)
        guard let path = apps.first(where: { $0.identity.bundleID == bundleID })?.logPath, !path.isEmpty else {
            throw BatonError(
                .failedPrecondition, reason: "app_has_no_log",
                "\(bundleID) is not installed, so Baton did not start it: it prints where it was started.")
        }
        var output = AppOutput(path: path)
        try emit(try await output.newest(limit == 0 ? nil : Int(limit)), session)
        while follow {
            try await Task.sleep(for: AppOutput.pause)
            try emit(try await output.next(), session)
        }
    }

    private func emit(_ lines: [String], _ session: CommandSession) throws {
        for line in lines {
            let json: JSONValue = ["line": .string(line)]
            if session.isJSON { try session.emitLine(json.description) } else { try session.emitContent(line) }
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
        let time = TimeFormat.clockTime(
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
