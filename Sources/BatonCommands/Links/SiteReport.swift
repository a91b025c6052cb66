import BatonCore
import BatonWire

/// A site that installed apps claim, as it is printed.
enum SiteReport {
    static func json(_ site: Baton_Control_V1_Site) -> JSONValue {
        [
            "domain": .string(site.domain), "has_file": .boolean(site.hasFile_p),
            "verified_ms": .init(nonZero: site.verified), "next_fetch_ms": .init(nonZero: site.nextFetch),
            "finding": .init(nonEmpty: site.finding), "failure": .init(nonEmpty: site.failure),
            "failing_since_ms": .init(nonZero: site.failingSince), "file_expires_ms": .init(nonZero: site.fileExpires),
            "signer": .init(nonEmpty: site.signer),
            "claims": .array(
                site.claims.map { claim in
                    [
                        "bundle_id": .string(claim.app.bundleID), "team_id": .string(claim.app.teamID),
                        "app_name": .string(claim.appName), "entry": .string(claim.entry),
                        "approved": .boolean(claim.approved), "reason": .init(nonEmpty: claim.reason),
                    ]
                }),
        ]
    }

    static func emit(_ sites: [Baton_Control_V1_Site], _ session: CommandSession) throws {
        try session.emit(json: ["sites": .array(sites.map(json))], text: text(sites, session))
    }

    private static func text(_ sites: [Baton_Control_V1_Site], _ session: CommandSession) -> String {
        guard !sites.isEmpty else { return "No installed app claims a site." }
        var table = session.table([
            .init("ENTRY", isFlexible: true), .init("APP", isFlexible: true), .init("STATE", isWhole: true),
        ])
        for site in sites {
            for claim in site.claims {
                table.add(claim.entry, claim.appName, claim.approved ? "approved" : claim.reason)
            }
        }
        let failures = sites.filter { !$0.failure.isEmpty }.map { TerminalText.escape(failure(of: $0, session)) }
        return ([table.render()] + failures).joined(separator: "\n")
    }

    /// Since when a site fails, why, and what counts in the meantime.
    private static func failure(of site: Baton_Control_V1_Site, _ session: CommandSession) -> String {
        let now = session.context.clock.now
        let file =
            site.hasFile_p
            ? "Its file, which it confirmed \(TimeFormat.age(milliseconds: site.verified, now: now)), counts until the site "
                + "withdraws it, for \(TimeFormat.remaining(milliseconds: site.fileExpires, now: now)) at most."
            : "No file of it counts."
        return
            "\(site.domain): failing for \(TimeFormat.elapsed(milliseconds: site.failingSince, now: now)). \(site.finding) "
            + "\(file) It is asked again in \(TimeFormat.remaining(milliseconds: site.nextFetch, now: now))."
    }
}
