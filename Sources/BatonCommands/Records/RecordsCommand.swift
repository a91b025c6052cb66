import ArgumentParser
import BatonClient
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// `baton records`
struct RecordsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "records", abstract: "Look into the databases that apps sync row by row.",
        discussion: """
            Without anything more it lists the containers with their zones. “baton explain records” says what is held back and \
            what waits.
            """,
        subcommands: [RecordsListCommand.self, RecordsShowCommand.self, RecordsResetCommand.self],
        defaultSubcommand: RecordsListCommand.self)
}

/// `baton records list`
struct RecordsListCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List containers and their zones: records, size, and what waits to be sent.")

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let containers = try await session.call(RecordsControlMethods.listRecordContainers, .init()).containers
        let hasCloud = await session.hasCloud
        try session.emit(
            json: ["containers": .array(containers.map(RecordsReport.json))],
            text: RecordsReport.text(containers, hasCloud: hasCloud, session))
    }
}

extension CommandSession {
    /// Whether records are sent to a cloud. Where that cannot be said, they are.
    fileprivate var hasCloud: Bool {
        get async { (try? await call(CloudControlMethods.getCloudStatus, .init()))?.state != .noCloud }
    }
}

/// `baton records show`
struct RecordsShowCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "List the records of a zone, or show one with its fields.")

    @Argument(
        help: "An app's bundle identifier, or a container, as in iCloud.com.example.App.",
        completion: DynamicCompletion.apps)
    var app: String

    @Argument(help: "The zone (default: the only one with records).")
    var zone: String?

    @Argument(help: "A record's name.")
    var name: String?

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        var records: [Baton_Control_V1_ShownRecord] = []
        var (after, zone) = ("", zone ?? "")
        repeat {
            let request = Baton_Control_V1_ShowRecordsRequest.with {
                $0.app = app
                $0.zone = zone
                $0.recordName = name ?? ""
                $0.after = after
            }
            let answer = try await session.call(RecordsControlMethods.showRecords, request)
            records += answer.records
            (after, zone) = (answer.next, answer.zone)
        } while !after.isEmpty
        let hasCloud = await session.hasCloud
        try session.emit(
            json: ["zone": .string(zone), "records": .array(records.map(RecordsReport.json))],
            text: name == nil
                ? RecordsReport.text(records, hasCloud: hasCloud, session)
                : records.map { RecordsReport.whole($0, session) }.joined(separator: "\n\n"))
    }
}

/// `baton records reset`
struct RecordsResetCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Forget what this device keeps of an app's databases, or delete it everywhere.",
        discussion: "Records of the account's cloud and other devices come back, unless they are deleted everywhere.")

    @Argument(help: "An app's bundle identifier, or a container.", completion: DynamicCompletion.apps)
    var app: String

    @Flag(name: .long, help: "Delete the records on all devices, and in the cloud.")
    var everywhere = false

    @Flag(name: .long, help: "Do not ask.")
    var yes = false

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let shown = TerminalText.escape(app)
        let question: String
        if everywhere {
            question = "Delete all records of \(shown) on all devices?"
        } else {
            let containers = try await session.call(RecordsControlMethods.listRecordContainers, .init()).containers
            let names = [app, "development." + app]
            let waiting = containers.filter { $0.identifier == app || names.contains(where: $0.apps.contains) }
                .flatMap(\.zones).reduce(0) { $0 + $1.waiting }
            let loss = waiting == 0 ? "" : "\(waiting) changes may be on this device only, and would be lost. "
            question = "\(loss)Forget what this device keeps of the records of \(shown)?"
        }
        try await session.confirm(question, assumeYes: yes)
        let answer = try await session.call(
            RecordsControlMethods.resetRecords,
            .with {
                $0.app = app
                $0.everywhere = everywhere
            })
        let count = answer.records == 1 ? "1 record" : "\(answer.records) records"
        try session.emit(
            json: ["records": .init(answer.records), "everywhere": .boolean(everywhere)],
            text: everywhere
                ? "\(count) of \(shown) are deleted, here and soon on all devices."
                : "\(count) of \(shown) are forgotten here. They come back from the cloud and from devices that are near."
        )
    }
}

/// `baton explain records`
struct ExplainRecordsCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "records", abstract: "Why is this record, or row, not on the other device, or not in the table?",
        discussion: "With a row it shows each column's value, who wrote it when, and what holds it back.")

    @Argument(help: "An app's bundle identifier, or a container.", completion: DynamicCompletion.apps)
    var app: String

    @Argument(help: "A table, or a record type.")
    var table: String?

    @Argument(help: "A row's key, or a record's name.")
    var key: String?

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard table == nil || key != nil else {
            throw ValidationError("Name the row's key behind the table, or leave both out.")
        }
    }

    func run(in session: CommandSession) async throws {
        let request = Baton_Control_V1_ExplainRecordsRequest.with {
            $0.app = app
            $0.table = table ?? ""
            $0.key = key ?? ""
        }
        let answer = try await session.call(RecordsControlMethods.explainRecords, request, timeout: .seconds(30))
        guard !answer.records.isEmpty else { return try ExplanationReport.emit(answer.explanations, session) }
        let isHealthy = answer.explanations.allSatisfy(\.healthy)
        var lines: [String] = []
        for (record, explanation) in zip(answer.records, answer.explanations) {
            lines.append(RecordsReport.whole(record, session))
            for stage in explanation.stages {
                lines.append(
                    "  " + TerminalText.escape(stage.finding + (stage.advice.isEmpty ? "" : " " + stage.advice)))
            }
        }
        try session.emit(
            json: ["healthy": .boolean(isHealthy), "records": .array(answer.records.map(RecordsReport.json))],
            text: lines.joined(separator: "\n"))
        if !isHealthy { throw CommandFailure(.failure, nil) }
    }
}
