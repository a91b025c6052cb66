import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton type`
struct TypeCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "type", abstract: "Show the type of a file, an extension or a MIME type.")

    @Argument(
        help: "A file's path, a type (public.png), an extension (.png) or a MIME type (image/png).", completion: .file()
    )
    var subject: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        var request = Baton_Control_V1_DescribeTypeRequest()
        let path = session.context.absolutePath(subject)
        let slashes = subject.count { $0 == "/" }
        if session.context.fileExists(path) {
            request.file = path
        } else if subject.hasPrefix("."), slashes == 0 {
            request.filenameExtension = String(subject.dropFirst())
        } else if slashes == 1, !subject.hasPrefix("/"), !subject.hasPrefix(".") {
            request.mimeType = subject
        } else if slashes > 0 {
            request.file = path
        } else {
            request.identifier = subject
        }
        let answer = try await session.call(ControlMethods.describeType, request)
        try session.emit(
            json: [
                "identifier": .string(answer.identifier), "description": .init(nonEmpty: answer.description_p),
                "supertypes": .init(strings: answer.supertypes),
                "filename_extensions": .init(strings: answer.filenameExtensions),
                "mime_types": .init(strings: answer.mimeTypes), "dynamic": .boolean(answer.isDynamic),
                "declared_by": .init(nonEmpty: answer.declaredBy),
                "content_mime_type": .init(nonEmpty: answer.contentMimeType),
            ],
            text: text(answer))
    }

    private func text(_ answer: Baton_Control_V1_DescribeTypeResponse) -> String {
        var lines = [answer.identifier + (answer.description_p.isEmpty ? "" : " (\(answer.description_p))")]
        if answer.isDynamic { lines.append("Not declared by any app: derived from the extension or MIME type.") }
        if !answer.declaredBy.isEmpty { lines.append("Declared by: \(answer.declaredBy)") }
        if !answer.supertypes.isEmpty { lines.append("Conforms to: \(answer.supertypes.joined(separator: ", "))") }
        if !answer.filenameExtensions.isEmpty {
            lines.append("Extensions: \(answer.filenameExtensions.joined(separator: ", "))")
        }
        if !answer.mimeTypes.isEmpty { lines.append("MIME types: \(answer.mimeTypes.joined(separator: ", "))") }
        if !answer.contentMimeType.isEmpty { lines.append("Its content looks like: \(answer.contentMimeType)") }
        return lines.map(TerminalText.escape).joined(separator: "\n")
    }
}
