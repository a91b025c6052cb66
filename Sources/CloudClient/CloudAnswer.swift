package import BatonCore
import BatonWire

/// A cloud's refusal. The text comes from the cloud's operator, so it is shown as a quotation, on one line, and not as
/// Baton's own words.
package enum CloudAnswer {
    /// Enough for every sentence of baton-cloud.
    private static let maximumLength = 400

    /// Runs calls of a cloud.
    package static func marking<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as BatonError {
            throw marked(error)
        }
    }

    /// An error of Baton's own stays as it is, and so does one that was marked.
    package static func marked(_ error: BatonError) -> BatonError {
        guard error.cause is ConnectError.Answered else { return error }
        return BatonError(error.code, reason: error.reason, "The cloud says: “\(line(error.message))”")
    }

    private static func line(_ text: String) -> String {
        var line = ""
        // No more than is shown is looked at.
        for scalar in text.unicodeScalars.prefix(maximumLength) {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .format, .privateUse:
                line += " "
            // Quotation marks that would end the quotation.
            case _ where scalar == "“" || scalar == "”": line += "\""
            default: line.unicodeScalars.append(scalar)
            }
        }
        if text.unicodeScalars.dropFirst(maximumLength).first != nil { line += "…" }
        return line
    }
}
