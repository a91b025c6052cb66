import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton handlers`
struct HandlersCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "handlers", abstract: "List the apps that can open a URL, a file or a type, the best first.")

    @Argument(help: "A URL, the path of a file, or a type, as in public.png.", completion: .file())
    var subject: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        var request = Baton_Control_V1_ListHandlersRequest()
        let path = session.context.absolutePath(subject)
        if session.context.fileExists(path) {
            request.file = path
        } else if URLScheme(ofURL: subject) != nil {
            request.url = subject
        } else if subject.contains("/") {
            request.file = path
        } else {
            request.type = subject
        }
        let answer = try await session.call(ControlMethods.listHandlers, request)
        try session.emit(
            json: [
                "type": .init(nonEmpty: answer.type),
                "handlers": .array(
                    answer.handlers.map { handler in
                        [
                            "bundle_id": .string(handler.bundleID), "name": .string(handler.name),
                            "claim": .string(handler.claim), "chosen": .boolean(handler.chosen),
                        ]
                    }),
            ],
            text: text(answer, session))
    }

    private func text(_ answer: Baton_Control_V1_ListHandlersResponse, _ session: CommandSession) -> String {
        guard !answer.handlers.isEmpty else {
            let what = answer.type.isEmpty ? "it" : "files of the type \(TerminalText.escape(answer.type))"
            return "No installed app opens \(what). The desktop may."
        }
        var table = session.table([.init("APP", isFlexible: true), .init("BUNDLE"), .init("WHY", isFlexible: true)])
        for handler in answer.handlers {
            table.add(handler.name, handler.bundleID, handler.chosen ? "chosen; \(handler.claim)" : handler.claim)
        }
        return table.render()
    }
}
