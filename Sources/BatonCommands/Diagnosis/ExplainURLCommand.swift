import ArgumentParser
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// `baton explain url`
struct ExplainURLCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "url", abstract: "Which app opens this URL, and which rule decides?")

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
        commandName: "file",
        abstract:
            "Which app opens this file, and which rule decides? For a document in iCloud also: where is it, what waits, and why?"
    )

    @Argument(help: "The path of a file; of a document also CONTAINER/PATH or FOLDER/PATH.", completion: .file())
    var path: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let document = await session.documentPath(path)
        var explanations: [Baton_Control_V1_Explanation] = []
        do {
            explanations = try await session.call(
                DocumentsMethods.explainFile,
                .with {
                    $0.path = document
                    $0.pathBytes = Data(session.pathBytes(path, resolved: document))
                }
            ).explanations
        } catch let error as BatonError
            where ["no_container", "no_account"].contains(error.reason) && document.hasPrefix("/")
        {
            // It is no document in iCloud.
        }
        let file = session.context.absolutePath(path)
        // Nothing opens a document before it is downloaded.
        if session.context.fileExists(file) || explanations.isEmpty {
            let opening = try await session.call(
                ControlMethods.explain, .with { $0.file = file }, timeout: .seconds(30))
            explanations = opening.explanations + explanations
        }
        try ExplanationReport.emit(explanations, session)
    }
}
