import Foundation

/// How a run of `baton` ended, and what it printed.
package struct CommandResult: Sendable {
    package var status: Int32
    package var lines: [String]
    package var errors: String

    /// The last line of standard output.
    package func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(type, from: Data((lines.last ?? "").utf8))
    }

    /// The error on standard error with `--json`.
    package struct Failure: Decodable, Sendable {
        package var code: String
        package var reason: String
        package var message: String
        package var activityError: Int32?
        package var exitStatus: Int32
    }

    package func failure() throws -> Failure {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let line = errors.split(separator: "\n").last ?? ""
        return try decoder.decode([String: Failure].self, from: Data(line.utf8))["error"]
            ?? { throw IntegrationFailure("No error in “\(errors)”.") }()
    }
}
