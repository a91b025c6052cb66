import ArgumentParser
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// `baton index`
struct IndexCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "index", abstract: "List what each app has in the index of search.")

    @Argument(help: "Only this app: its bundle identifier or name.", completion: DynamicCompletion.apps)
    var app: String?

    @Flag(help: "Have the app index all of its items again; it is started for that if it has an index extension.")
    var again = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard !again || app != nil else {
            throw ValidationError("Name the app that is to index again: “baton index APP --again”.")
        }
    }

    func run(in session: CommandSession) async throws {
        var bundleID = ""
        if let app { bundleID = try await AppReference.bundleID(app, session) }
        let answer = try await session.call(
            SearchMethods.listIndexes,
            .with { [bundleID, again] in
                $0.bundleID = bundleID
                $0.reindex = again
            })
        try session.emit(json: json(answer), text: text(answer, session))
    }

    private func json(_ answer: Baton_Control_V1_ListIndexesResponse) -> JSONValue {
        [
            "file_size": .init(answer.fileSize), "waiting": .init(answer.waiting),
            "indexes": .array(
                answer.indexes.map { index in
                    [
                        "source": .string(SearchReport.name(index.source)),
                        "bundle_id": .init(nonEmpty: index.app.bundleID), "name": .init(nonEmpty: index.name),
                        "items": .init(index.items), "bytes": .init(index.bytes),
                        "last_change_ms": .init(nonZero: index.lastChange),
                        "last_error": .init(nonEmpty: index.lastError),
                        "last_error_ms": .init(nonZero: index.lastErrorTime),
                        "reindexing": .boolean(index.reindexing),
                    ]
                }),
        ]
    }

    private func text(_ answer: Baton_Control_V1_ListIndexesResponse, _ session: CommandSession) -> String {
        guard !answer.indexes.isEmpty else {
            return answer.waiting > 0 ? "\(answer.waiting) changes wait to be indexed." : "The index is empty."
        }
        var table = session.table([
            .init("APP", isFlexible: true), .init("SOURCE"), .init("ITEMS"), .init("BYTES"), .init("CHANGED"),
            .init("NOTE", isFlexible: true),
        ])
        let now = Date(timeIntervalSince1970: Double(session.context.clock.milliseconds) / 1000)
        for index in answer.indexes {
            let own = index.source == .document ? "your own" : "web pages"
            let name = index.name.isEmpty ? (index.hasApp ? index.app.bundleID : own) : index.name
            let notes = [
                index.reindexing ? "is to be indexed again" : "",
                index.lastError.isEmpty
                    ? "" : "\(index.lastError) \(TimeFormat.age(milliseconds: index.lastErrorTime, now: now))",
            ]
            table.add(
                name, SearchReport.name(index.source), "\(index.items)", "\(index.bytes)",
                TimeFormat.age(milliseconds: index.lastChange, now: now),
                notes.filter { !$0.isEmpty }.joined(separator: ", "))
        }
        let waiting = answer.waiting > 0 ? "\n\(answer.waiting) changes wait to be indexed." : ""
        return table.render() + "\nThe files have \(answer.fileSize) bytes." + waiting
    }
}
