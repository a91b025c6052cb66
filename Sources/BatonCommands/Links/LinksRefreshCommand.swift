import ArgumentParser
import BatonWire
import SwiftProtobuf

/// `baton links refresh`
struct LinksRefreshCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "refresh", abstract: "Refetch sites' files now.",
        discussion: "Exit status: 0 when every site that was asked has a valid file, 1 when one has not.")

    @Argument(help: "A domain (default: every one that an app claims).")
    var domain: String?

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let request = Baton_Control_V1_RefreshSitesRequest.with { $0.domain = domain ?? "" }
        let answer = try await session.call(ControlMethods.refreshSites, request, timeout: .seconds(60))
        try SiteReport.emit(answer.sites, session)
        if answer.sites.contains(where: { !$0.failure.isEmpty }) { throw CommandFailure(.failure, nil) }
    }
}
