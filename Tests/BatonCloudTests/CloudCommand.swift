import BatonTestSupport

/// The result of one run of `baton-cloud`, for commands that end by themselves.
struct CloudCommand: Sendable {
    let status: Int32
    /// The lines of its output, then those of its errors.
    let lines: [String]

    /// Returns once it has ended.
    /// - Parameter wrapper: what it is started by, as in `env NAME=VALUE`.
    static func run(_ arguments: [String], wrapper: [String] = []) async throws -> CloudCommand {
        let process = try ChildProcess(wrapper + [try Products.path("baton-cloud")] + arguments)
        let status = try await within(.seconds(60), "baton-cloud to end") { try await process.status() }
        try await process.output.waitForEnd()
        try await process.errors.waitForEnd()
        return CloudCommand(status: status, lines: process.output.all + process.errors.all)
    }

    func says(_ text: String) -> Bool { lines.contains { $0.contains(text) } }
}
