import BatonWire

/// A site that installed apps claim, as it is printed.
enum SiteReport {
    static func json(_ site: Baton_Control_V1_Site) -> JSONValue {
        [
            "domain": .string(site.domain), "has_file": .boolean(site.hasFile_p),
            "verified_ms": .init(nonZero: site.verified), "next_fetch_ms": .init(nonZero: site.nextFetch),
            "finding": .init(nonEmpty: site.finding), "failure": .init(nonEmpty: site.failure),
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
            .init("ENTRY", isFlexible: true), .init("APP", isFlexible: true), .init("STATE", isFlexible: true),
        ])
        for site in sites {
            for claim in site.claims {
                let problem = site.failure.isEmpty || site.hasFile_p ? claim.reason : site.finding
                table.add(claim.entry, claim.appName, claim.approved ? "approved" : problem)
            }
        }
        return table.render()
    }
}
