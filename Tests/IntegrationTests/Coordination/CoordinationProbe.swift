import BatonTestSupport
import Foundation

/// A process that coordinates by commands.
struct CoordinationProbe {
    let process: ChildProcess

    /// - Parameters:
    ///   - home: of the daemon.
    ///   - wrapper: the beginning of its command.
    init(home: String, wrapper: [String] = []) throws {
        process = try ChildProcess(
            wrapper + [try Products.path("CoordinationProbe")], environment: ["BATON_HOME": home])
    }

    /// - Returns: where what it prints from now on begins.
    @discardableResult
    func say(_ command: String) -> Int {
        let start = process.output.count
        process.write(command)
        return start
    }

    /// Waits for a line that begins so.
    @discardableResult
    func expect(_ line: String, from start: Int = 0) async throws -> String {
        let output = process.output
        return try await within(.seconds(20), "the probe's line “\(line)”") {
            guard let found = try await output.first(from: start, { $0.hasPrefix(line) ? $0 : nil }) else {
                throw IntegrationFailure("The probe ended before “\(line)”: \(output.all)")
            }
            return found.found
        }
    }

    /// Whether it has printed a line that begins so.
    func hasSaid(_ line: String) -> Bool { process.output.all.contains { $0.hasPrefix(line) } }

    /// Sends it, and waits for the answer.
    @discardableResult
    func say(_ command: String, expecting line: String) async throws -> String {
        try await expect(line, from: say(command))
    }
}
