package import AssociatedDomains
package import BatonCore
package import SiteAssociationClient

/// Which sites' files are held, when each is fetched, and what an answer or the lack of one means. A value: no I/O and
/// no clock. `File` is what is held of a valid file.
///
/// - A site that cannot be reached says nothing: its file counts on for ``Policy/grace`` since it was last confirmed.
/// - A site whose file no longer names an app withdraws at once, when it is next asked, which is within
///   ``Policy/revalidation``.
/// - A site that answers without a valid file (404, a redirect, nonsense) withdraws too, but may be in the middle of
///   a change: it is asked again after ``Policy/confirmation``, and only if that finds no valid file either is the one
///   held dropped. All of it takes less than a day while the site can be reached.
package struct SiteAssociationCache<File: Sendable>: Sendable {
    /// All in seconds.
    package struct Policy: Sendable {
        package var revalidation: UInt64 = 12 * 3600
        package var confirmation: UInt64 = 3600
        package var grace: UInt64 = 7 * 86_400
        package var firstRetry: UInt64 = 60
        package var lastRetry: UInt64 = 6 * 3600
        /// Fetches at the same time; others wait their turn.
        package var maximumFetches = 4
        /// Sites; those of later apps do not count.
        package var maximumSites = 500

        package init() {}
    }

    /// The outcome of a fetch, once the file was judged.
    package enum Outcome: Sendable {
        case valid(File, SiteValidators, maximumAge: Int?)
        case unchanged
        /// There is no file, or none that is valid.
        case withdrawn(BatonError)
        case unreachable(BatonError)
    }

    package enum Action: Sendable, Hashable {
        case fetch(DomainName)
        /// Keep what is held now, for the next start.
        case store(DomainName)
        case forget(DomainName)
    }

    package struct Site: Sendable {
        /// The last valid file, unless it was withdrawn or is too old.
        package var file: File?
        package var validators = SiteValidators()
        /// When the site last said that it has this file.
        package var verified: UInt64 = 0
        /// Since when the site answers without a valid file.
        package var doubtedSince: UInt64?
        package var failures = 0
        /// Since when every fetch has failed; nil when the last one did not.
        package var failingSince: UInt64?
        package var nextFetch: UInt64 = 0
        package var isFetching = false
        /// The problem of the last fetch; nil when it succeeded, or nothing was tried.
        package var problem: BatonError?
        package var wasFetched = false
    }

    private let policy: Policy
    package private(set) var sites: [DomainName: Site] = [:]

    package init(policy: Policy = Policy()) { self.policy = policy }

    /// Restores a file that an earlier run kept.
    package mutating func restore(_ domain: DomainName, file: File, validators: SiteValidators, verified: UInt64) {
        sites[domain] = Site(file: file, validators: validators, verified: verified)
    }

    // MARK: Inputs

    /// The sites that installed apps claim, the most important first. ``tick(now:)`` begins fetches.
    package mutating func want(_ domains: [DomainName], now: UInt64) -> [Action] {
        let wanted = Set(domains.prefix(policy.maximumSites))
        var actions: [Action] = []
        for domain in sites.keys where !wanted.contains(domain) {
            sites[domain] = nil
            actions.append(.forget(domain))
        }
        // A site that was restored is asked at once too: how long the daemon was away is not known.
        for domain in wanted where sites[domain] == nil { sites[domain] = Site(nextFetch: now) }
        return actions
    }

    /// Time has passed, or something else has changed: what to fetch now.
    package mutating func tick(now: UInt64) -> [Action] {
        var actions: [Action] = []
        for (domain, site) in sites where site.file != nil && isTooOld(site, now) {
            sites[domain]?.file = nil
            sites[domain]?.validators = SiteValidators()
            actions.append(.store(domain))
        }
        let room = policy.maximumFetches - sites.values.count(where: \.isFetching)
        let due = sites.filter { !$0.value.isFetching && isDue($0.value, now) }
            .sorted { ($0.value.nextFetch, $0.key) < ($1.value.nextFetch, $1.key) }
        for (domain, _) in due.prefix(max(0, room)) {
            sites[domain]?.isFetching = true
            actions.append(.fetch(domain))
        }
        return actions
    }

    /// A caller wants to know now.
    package mutating func refresh(_ domains: [DomainName]) {
        for domain in domains { sites[domain]?.nextFetch = 0 }
    }

    /// - Parameter jitter: from 0 to 1, so that not every device asks at the same moment.
    package mutating func fetched(
        _ domain: DomainName, _ outcome: Outcome, now: UInt64, jitter: Double
    ) -> [Action] {
        // A site that no app claims any more.
        guard var site = sites[domain], site.isFetching else { return [] }
        site.isFetching = false
        site.wasFetched = true
        var isStored = true
        switch outcome {
        case .valid(let file, let validators, let maximumAge):
            site.file = file
            site.validators = validators
            confirm(&site, now, maximumAge, jitter)
        case .unchanged:
            if site.file == nil {
                site.validators = SiteValidators()
                retry(&site, now, jitter)
            } else {
                confirm(&site, now, nil, jitter)
            }
        case .withdrawn(let problem):
            fail(&site, problem, now)
            let since = min(site.doubtedSince ?? now, now)
            site.doubtedSince = since
            if site.file != nil, now - since < policy.confirmation {
                site.nextFetch = since + policy.confirmation
                isStored = false
            } else {
                site.file = nil
                site.validators = SiteValidators()
                retry(&site, now, jitter)
            }
        case .unreachable(let problem):
            fail(&site, problem, now)
            retry(&site, now, jitter)
            isStored = false
        }
        sites[domain] = site
        return isStored ? [.store(domain)] : []
    }

    // MARK: Questions

    /// The file that counts now.
    package func file(of domain: DomainName, now: UInt64) -> File? {
        sites[domain].flatMap { isTooOld($0, now) ? nil : $0.file }
    }

    /// When the file that is held stops counting, unless the site confirms it before.
    package func expiry(of site: Site) -> UInt64 { site.verified + policy.grace }

    /// When to call ``tick(now:)`` next; nil while only fetches are awaited, or nothing is wanted.
    package func nextTick(now: UInt64) -> UInt64? {
        guard sites.values.count(where: \.isFetching) < policy.maximumFetches else { return nil }
        return sites.values.lazy.filter { !$0.isFetching }.map { isDue($0, now) ? now : $0.nextFetch }.min()
    }

    // MARK: Times

    private func confirm(_ site: inout Site, _ now: UInt64, _ maximumAge: Int?, _ jitter: Double) {
        site.verified = now
        site.doubtedSince = nil
        site.failures = 0
        site.problem = nil
        site.failingSince = nil
        let wish = maximumAge.map { UInt64(clamping: $0) } ?? policy.revalidation
        let pause = min(max(wish, policy.confirmation), policy.revalidation)
        site.nextFetch = now + pause - spread(pause, jitter)
    }

    private func fail(_ site: inout Site, _ problem: BatonError, _ now: UInt64) {
        site.problem = problem
        // A clock that was set back.
        site.failingSince = min(site.failingSince ?? now, now)
    }

    private func retry(_ site: inout Site, _ now: UInt64, _ jitter: Double) {
        let pause = min(policy.firstRetry << UInt64(min(site.failures, 16)), policy.lastRetry)
        site.failures += 1
        site.nextFetch = now + pause - spread(pause, jitter)
    }

    /// Up to a quarter.
    private func spread(_ pause: UInt64, _ jitter: Double) -> UInt64 {
        UInt64(Double(pause) / 4 * min(max(jitter, 0), 1))
    }

    /// A clock that was set back must not put off a fetch for longer than any pause is.
    private func isDue(_ site: Site, _ now: UInt64) -> Bool {
        site.nextFetch <= now || site.nextFetch > now + policy.revalidation
    }

    private func isTooOld(_ site: Site, _ now: UInt64) -> Bool {
        now > site.verified && now - site.verified > policy.grace
    }
}
