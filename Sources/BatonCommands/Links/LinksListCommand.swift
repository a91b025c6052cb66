import ArgumentParser
import BatonWire

/// `baton links list`
struct LinksListCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the sites that the apps installed here claim, and their answers.")

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        try SiteReport.emit(try await session.call(ControlMethods.listSites, .init()).sites, session)
    }
}
