import ArgumentParser
import BatonWire
import SwiftProtobuf

/// `baton explain url`
struct ExplainURLCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "url", abstract: "Who opens this URL, and which rule decides?")

    @Argument(help: "A URL.")
    var url: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        try await ExplanationReport.run(.with { $0.url = url }, session)
    }
}

/// `baton explain file`
struct ExplainFileCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "file", abstract: "Who opens this file, and which rule decides?")

    @Argument(help: "The path of a file.", completion: .file())
    var path: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let path = session.context.absolutePath(path)
        try await ExplanationReport.run(.with { $0.file = path }, session)
    }
}
