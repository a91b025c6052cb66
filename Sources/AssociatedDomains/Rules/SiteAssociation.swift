package import BatonCore

/// The contents of a site's file: the apps that it is associated with, and for which services.
package struct SiteAssociation: Sendable {
    /// The apps of `activitycontinuation`, `webcredentials`, `appclips`, in the file's order.
    package var apps: [AssociatedDomain.Service: [String]] = [:]
    /// Nil when the file has no such section.
    package var appLinks: AppLinks?
    /// Warnings for the site's owner: oddities that are no errors.
    package var warnings: [String] = []

    package init() {}

    /// - Throws: as ``SiteFile``, for plain JSON.
    package init(json bytes: [UInt8]) throws(BatonError) {
        self = try SiteAssociationReader.read(try StrictJSON(bytes))
    }

    /// Whether the site names the app for the service at all.
    package func names(_ appID: String, for service: AssociatedDomain.Service) -> Bool {
        service == .appLinks ? appLinks?.appIDs.contains(appID) ?? false : apps[service]?.contains(appID) ?? false
    }

    /// Every app that the site names for a service.
    package func appIDs(for service: AssociatedDomain.Service) -> [String] {
        service == .appLinks ? appLinks?.appIDs ?? [] : apps[service] ?? []
    }

    /// Whether the page belongs to the app, without the reasons.
    package func matches(
        _ url: WebPageURL, appID: String, service: AssociatedDomain.Service,
        limit: Int = PatternMatcher.defaultLimit
    ) -> Bool {
        guard service == .appLinks else { return service.isAboutPages && names(appID, for: service) }
        var (page, matcher) = (PageText(url), PatternMatcher(limit: limit))
        let component = appLinks?.firstMatch(for: appID, &page, &matcher) { _, _ in }
        return component.map { !$0.isExcluded } ?? false
    }

    /// Whether the page belongs to the app, and why.
    package func verdict(
        on url: WebPageURL, appID: String, service: AssociatedDomain.Service,
        limit: Int = PatternMatcher.defaultLimit
    ) -> LinkVerdict {
        guard service.isAboutPages else {
            return LinkVerdict(
                service: service, appID: appID, outcome: .notMatched,
                reason: "\(service.rawValue) is not about pages, so that no page matches.")
        }
        guard service == .appLinks, let appLinks, names(appID, for: service) else {
            return membership(of: appID, in: service)
        }
        var (page, matcher) = (PageText(url), PatternMatcher(limit: limit))
        var rules: [LinkVerdict.Rule] = []
        let match = appLinks.firstMatch(for: appID, &page, &matcher) { component, part in
            let (pattern, text) = component.explain(part, url)
            rules.append(
                .init(
                    location: component.location, comment: component.comment, isExcluding: component.isExcluded,
                    failure: .init(part: part.key, pattern: pattern, text: text)))
        }
        let (outcome, reason) = conclusion(match, isExhausted: matcher.isExhausted, rules: rules.count, limit: limit)
        if let match {
            rules.append(
                .init(
                    location: match.location, comment: match.comment, isExcluding: match.isExcluded, failure: nil))
        }
        var verdict = LinkVerdict(
            service: service, appID: appID, outcome: outcome, reason: reason, rules: rules, steps: matcher.steps)
        if let match, outcome != .tooComplex, !match.matchesAsDocumented(&page, &matcher), !matcher.isExhausted {
            verdict.warning =
                "\(match.location) matches this page since slashes at the end do not count on Apple's devices, neither in the "
                + "pattern nor in the page. Apple's documentation says otherwise."
        }
        return verdict
    }

    private func conclusion(
        _ match: LinkComponent?, isExhausted: Bool, rules: Int, limit: Int
    ) -> (LinkVerdict.Outcome, String) {
        if isExhausted {
            return (
                .tooComplex, "The patterns are too complex for this URL: matching was given up after \(limit) steps."
            )
        }
        guard let match else {
            return (
                .notMatched,
                rules == 0 ? "The app's entries have no rules." : "None of the app's \(rules) rules matches the URL."
            )
        }
        return match.isExcluded
            ? (.blocked, "\(match.location) matches, and excludes the URL.")
            : (.matched, "\(match.location) matches.")
    }

    /// Whether the file names the app for the service, whatever the page.
    package func membership(of appID: String, in service: AssociatedDomain.Service) -> LinkVerdict {
        let isNamed = names(appID, for: service)
        let place = service == .appLinks ? "applinks.details" : service.rawValue + ".apps"
        return LinkVerdict(
            service: service, appID: appID, outcome: isNamed ? .matched : .notMatched,
            reason: "The site's file \(isNamed ? "names" : "does not name") \(appID) in \(place).")
    }
}
