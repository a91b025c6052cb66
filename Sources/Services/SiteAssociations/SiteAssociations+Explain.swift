package import AssociatedDomains
import BatonConcurrency
package import BatonCore
package import BatonWire
import Foundation
import SwiftProtobuf
import Synchronization

private typealias Stage = Baton_Link_V1_Stage

extension SiteAssociations {
    // MARK: Asking now

    /// Fetches the files of sites now, and returns when that is done.
    /// - Parameter domain: nil for all.
    /// - Throws: `not_found` when no installed app claims the domain.
    package func refresh(_ domain: DomainName?) async throws {
        let stream = fetches.subscribe()
        let domains = state.withLock { state in
            let domains = domain.map { [$0] } ?? Array(state.cache.sites.keys)
            state.cache.refresh(domains)
            return domains.filter { state.cache.sites[$0] != nil }
        }
        if let domain, domains.isEmpty {
            throw BatonError(
                .notFound, reason: "no_such_site",
                "No installed app claims \(domain). “baton links list” lists the sites that apps claim.")
        }
        wake()
        var awaited = Set(domains)
        if awaited.isEmpty { return }
        for await domain in stream {
            awaited.remove(domain)
            if awaited.isEmpty { return }
        }
        throw CancellationError()
    }

    // MARK: Lists

    package func sites() -> [Baton_Control_V1_Site] {
        let now = now
        let (apps, cache) = state.withLock { ($0.apps, $0.cache) }
        return cache.sites.sorted { $0.key < $1.key }.map { domain, site in
            let file = cache.file(of: domain, now: now)?.file
            return .with {
                $0.domain = domain.rawValue
                $0.hasFile_p = file != nil
                $0.verified = site.file == nil ? 0 : site.verified * 1000
                $0.nextFetch = site.nextFetch * 1000
                $0.finding = finding(site)
                $0.failure = site.problem?.reason ?? ""
                $0.failingSince = (site.failingSince ?? 0) * 1000
                $0.fileExpires = file == nil ? 0 : cache.expiry(of: site) * 1000
                $0.signer = file?.signer?.subject ?? ""
                $0.claims = apps.flatMap { app in
                    app.domains.entries.filter { $0.domain == domain }.map { claim(app, $0, file?.association) }
                }
            }
        }
    }

    private func finding(_ site: SiteAssociationCache<HeldFile>.Site) -> String {
        if let problem = site.problem { return problem.message }
        return site.wasFetched ? "The file is valid." : ""
    }

    private func claim(
        _ app: ClaimingApp, _ entry: AssociatedDomain, _ association: SiteAssociation?
    ) -> Baton_Control_V1_SiteClaim {
        let reason =
            if !settings.counts(entry) {
                "The entry's mode does not count on this device."
            } else if let association {
                association.names(app.appID, for: entry.service)
                    ? "" : "The site's file does not name \(app.appID) for \(entry.service.rawValue)."
            } else {
                "No valid file of the site is held."
            }
        return .with {
            $0.app = Baton_Value_V1_AppIdentity(app.identity)
            $0.appName = app.name
            $0.entry = entry.description
            $0.approved = reason.isEmpty
            $0.reason = reason
        }
    }

    // MARK: Explaining

    /// Why a domain, or a page, is claimed by an app here or is not: one explanation for each app with an entry for it.
    /// - Throws: `invalid_argument` when the text is neither a domain nor a page's URL.
    package func explain(_ text: String) throws(BatonError) -> [Baton_Control_V1_Explanation] {
        let isURL = text.contains("://")
        let page = try WebPageURL(isURL ? text : "https://\(text)/")
        let apps = state.withLock { $0.apps }
        let explanations = apps.flatMap { app in
            app.domains.entries.filter { $0.covers(page.host) }.map { entry in
                Baton_Control_V1_Explanation("\(app.name): \(entry)", stages(app, entry, page, isURL: isURL))
            }
        }
        guard explanations.isEmpty else { return explanations }
        let refused = apps.flatMap { app in app.domains.refusals.map { "\(app.name): \($0.reason)" } }
        return [
            .init(
                page.host.rawValue,
                [
                    Stage(
                        "entitlement", .failed, "No installed app claims \(page.host).",
                        "Add “activitycontinuation:\(page.host)” to \(AssociatedDomain.entitlement) in the app's "
                            + "Entitlements.plist, sign and install it again."
                            + (refused.isEmpty ? "" : " Entries that are refused: \(refused.joined(separator: " "))"))
                ])
        ]
    }

    private func stages(
        _ app: ClaimingApp, _ entry: AssociatedDomain, _ page: WebPageURL, isURL: Bool
    ) -> [Baton_Link_V1_Stage] {
        let now = now
        let (site, held) = state.withLock { ($0.cache.sites[entry.domain], $0.cache.file(of: entry.domain, now: now)) }
        var stages = [Stage("entitlement", .ok, "\(app.appID) claims \(entry).")]
        if let deciding = app.domains.entry(for: page.host, service: entry.service, where: settings.counts),
            deciding != entry, settings.counts(entry)
        {
            stages.append(
                Stage("entry", .unknown, "Its entry \(deciding) is more exact for \(page.host), and decides."))
            return stages
        }
        guard settings.counts(entry) else {
            stages.append(
                Stage(
                    "mode", .failed, "The entry's mode does not count on this device.",
                    entry.mode.contains(.developer)
                        ? "Start batond with --site-developer-mode, on a device for development only."
                        : "The device's administrator can name the site's server with batond --site-host."))
            return stages
        }
        stages.append(fetchStage(site))
        guard let held else {
            stages.append(
                Stage(
                    "file", .failed, "No valid file of \(entry.domain) is held.",
                    "“baton links check --fetch --domain \(entry.domain)” says what is wrong; then “baton links refresh "
                        + "\(entry.domain)”."))
            return stages
        }
        let age = site.map { Date(timeIntervalSince1970: Double($0.verified)).formatted(.iso8601) } ?? ""
        let signer = held.file.signer.map { ", signed by \($0.subject)" } ?? ""
        stages.append(Stage("file", .ok, "The site confirmed its file last at \(age)\(signer)."))
        guard isURL || !held.file.association.names(app.appID, for: entry.service) else {
            stages.append(Stage("site", .ok, "The site names the app for \(entry.service.rawValue)."))
            return stages
        }
        let verdict = held.file.association.verdict(on: page, appID: app.appID, service: entry.service)
        stages.append(
            Stage(
                "site", verdict.outcome == .matched ? .ok : .failed, verdict.reason,
                verdict.outcome == .matched
                    ? ""
                    : (["The site's owner changes that; “baton links check” shows each rule."]
                        + held.file.association.warnings.prefix(3)).joined(separator: " ")))
        return stages
    }

    private func fetchStage(_ site: SiteAssociationCache<HeldFile>.Site?) -> Baton_Link_V1_Stage {
        guard let site, site.wasFetched else {
            return Stage(
                "fetch", site?.file == nil ? .unknown : .ok, "The site has not been asked since the daemon started.")
        }
        guard let problem = site.problem else { return Stage("fetch", .ok, "The site was asked and answered.") }
        return Stage(
            "fetch", site.file == nil ? .failed : .unknown, problem.message,
            site.file == nil ? "" : "Its last valid file counts until the site withdraws it, or a week has passed.")
    }
}
