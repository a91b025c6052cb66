package import FoundationEssentials

/// A text that the person may put into the field that they are in, as the daemon answers.
package struct FieldOffer: Hashable, Sendable {
    /// The text for the field: one line.
    package let text: String
    /// The text that the person is shown.
    package let shown: String

    /// - Parameters:
    ///   - title: what it is of.
    ///   - source: where the person saw it.
    /// - Returns: nil for no text, and for one with characters that are keys to a field, as the end of a line that sends a message.
    package init?(text: String, title: String, source: String) {
        guard !text.isEmpty, !text.unicodeScalars.contains(where: Self.isControl) else { return nil }
        self.text = text
        let seen = source.isEmpty ? "" : "seen in \(Self.clean(source))"
        let origin = [Self.clean(title), seen].filter { !$0.isEmpty }.joined(separator: ", ")
        shown = text + (origin.isEmpty ? "" : " (\(origin))") + ". Tab inserts it."
    }

    /// - Parameter answer: `baton.control.v1.OfferForFieldResponse` in JSON.
    package init?(answer: Data) {
        struct Answer: Decodable {
            var text: String?
            var title: String?
            var source: String?
        }
        guard let answer = try? JSONDecoder().decode(Answer.self, from: answer) else { return nil }
        self.init(text: answer.text ?? "", title: answer.title ?? "", source: answer.source ?? "")
    }

    private static func clean(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { !isControl($0) }).prefix(100))
    }

    /// Controls, ends of lines, and marks that turn the direction of what is shown.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: false
        }
    }
}
