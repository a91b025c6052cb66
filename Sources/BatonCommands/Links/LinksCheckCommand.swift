import ArgumentParser
import AssociatedDomains
import BatonCore
import SiteAssociationClient

/// `baton links check`
struct LinksCheckCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Show whether a site's file gives a page to an app, and why, rule by rule.",
        discussion: """
            Exit status: 0 a match, 1 no match, 2 the file or the command line is not valid; with --fetch also 7: the \
            site could not be reached.
            Without --url, a match is a valid file; with --app or --service, one that names the app, or any app, for the \
            service, or for any.
            """)

    @Option(name: .long, help: "This file, as it is to be served; “-” for standard input.", completion: .file())
    var file: String?

    @Flag(name: .long, help: "Fetch the file from the site.")
    var fetch = false

    @Option(name: .long, help: "The site's domain (default: the URL's host).")
    var domain: String?

    @Option(name: .long, help: "A page.")
    var url: String?

    @Option(name: .long, help: ArgumentHelp("Only this app.", valueName: "team.bundle"))
    var app: String?

    @Option(name: .long, help: "Only this service.")
    var service: AssociatedDomain.Service?

    @Option(
        name: .long, help: ArgumentHelp("Trust the roots in this PEM file, not the system's.", valueName: "file"),
        completion: .file()
    )
    var roots: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "With --fetch: ask this server, not the DNS's.", valueName: "host[:port]"))
    var connect: String?

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard file != nil || fetch else { throw ValidationError("Name a file with --file, or say --fetch.") }
        guard file == nil || !fetch else {
            throw ValidationError("--file and --fetch exclude each other: check a file, or the site's file.")
        }
        guard domain != nil || url != nil else { throw ValidationError("Name the site with --domain or --url.") }
        guard connect == nil || fetch else { throw ValidationError("--connect goes with --fetch.") }
        if let app, !AppID.isValid(app) {
            throw ValidationError(
                "“\(app)” names no app. Write TEAM.BUNDLE, as in YWBN8XTPBJ.com.company.FirstApp: a team's ten letters and "
                    + "digits, a dot, and the app's bundle identifier.")
        }
    }

    func run(in session: CommandSession) async throws {
        let page = try url.map { text throws(BatonError) in try WebPageURL(text) }
        let site = try siteDomain(page)
        let server = try connect.map { text throws(BatonError) in try ServerAddress(text) }
        var report = LinksCheckReport(domain: site, url: page?.description)
        do {
            let roots = try await rootsText(session)
            let anchors = try roots.map { text throws(BatonError) in
                try TrustAnchors(pem: String(decoding: text, as: UTF8.self), name: self.roots ?? "")
            }
            let (bytes, contentType) = try await read(session, site, server, roots: roots, &report)
            let file = try await SiteFile(
                bytes, contentType: contentType, anchors: anchors ?? .system, time: session.context.clock.now)
            report.signer = file.signer
            report.warnings = file.association.warnings
            report.judge(file.association, page: page, app: app, service: service)
        } catch let error as BatonError {
            report.problem = error
        }
        try session.emit(json: report.json, text: report.text(session))
        switch (report.problem, report.isMatch) {
        case (let problem?, _): throw CommandFailure(report.isUnreachable ? .unreachable : .usage, problem)
        case (nil, false): throw CommandFailure(.failure, nil)
        case (nil, true): break
        }
    }

    private func siteDomain(_ page: WebPageURL?) throws -> DomainName {
        guard let domain else { return try page?.host ?? DomainName(validating: "") }
        // As an entitlement would name it, for all subdomains.
        let name = domain.hasPrefix("*.") ? String(domain.dropFirst(2)) : domain
        return try DomainName(host: name) ?? DomainName(validating: name)
    }

    private func rootsText(_ session: CommandSession) async throws -> [UInt8]? {
        guard let roots else { return nil }
        let path = session.context.absolutePath(roots)
        return try await blocking { try ByteFile.read(path, limit: 8 << 20) }
    }

    private func read(
        _ session: CommandSession, _ site: DomainName, _ server: ServerAddress?, roots: [UInt8]?,
        _ report: inout LinksCheckReport
    ) async throws -> (bytes: [UInt8], contentType: String?) {
        guard fetch else {
            let (context, file) = (session.context, file ?? "-")
            report.source = file
            let bytes = try await blocking {
                file == "-"
                    ? try context.readInput(SiteFile.maximumSize)
                    : try ByteFile.read(context.absolutePath(file), limit: SiteFile.maximumSize)
            }
            return (bytes, nil)
        }
        var settings = SiteAssociationFetcher.Settings(roots: roots)
        if let server { settings.servers[site] = server }
        let fetcher = try await blocking { [settings] in try SiteAssociationFetcher(settings: settings) }
        let result = await fetcher.fetch(site, allowsPrivateNetwork: true)
        report.attempts = result.attempts
        switch result.outcome {
        case .file(let file):
            report.source = file.url
            return (file.bytes, file.contentType)
        case .absent(let error), .refused(let error): throw error
        case .unreachable(let error):
            report.isUnreachable = true
            throw error
        case .unchanged:
            throw BatonError(
                .internal, reason: "site_unchanged",
                "The site answered that its file has not changed, without a question.")
        }
    }
}

extension AssociatedDomain.Service: ExpressibleByArgument {
    /// Those that site files have a section for, in the order in which they are checked.
    static let checkable: [AssociatedDomain.Service] = [.activityContinuation, .appLinks, .webCredentials, .appClips]

    package init?(argument: String) {
        guard let service = Self(rawValue: argument), Self.checkable.contains(service) else { return nil }
        self = service
    }

    package static var allValueStrings: [String] { checkable.map(\.rawValue) }
}
