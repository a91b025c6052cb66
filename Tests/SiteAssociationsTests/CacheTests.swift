import AssociatedDomains
import BatonCore
import BatonTestSupport
import SiteAssociationClient
import SiteAssociations
import Testing

struct CacheTests {
    private typealias Cache = SiteAssociationCache<Int>
    private let domain = DomainName(unchecked: "company.com")
    private let problem = BatonError(.unavailable, reason: "test", "Test.")
    private let hour: UInt64 = 3600
    private let day: UInt64 = 86_400

    /// A cache that has fetched version 1 of the file at time 1000.
    private func makeCache() -> Cache {
        var cache = Cache()
        #expect(cache.want([domain], now: 1000) == [])
        #expect(cache.tick(now: 1000) == [.fetch(domain)])
        #expect(
            cache.fetched(domain, .valid(1, .init(entityTag: "1"), maximumAge: nil), now: 1000, jitter: 0) == [
                .store(domain)
            ])
        return cache
    }

    @Test("A site is asked when an app begins to claim it, and again within half a day (H-88)")
    func asks() {
        var cache = makeCache()
        #expect(cache.file(of: domain, now: 1000) == 1)
        #expect(cache.tick(now: 1000 + 12 * hour - 1) == [])
        #expect(cache.nextTick(now: 2000) == 1000 + 12 * hour)
        #expect(cache.tick(now: 1000 + 12 * hour) == [.fetch(domain)])
        // Not twice at the same time.
        #expect(cache.tick(now: 1000 + 13 * hour) == [])
        _ = cache.fetched(domain, .unchanged, now: 1000 + 13 * hour, jitter: 0)
        #expect(cache.file(of: domain, now: 1000 + 13 * hour) == 1)
        #expect(cache.sites[domain]?.verified == 1000 + 13 * hour)
    }

    @Test("max-age brings the next fetch forward, to an hour at least, and never puts it off")
    func maximumAge() {
        for (age, pause) in [(0, hour), (7200, 7200), (999_999_999, 12 * hour)] {
            var cache = makeCache()
            _ = cache.tick(now: 50_000)
            _ = cache.fetched(domain, .valid(2, .init(), maximumAge: age), now: 50_000, jitter: 0)
            #expect(cache.nextTick(now: 50_000) == 50_000 + pause)
        }
    }

    @Test("A site that is down for days does not lose its apps; after a week it does, until it is back")
    func down() {
        var cache = makeCache()
        var now: UInt64 = 1000
        while let next = cache.nextTick(now: now), next <= 1000 + 7 * day {
            now = next
            #expect(cache.file(of: domain, now: now) == 1)
            guard cache.tick(now: now).contains(.fetch(domain)) else { continue }
            #expect(cache.fetched(domain, .unreachable(problem), now: now, jitter: 0.5) == [])
        }
        now = 1000 + 7 * day + 1
        #expect(cache.file(of: domain, now: now) == nil)
        #expect(cache.tick(now: now).contains(.store(domain)))
        #expect(cache.sites[domain]?.validators == SiteValidators())
        now += 6 * hour
        _ = cache.tick(now: now)
        _ = cache.fetched(domain, .valid(2, .init(), maximumAge: nil), now: now, jitter: 0)
        #expect(cache.file(of: domain, now: now) == 2)
    }

    @Test("A site that answers without a valid file is asked again after an hour, and withdraws only if it is so still")
    func withdraws() {
        var cache = makeCache()
        var now = 1000 + 12 * hour
        _ = cache.tick(now: now)
        #expect(cache.fetched(domain, .withdrawn(problem), now: now, jitter: 1) == [])
        #expect(cache.file(of: domain, now: now) == 1)
        now += hour
        #expect(cache.tick(now: now) == [.fetch(domain)])
        #expect(cache.fetched(domain, .withdrawn(problem), now: now, jitter: 0) == [.store(domain)])
        #expect(cache.file(of: domain, now: now) == nil)
        // And a file that is back in between ends the doubt.
        cache = makeCache()
        now = 1000 + 12 * hour
        _ = cache.tick(now: now)
        _ = cache.fetched(domain, .withdrawn(problem), now: now, jitter: 0)
        now += hour
        _ = cache.tick(now: now)
        _ = cache.fetched(domain, .unchanged, now: now, jitter: 0)
        #expect(cache.sites[domain]?.doubtedSince == nil)
        #expect(cache.file(of: domain, now: now) == 1)
    }

    @Test("Since when a site fails is since the first failure in a row, of whatever kind")
    func failingSince() {
        var cache = makeCache()
        #expect(cache.sites[domain]?.failingSince == nil)
        #expect(cache.sites[domain].map { cache.expiry(of: $0) } == 1000 + 7 * day)
        for (now, outcome) in [(day, .unreachable(problem)), (2 * day, .withdrawn(problem))]
            as [(UInt64, Cache.Outcome)]
        {
            _ = cache.tick(now: now)
            _ = cache.fetched(domain, outcome, now: now, jitter: 0)
            #expect(cache.sites[domain]?.failingSince == day)
        }
        _ = cache.tick(now: 3 * day)
        _ = cache.fetched(domain, .unchanged, now: 3 * day, jitter: 0)
        #expect(cache.sites[domain]?.failingSince == nil)
        #expect(cache.sites[domain].map { cache.expiry(of: $0) } == 10 * day)
    }

    @Test("A site that never had a valid file is asked less and less often")
    func backsOff() {
        var cache = Cache()
        _ = cache.want([domain], now: 0)
        var now: UInt64 = 0
        var pauses: [UInt64] = []
        for _ in 0..<12 {
            _ = cache.tick(now: now)
            _ = cache.fetched(domain, .withdrawn(problem), now: now, jitter: 0)
            let next = cache.nextTick(now: now) ?? 0
            pauses.append(next - now)
            now = next
        }
        #expect(pauses.first == 60)
        #expect(pauses == pauses.sorted())
        #expect(pauses.last == 6 * hour)
    }

    @Test("A site that nobody claims any more is forgotten, and an answer that comes late changes nothing")
    func forgets() {
        var cache = makeCache()
        _ = cache.tick(now: 1000 + 12 * hour)
        #expect(cache.want([], now: 50_000) == [.forget(domain)])
        #expect(cache.fetched(domain, .valid(2, .init(), maximumAge: nil), now: 50_000, jitter: 0) == [])
        #expect(cache.sites.isEmpty)
        #expect(cache.nextTick(now: 50_000) == nil)
    }

    @Test("A clock that was set back does not put off a fetch, and one that is far ahead keeps no file")
    func clocks() {
        var cache = makeCache()
        _ = cache.tick(now: 1000 + 12 * hour)
        _ = cache.fetched(domain, .unchanged, now: 100 * day, jitter: 0)
        #expect(cache.tick(now: 5000) == [.fetch(domain)])
        #expect(cache.file(of: domain, now: 5000) == 1)
        #expect(cache.file(of: domain, now: 200 * day) == nil)
    }

    @Test("A few sites are asked at a time, and so many are wanted at most")
    func bounds() {
        var cache = Cache()
        let domains = (0..<600).map { DomainName(unchecked: "a\($0).com") }
        _ = cache.want(domains, now: 0)
        #expect(cache.sites.count == 500)
        #expect(cache.tick(now: 0).count == 4)
        #expect(cache.tick(now: 0).isEmpty)
        #expect(cache.nextTick(now: 0) == nil)
    }

    @Test("A file kept over a restart counts at once, and the site is asked at once")
    func restores() {
        var cache = Cache()
        cache.restore(domain, file: 7, validators: .init(entityTag: "7"), verified: 1000)
        #expect(cache.want([domain], now: 2000) == [])
        #expect(cache.file(of: domain, now: 2000) == 7)
        #expect(cache.tick(now: 2000) == [.fetch(domain)])
        #expect(cache.file(of: domain, now: 1000 + 8 * day) == nil)
    }

    // In any order of events, a site's last word counts within a day, and silence for less than a week does not.
    @Test("Simulated for months, with sites that come, go, fail and restart (seeded)", arguments: 0..<60)
    func simulation(run: Int) {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        var cache = Cache()
        var now: UInt64 = 1_000_000
        _ = cache.want([domain], now: now)
        /// The site's state: a version, or nothing; whether it can be reached; since when all of this is so.
        var version: Int? = 1
        var isUp = true
        var since = now
        var lastConfirmed: UInt64?
        for _ in 0..<2000 {
            if Int.random(in: 0..<40, using: &generator) == 0 {
                version = Bool.random(using: &generator) ? Int.random(in: 1...9, using: &generator) : nil
                isUp = Int.random(in: 0..<3, using: &generator) != 0
                since = now
            }
            for case .fetch(let domain) in cache.tick(now: now) {
                let duration = UInt64.random(in: 0...20, using: &generator)
                now += duration
                let outcome: Cache.Outcome =
                    if !isUp { .unreachable(problem) } else if let version {
                        .valid(version, .init(), maximumAge: nil)
                    } else { .withdrawn(problem) }
                if isUp, version != nil { lastConfirmed = now }
                _ = cache.fetched(domain, outcome, now: now, jitter: .random(in: 0...1, using: &generator))
            }
            let file = cache.file(of: domain, now: now)
            if isUp, now - since >= day { #expect(file == version, "run \(run), seed \(seed)") }
            if file != nil {
                #expect(lastConfirmed.map { now - $0 <= 7 * day } == true, "run \(run), seed \(seed)")
            }
            // The next event: the timer, or something earlier.
            let next = cache.nextTick(now: now) ?? now + 60
            now = max(now + 1, min(next, now + UInt64.random(in: 60...(2 * hour), using: &generator)))
        }
    }
}
