import ArgumentParser

/// A command that does something, given all that it may touch.
protocol Verb: AsyncParsableCommand {
    var options: GlobalOptions { get }
    func run(in session: CommandSession) async throws
}

extension Verb {
    mutating func run() async throws {
        try await run(in: CommandSession(context: .system(), options: options))
    }
}
