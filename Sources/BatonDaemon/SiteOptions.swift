import ArgumentParser
import AssociatedDomains
import BatonCore
import Foundation
import SiteAssociationClient
import SiteAssociations

/// The options of `batond` about the sites that apps claim.
struct SiteOptions: ParsableArguments {
    @Option(
        name: .customLong("site-roots"),
        help: ArgumentHelp(
            "Trust the root certificates in this PEM file for sites, in place of the system's.", valueName: "file"))
    var roots: String?

    @Option(
        name: .customLong("site-host"),
        help: ArgumentHelp(
            "Ask this server for a site's file; may be repeated. Entries with ?mode=managed count for these sites.",
            valueName: "domain=host[:port]"))
    var hosts: [String] = []

    @Flag(
        name: .customLong("site-developer-mode"),
        help: "Entries with ?mode=developer count, and their sites may be on a private network.")
    var isForDevelopment = false

    /// Reads the file of roots. Blocks, at the start.
    func settings() throws -> SiteAssociationsSettings {
        var settings = SiteAssociationsSettings()
        settings.isForDevelopment = isForDevelopment
        for text in hosts {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let domain = DomainName(host: parts[0]) else {
                throw BatonError(
                    .invalidArgument, reason: "invalid_site_host",
                    "“\(text)” is no --site-host: write DOMAIN=HOST or DOMAIN=HOST:PORT.")
            }
            settings.servers[domain] = try ServerAddress(parts[1])
        }
        if let roots {
            guard let data = FileManager.default.contents(atPath: roots) else {
                throw BatonError(
                    .notFound, reason: "file_not_read", "The file “\(roots)” of --site-roots could not be read.")
            }
            let pem = String(decoding: data, as: UTF8.self)
            do {
                _ = try TrustAnchors(pem: pem, name: roots)
            } catch {
                var error = error
                error.message = "--site-roots: \(error.message)"
                throw error
            }
            settings.roots = pem
        }
        return settings
    }
}
