package import AssociatedDomains
import BatonConcurrency
package import BatonCore
package import BatonStore
package import Foundation
package import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
package import SiteAssociationClient
import Synchronization

/// Knows which web pages belong to which installed apps: keeps the files of the sites that apps claim, and asks the
/// sites again in time.
package final class SiteAssociations: Service {
    /// The parts of a valid file that are kept in memory.
    struct HeldFile: Sendable {
        var body: [UInt8]
        var contentType: String
        var file: SiteFile
    }

    struct State {
        var apps: [ClaimingApp] = []
        var cache = SiteAssociationCache<HeldFile>()
        /// Sites whose files in the database are not those that are held.
        var unsaved: Set<DomainName> = []
        /// Sites whose fetches have ended since the last round.
        var fetched: Set<DomainName> = []
    }

    /// Fetches a site's file. The flag allows a server on a private network.
    package typealias Fetch = @Sendable (DomainName, SiteValidators?, Bool) async -> SiteFetch

    let state: Mutex<State>
    /// Each fetch that ended, once its result is kept. Bounded: a reader awaits each site once.
    let fetches = Broadcaster<DomainName>(.unbounded)
    /// The answer to “whose page is this?” may be another one.
    private let claimChanges = Broadcaster<Void>(.newest)
    let settings: SiteAssociationsSettings
    private let anchors: TrustAnchors
    private let store: SiteStore
    private let fetch: Fetch
    private let recorder: any EventRecorder
    private let logger: Logger
    let clock: WallClock
    /// Signals that something may be due. Bound 1: due work is looked up, not counted.
    private let wakeUps = Signal()

    /// The tables that this module has in the daemon's database.
    package static var migrations: [DaemonDatabase.Migration] { SiteStore.migrations }

    /// Reads the files that an earlier daemon kept.
    /// - Parameters:
    ///   - database: opened with ``migrations``.
    ///   - fetch: nil for the network.
    /// - Throws: `invalid_argument` with reason `invalid_roots`.
    package init(
        database: DaemonDatabase, recorder: any EventRecorder, logger: Logger,
        settings: SiteAssociationsSettings = .init(), clock: WallClock = .system, fetch: Fetch? = nil
    ) async throws {
        self.settings = settings
        self.recorder = recorder
        self.logger = logger
        self.clock = clock
        store = SiteStore(database: database)
        anchors =
            try settings.roots.map { pem throws(BatonError) in
                try TrustAnchors(pem: pem, name: "the file of --site-roots")
            } ?? .system
        if let fetch {
            self.fetch = fetch
        } else {
            let fetcher = try await Self.makeFetcher(settings)
            self.fetch = { await fetcher.fetch($0, validators: $1, allowsPrivateNetwork: $2) }
        }
        var cache = SiteAssociationCache<HeldFile>()
        for record in try await store.all() {
            // As it was valid then; whether it still is, the site is asked soon.
            let time = Date(timeIntervalSince1970: Double(record.verified))
            guard let file = try? await SiteFile(record.body, contentType: nil, anchors: anchors, time: time) else {
                continue
            }
            cache.restore(
                record.domain, file: HeldFile(body: record.body, contentType: "", file: file),
                validators: record.validators, verified: record.verified)
        }
        var state = State()
        state.cache = cache
        self.state = Mutex(state)
    }

    /// Reads the system's roots, off the cooperative pool.
    private static func makeFetcher(_ settings: SiteAssociationsSettings) async throws -> SiteAssociationFetcher {
        let fetching = SiteAssociationFetcher.Settings(
            roots: settings.roots.map { Array($0.utf8) }, servers: settings.servers)
        return try await NIOThreadPool.singleton.runIfActive { try SiteAssociationFetcher(settings: fetching) }
    }

    var now: UInt64 { clock.milliseconds / 1000 }

    // MARK: Which apps

    /// The installed apps with their entitlements, in the order in which they are asked.
    package func appsChanged(_ apps: [ClaimingApp]) {
        let claimed = apps.flatMap { app in app.domains.entries.filter(settings.counts).map(\.domain) }
        var seen: Set<DomainName> = []
        let domains = claimed.filter { seen.insert($0).inserted }
        let now = now
        let (refusals, forgotten) = state.withLock { state in
            let known = Set(state.apps)
            state.apps = apps
            var forgotten: [DomainName] = []
            for case .forget(let domain) in state.cache.want(domains, now: now) { forgotten.append(domain) }
            state.unsaved.formUnion(forgotten)
            let refusals = apps.filter { !known.contains($0) }
                .flatMap { app in app.domains.refusals.map { (app, $0.reason) } }
            return (refusals, forgotten)
        }
        for (app, reason) in refusals {
            recorder.record("domains", "entry_refused", reason, ["bundle_id": app.identity.bundleID.rawValue])
        }
        for domain in forgotten { fetches.send(domain) }
        claimChanges.send(())
        wake()
    }

    /// An element at once and whenever the answers of ``apps(claiming:for:)`` may have changed; several unread changes
    /// are one.
    package func changes() -> AsyncStream<Void> { claimChanges.subscribe([()]) }

    // MARK: Questions

    /// The installed apps to which a page belongs for a service, as its site confirms. None for a page that is no
    /// `http` or `https` URL. Does not wait for the network.
    package func apps(claiming url: URL, for service: AssociatedDomain.Service) -> [DomainClaim] {
        guard let page = try? WebPageURL(url.absoluteString) else { return [] }
        return claims(on: page, for: service).filter(\.isApproved).map {
            DomainClaim(app: $0.app.identity, service: service, entry: $0.entry)
        }
    }

    struct Claim {
        let app: ClaimingApp
        let entry: AssociatedDomain
        /// Nil while no file of the site is held.
        let association: SiteAssociation?
        let isApproved: Bool
    }

    /// Every app with an entry for the page's host, and whether the site gives it this page.
    func claims(on page: WebPageURL, for service: AssociatedDomain.Service) -> [Claim] {
        let now = now
        let candidates: [(ClaimingApp, AssociatedDomain, SiteAssociation?)] = state.withLock { state in
            state.apps.compactMap { app in
                app.domains.entry(for: page.host, service: service, where: settings.counts).map {
                    (app, $0, state.cache.file(of: $0.domain, now: now)?.file.association)
                }
            }
        }
        // Outside of the lock: matching takes a while for hostile files.
        return candidates.map { app, entry, association in
            Claim(
                app: app, entry: entry, association: association,
                isApproved: association?.matches(page, appID: app.appID, service: service) ?? false)
        }
    }

    // MARK: Running

    package func run() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        await cancelWhenGracefulShutdown { [self] in
            await withDiscardingTaskGroup { group in
                var timer: Scheduled<Void>?
                for await _ in wakeUps.stream {
                    timer?.cancel()
                    let now = now
                    let actions = state.withLock { $0.cache.tick(now: now) }
                    // A file that was not confirmed for too long.
                    if actions.contains(where: { if case .store = $0 { true } else { false } }) {
                        claimChanges.send(())
                    }
                    for case .fetch(let domain) in actions { group.addTask { await self.fetchAndJudge(domain) } }
                    // Awaited at once: what is being written must not be cut off by the daemon's end.
                    await Task { await self.save(actions) }.value
                    if let next = state.withLock({ $0.cache.nextTick(now: now) }) {
                        // Not more often than a second, whatever the times say; at least hourly, if the clock is set.
                        let pause = min(max(next > now ? next - now : 1, 1), 3600)
                        timer = loop.scheduleTask(in: .seconds(Int64(pause))) { [self] in wake() }
                    }
                }
                timer?.cancel()
            }
            // Awaited at once, as above.
            await Task { await self.save([]) }.value
        }
    }

    func wake() { wakeUps.send() }

    private func fetchAndJudge(_ domain: DomainName) async {
        let (validators, held, isPrivateAllowed) = state.withLock { state in
            let site = state.cache.sites[domain]
            let entries = state.apps.lazy.flatMap(\.domains.entries).filter { $0.domain == domain }
            return (
                site?.file == nil ? nil : site?.validators, site?.file,
                entries.contains { settings.allowsPrivateNetwork($0) }
            )
        }
        let result = await fetch(domain, validators, isPrivateAllowed)
        let outcome = await judge(result, held)
        if Task.isCancelled { return }
        report(outcome, domain)
        let now = now
        state.withLock { state in
            for case .store(let domain) in state.cache.fetched(
                domain, outcome, now: now, jitter: .random(in: 0...1))
            { state.unsaved.insert(domain) }
            state.fetched.insert(domain)
        }
        // Before the waiters for the fetch hear of its end.
        claimChanges.send(())
        wake()
    }

    private func judge(
        _ fetch: SiteFetch, _ held: HeldFile?
    ) async -> SiteAssociationCache<HeldFile>.Outcome {
        do {
            switch fetch.outcome {
            case .file(let fetched):
                let file = try await SiteFile(
                    fetched.bytes, contentType: fetched.contentType, anchors: anchors, time: clock.now)
                return .valid(
                    HeldFile(body: fetched.bytes, contentType: fetched.contentType, file: file), fetched.validators,
                    maximumAge: fetched.maximumAge)
            case .unchanged:
                // A signature's certificate may have expired since.
                if let held, held.file.signer != nil {
                    _ = try await SiteFile(held.body, contentType: nil, anchors: anchors, time: clock.now)
                }
                return .unchanged
            case .absent(let problem), .refused(let problem): return .withdrawn(problem)
            case .unreachable(let problem): return .unreachable(problem)
            }
        } catch {
            return .withdrawn(error)
        }
    }

    private func report(_ outcome: SiteAssociationCache<HeldFile>.Outcome, _ domain: DomainName) {
        let fields = ["domain": domain.rawValue]
        switch outcome {
        case .valid:
            recorder.record("domains", "site_fetched", "The file of \(domain) was fetched and is valid.", fields)
        case .unchanged: recorder.record("domains", "site_unchanged", "The file of \(domain) has not changed.", fields)
        case .withdrawn(let problem), .unreachable(let problem):
            recorder.record(
                "domains", "site_failed", "\(domain): \(problem.message)",
                fields.merging(["reason": problem.reason]) { $1 })
        }
    }

    // MARK: Keeping

    /// Called by the loop only, one after the other, so that nothing older is written after something newer.
    private func save(_ actions: [SiteAssociationCache<HeldFile>.Action]) async {
        let (records, removals, fetched) = state.withLock { state in
            var domains = state.unsaved
            let fetched = state.fetched
            state.unsaved = []
            state.fetched = []
            for action in actions {
                switch action {
                case .store(let domain), .forget(let domain): domains.insert(domain)
                case .fetch: break
                }
            }
            let records = domains.compactMap { domain in
                state.cache.sites[domain].flatMap { site in
                    site.file.map {
                        SiteStore.Record(
                            domain: domain, body: $0.body, validators: site.validators, verified: site.verified)
                    }
                }
            }
            return (records, domains.subtracting(records.map(\.domain)), fetched)
        }
        do {
            for record in records { try await store.save(record) }
            for domain in removals { try await store.remove(domain) }
        } catch {
            logger.error("Sites' files were not stored.", metadata: ["error": "\(error)"])
        }
        for domain in fetched { fetches.send(domain) }
    }
}
