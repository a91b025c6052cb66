import ArgumentParser

/// A command that does something, given all that it may touch. ``CommandRunner`` runs it.
protocol Verb: AsyncParsableCommand {
    var options: GlobalOptions { get }
    func run(in session: CommandSession) async throws
}
