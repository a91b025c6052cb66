import ArgumentParser
import BatonWire
import SwiftProtobuf

/// `baton explain links`
struct ExplainLinksCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "links", abstract: "Why does this site, or this page, not belong to an app here?")

    @Argument(help: "A domain, or a page's URL.")
    var page: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        try await ExplanationReport.run(.with { $0.page = page }, session)
    }
}
