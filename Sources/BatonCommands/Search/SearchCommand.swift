import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton search`
struct SearchCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find what you looked at in apps, documents and pages.",
        discussion: """
            Results with all words come first. Words in quotes stand side by side, and a word behind a minus is in no result: \
            '"dim sum" -closed'. “baton explain search” says why a result stands where it does. After “baton \
            settings set search.devices on” here and on another device of yours, each also finds what the other has; --open \
            then opens its page here.
            --action does what the app offers for a result; --in-app has the app itself go on with the search.
            --public asks the public index of your cloud instead, after “baton settings set search.public on”: pages that apps offer \
            to everybody, once three accounts gave them.
            """)

    @Argument(help: "Words.")
    var query: [String]

    @Option(
        help: ArgumentHelp("Only of this app: its bundle identifier or name.", valueName: "app"),
        completion: DynamicCompletion.apps)
    var app: String?

    @Option(help: ArgumentHelp("How many results.", valueName: "number"))
    var limit: UInt32 = 20

    @Option(help: ArgumentHelp("Open the result with this number.", valueName: "number"))
    var open: Int?

    @Option(
        help: ArgumentHelp("Do this with the result that is opened: one of its actions.", valueName: "action"))
    var action: String?

    @Flag(help: "Have the app that --app names go on with the search in itself.")
    var inApp = false

    @Flag(help: "Ask the public index of your cloud, and nothing of yours.")
    var `public` = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard query.contains(where: { $0.contains { !$0.isWhitespace } }) else {
            throw ValidationError("Write what to search for, as in “baton search banana bread”.")
        }
        guard !`public` || app == nil && open == nil else {
            throw ValidationError("--public goes with neither --app nor --open.")
        }
        guard action == nil || open != nil else {
            throw ValidationError("Name the result for the action, as in --open 1.")
        }
        guard !inApp || app != nil && open == nil else {
            throw ValidationError("Name the app with --app. --in-app does not go with --open.")
        }
        guard open.map({ $0 > 0 }) ?? true, limit > 0 else { throw ValidationError("Results count from 1.") }
    }

    func run(in session: CommandSession) async throws {
        if `public` {
            return try await PublicSearch(query: query.joined(separator: " "), limit: limit).run(in: session)
        }
        var bundleID = ""
        if let app { bundleID = try await AppReference.bundleID(app, session) }
        if inApp { return try await goOn(in: bundleID, session) }
        let answer = try await session.call(
            SearchMethods.search,
            .with { [bundleID] in
                $0.query = query.joined(separator: " ")
                $0.bundleID = bundleID
                $0.limit = max(limit, UInt32(clamping: open ?? 0))
            }, timeout: .seconds(30))
        if let open { return try await self.open(open, of: answer, session) }
        try session.emit(json: SearchReport.json(answer), text: SearchReport.text(answer, session))
    }

    private func goOn(in bundleID: String, _ session: CommandSession) async throws {
        let answer = try await session.call(
            SearchMethods.continueSearch,
            .with {
                $0.bundleID = bundleID
                $0.query = query.joined(separator: " ")
            }, timeout: .seconds(90))
        guard answer.handled else {
            throw CommandFailure(
                .notContinued,
                BatonError(.aborted, reason: "not_handled", "The app was started, but did not take the search."))
        }
        try session.emit(
            json: ["handled": .boolean(true), "bundle_id": .string(bundleID)],
            text: "\(TerminalText.escape(app ?? bundleID)) goes on with the search.")
    }

    private func open(
        _ number: Int, of answer: Baton_Control_V1_SearchResponse, _ session: CommandSession
    ) async throws {
        let results = answer.results
        guard number <= results.count else {
            throw BatonError(
                .notFound, reason: "no_such_result",
                results.isEmpty
                    ? SearchReport.nothing(answer)
                    : (results.count == 1 ? "There is 1 result." : "There are \(results.count) results.")
                        + " “baton search” without --open lists them.")
        }
        let result = results[number - 1]
        guard !result.elsewhere || action == nil else {
            throw BatonError(
                .invalidArgument, reason: "no_such_action",
                "A result of another device has no actions here. Open it without one.")
        }
        guard !result.elsewhere || !result.url.isEmpty else {
            let title = result.title.isEmpty ? "The result" : "“\(result.title)”"
            throw BatonError(
                .failedPrecondition, reason: "opens_elsewhere",
                "\(title) is on \(result.device), and has no page that could be opened here. Open it on \(result.device)."
            )
        }
        // Launching and continuing have deadlines of their own in the daemon.
        let answer = try await session.call(
            SearchMethods.openResult,
            .with {
                $0.resultID = result.resultID
                $0.action = action ?? ""
            }, timeout: .seconds(90))
        guard answer.handled else {
            throw CommandFailure(
                .notContinued,
                BatonError(.aborted, reason: "not_handled", "The app was started, but did not take the result."))
        }
        // An app that claims the page's site has it, else the browser.
        let place = result.elsewhere ? "open here: its page of \(answer.appName)" : "open in \(result.origin)"
        try session.emit(
            json: ["handled": .boolean(true), "result": SearchReport.json(result)],
            text: "“\(TerminalText.escape(result.title))” is \(TerminalText.escape(place)).")
    }
}
