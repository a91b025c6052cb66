import ArgumentParser
import BatonClient
import BatonCore
import BatonWire
import SwiftProtobuf

/// One run of one command: the context, and what the global options make of it.
struct CommandSession: Sendable {
    var context: CommandContext
    let isJSON: Bool
    private let home: String?

    init(context: CommandContext, options: GlobalOptions) {
        self.context = context
        isJSON = options.json
        home = options.home
    }

    var locations: Locations {
        get throws {
            try Locations(
                home: home, environment: context.environment, workingDirectory: context.workingDirectory)
        }
    }

    /// The home that was asked for, by option or variable; nil for the XDG directories.
    var chosenHome: String? {
        (home ?? context.environment["BATON_HOME"].flatMap { $0.isEmpty ? nil : $0 }).map(context.absolutePath)
    }

    // MARK: The daemon

    /// Connects at the first call, which fails with exit status 3 when no daemon runs.
    func client() throws -> any ConnectClient { try context.makeClient(try locations) }

    func call<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, timeout: Duration = .seconds(15)
    ) async throws -> Response {
        try await client().unary(method, request, timeout: timeout)
    }

    func stream<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request
    ) async throws -> ConnectResponses<Response> {
        try await client().serverStream(method, request)
    }

    // MARK: Output

    /// The one answer of a command: JSON with `--json`, else text.
    func emit(json: @autoclosure () -> JSONValue, text: @autoclosure () -> String) throws {
        if isJSON {
            try emitLine(json().description)
        } else {
            let text = text()
            if !text.isEmpty { try emitLine(text) }
        }
    }

    /// Every text of a command goes through here, or through ``remark(_:)``: what a verb forgot to escape cannot steer
    /// the terminal either.
    func emitLine(_ line: String) throws { try context.standardOutput.write(TerminalText.defuse(line) + "\n") }

    /// Text from elsewhere that is the whole answer: as it is to a pipe or a file, where a program wants what was stored;
    /// on a terminal so that it cannot steer it, colours included.
    func emitContent(_ text: String) throws {
        let isTerminal = context.terminal.isOutputTerminal
        try context.standardOutput.write((isTerminal ? TerminalText.escapeLines(text) : text) + "\n")
    }

    /// Bytes of a file: as they are to a pipe or a file, and on a terminal only where they are text, so that they cannot steer it.
    /// - Throws: `usage` for other bytes on a terminal.
    func emitBytes(_ bytes: [UInt8]) throws {
        guard context.terminal.isOutputTerminal else { return try context.writeOutput(bytes) }
        guard let text = String(validating: bytes, as: UTF8.self), !text.contains("\0") else {
            throw CommandFailure.usage(
                "The contents are no text, which a terminal cannot show. Write them into a file: add “> FILE” to the command."
            )
        }
        let shown = TerminalText.escapeLines(text)
        try context.standardOutput.write(shown.isEmpty || shown.hasSuffix("\n") ? shown : shown + "\n")
    }

    /// A remark for a person, beside the answer; silent with `--json`.
    func remark(_ line: String) throws {
        if !isJSON { try context.standardError.write(fitted(TerminalText.defuse(line)) + "\n") }
    }

    /// Each line that is too long for the terminal of standard error, wrapped.
    private func fitted(_ text: String) -> String {
        guard let columns = context.terminal.errorWidth else { return text }
        // Colours take no columns, and are left alone.
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).flatMap { line in
            TerminalText.width(line) <= columns || line.contains("\u{1B}")
                ? [line] : TerminalText.wrap(line, to: columns, indentation: 0)
        }.joined(separator: "\n")
    }

    var paint: Paint { Paint(isColoured: context.terminal.isColoured) }

    func table(_ columns: [TextTable.Column]) -> TextTable {
        TextTable(columns: columns, width: context.terminal.width, paint: paint)
    }

    // MARK: Questions

    /// Asks before something that cannot be undone.
    /// - Throws: when the person says no, or when there is no terminal to ask at and `assumeYes` is false.
    func confirm(_ question: String, assumeYes: Bool) async throws {
        if assumeYes { return }
        try requirePerson(question)
        try prompt("\(question) Type y or n, then Enter:")
        var lines = context.input.lines().makeAsyncIterator()
        guard let answer = await lines.next(), Answer(answer) == .yes else {
            throw CommandFailure.declined("Nothing was changed.")
        }
    }

    /// Writes a question, broken between words, with the cursor behind it.
    func prompt(_ question: String) throws {
        try context.standardError.write(fitted(TerminalText.defuse(question)) + " ")
    }

    var canAsk: Bool { context.terminal.isInputInteractive && !isJSON }

    /// - Throws: `usage` where there is no terminal to ask at.
    func requirePerson(_ question: String) throws {
        guard canAsk else {
            // An error is one line.
            let question = question.split(separator: "\n").joined(separator: " ")
            throw CommandFailure.usage(
                "\(question) There is no terminal to ask on: repeat the command with --yes to do it.")
        }
    }
}
