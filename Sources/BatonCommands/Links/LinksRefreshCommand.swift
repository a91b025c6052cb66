import ArgumentParser
import BatonWire
import SwiftProtobuf

/// `baton links refresh`
struct LinksRefreshCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "refresh", abstract: "Ask sites for their files now, in place of when it is time.")

    @Argument(help: "A domain (default: every site that an installed app claims).")
    var domain: String?

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let request = Baton_Control_V1_RefreshSitesRequest.with { $0.domain = domain ?? "" }
        let answer = try await session.call(ControlMethods.refreshSites, request, timeout: .seconds(60))
        try SiteReport.emit(answer.sites, session)
    }
}
