import AssociatedDomains
import BatonCore
import BatonStore
import BatonTestSupport
import BatonWire
import Foundation
import Logging
import SiteAssociationClient
import SiteAssociations
import Synchronization
import Testing

struct ServiceTests {
    private static let team = TeamIdentity(fingerprint: [UInt8](repeating: 7, count: 32))
    private let folder: TemporaryDirectory
    private let internet = FakeInternet()

    init() throws { folder = try TemporaryDirectory() }

    private func app(_ bundleID: String, _ domains: String...) -> ClaimingApp {
        ClaimingApp(
            identity: AppIdentity(bundleID: BundleID(unchecked: bundleID), team: Self.team), name: bundleID,
            domains: AssociatedDomains(domains))
    }

    private func file(_ apps: ClaimingApp..., links: String = "") -> String {
        let list = apps.map { "\"\($0.appID)\"" }.joined(separator: ",")
        return #"{"activitycontinuation":{"apps":[\#(list)]}\#(links)}"#
    }

    /// Runs the service for as long as `body` runs.
    private func withService(
        settings: SiteAssociationsSettings = .init(), recorder: any EventRecorder = NullEventRecorder(),
        _ body: (SiteAssociations) async throws -> Void
    ) async throws {
        let database = try DaemonDatabase(path: folder.file("db.sqlite"), migrations: SiteAssociations.migrations)
        let internet = internet
        let service = try await SiteAssociations(
            database: database, recorder: recorder, logger: Logger(label: "test"), settings: settings,
            clock: WallClock { internet.now }, fetch: { await internet.fetch($0, $1, $2) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            try await body(service)
            group.cancelAll()
        }
        try database.close()
    }

    private func names(
        _ service: SiteAssociations, _ url: String, _ kind: AssociatedDomain.Service = .activityContinuation
    )
        throws -> [String]
    {
        service.apps(claiming: try #require(URL(string: url)), for: kind).map(\.app.bundleID.rawValue)
    }

    // H-95: offers are judged anew at once.
    @Test("Observers hear when sites confirm or withdraw an app, and when apps come and go")
    func tellsOfChanges() async throws {
        let app = app("com.company.App", "activitycontinuation:company.com")
        internet.serve("company.com", file(app))
        try await withService { service in
            let changes = service.changes()
            func next(_ expected: [String]) async throws {
                for await _ in changes {
                    if try names(service, "https://company.com/") == expected { return }
                }
            }
            try await next([])
            service.appsChanged([app])
            try await next(["com.company.App"])
            internet.serve("company.com", "{}")
            try await service.refresh(nil)
            try await next([])
            internet.serve("company.com", file(app))
            try await service.refresh(nil)
            try await next(["com.company.App"])
            service.appsChanged([])
            try await next([])
        }
    }

    // H-88: an app gets the pages of the domains that it claims, once their sites name it.
    @Test("A page belongs to the installed apps that claim its domain and that the site names (H-88)")
    func claims() async throws {
        let first = app("com.company.FirstApp", "activitycontinuation:company.com", "applinks:company.com")
        let second = app("com.company.SecondApp", "activitycontinuation:company.com")
        let stranger = app("com.evil.App", "activitycontinuation:company.com")
        internet.serve(
            "company.com",
            file(
                first, second,
                links: #","applinks":{"details":[{"appIDs":["\#(first.appID)"],"components":[{"/":"/mail/*"}]}]}"#))
        try await withService { service in
            service.appsChanged([first, second, stranger])
            try await service.refresh(nil)
            #expect(
                try names(service, "https://company.com/x?y#z") == ["com.company.FirstApp", "com.company.SecondApp"])
            #expect(try names(service, "http://COMPANY.com") == ["com.company.FirstApp", "com.company.SecondApp"])
            #expect(try names(service, "https://company.com/mail/1", .appLinks) == ["com.company.FirstApp"])
            #expect(try names(service, "https://company.com/x", .appLinks) == [])
            for other in [
                "https://www.company.com/", "https://company.org/", "https://company.com.evil.org/",
                "https://company.com:8443/", "ftp://company.com/", "file:///company.com",
            ] {
                #expect(try names(service, other) == [], "\(other)")
            }
            service.appsChanged([second])
            #expect(try names(service, "https://company.com/") == ["com.company.SecondApp"])
        }
    }

    @Test("A wildcard is confirmed by the file of the parent domain, a named subdomain by its own")
    func wildcards() async throws {
        let app = app(
            "com.company.App", "activitycontinuation:*.company.com", "activitycontinuation:shop.company.com")
        internet.serve("company.com", file(app))
        internet.serve("shop.company.com", file())
        try await withService { service in
            service.appsChanged([app])
            try await service.refresh(nil)
            #expect(try names(service, "https://www.company.com/") == ["com.company.App"])
            #expect(try names(service, "https://company.com/") == [])
            #expect(try names(service, "https://shop.company.com/") == [])
            #expect(internet.asked == ["company.com", "shop.company.com"])
        }
    }

    @Test("Entries with a mode count only where that mode does, and only then is their site asked")
    func modes() async throws {
        let app = app(
            "com.company.App", "activitycontinuation:dev.company.com?mode=developer",
            "activitycontinuation:intra.company.com?mode=managed")
        internet.serve("dev.company.com", file(app))
        internet.serve("intra.company.com", file(app))
        try await withService { service in
            service.appsChanged([app])
            try await service.refresh(nil)
            #expect(internet.asked.isEmpty)
            #expect(try names(service, "https://dev.company.com/") == [])
            let explanation = try #require(try service.explain("dev.company.com").first)
            #expect(explanation.stages.last?.advice.contains("--site-developer-mode") == true)
        }
        var settings = SiteAssociationsSettings()
        settings.isForDevelopment = true
        settings.servers[DomainName(unchecked: "intra.company.com")] = try ServerAddress("10.0.0.1")
        try await withService(settings: settings) { service in
            service.appsChanged([app])
            try await service.refresh(nil)
            #expect(try names(service, "https://dev.company.com/") == ["com.company.App"])
            #expect(try names(service, "https://intra.company.com/") == ["com.company.App"])
            #expect(internet.privateAllowed == ["dev.company.com"])
        }
    }

    @Test("A site's confirmation survives a restart of the daemon, also while the site is down")
    func restarts() async throws {
        let app = app("com.company.App", "activitycontinuation:company.com")
        internet.serve("company.com", file(app))
        try await withService { service in
            service.appsChanged([app])
            try await service.refresh(nil)
        }
        internet.serve("company.com", nil)
        internet.advance(days: 2)
        try await withService { service in
            service.appsChanged([app])
            #expect(try names(service, "https://company.com/") == ["com.company.App"])
            try await service.refresh(nil)
            #expect(try names(service, "https://company.com/") == ["com.company.App"])
            internet.advance(days: 6)
            #expect(try names(service, "https://company.com/") == [])
        }
    }

    @Test("A site that no longer names an app withdraws at once; one without a valid file after a second look")
    func withdraws() async throws {
        let app = app("com.company.App", "activitycontinuation:company.com")
        for (bad, looks) in [(file(), 1), ("nonsense", 2), (FakeInternet.absent, 2)] {
            internet.serve("company.com", file(app))
            try await withService { service in
                service.appsChanged([app])
                try await service.refresh(nil)
                #expect(try names(service, "https://company.com/") == ["com.company.App"])
                internet.serve("company.com", bad)
                for look in 1...looks {
                    internet.advance(days: 0.1)
                    try await service.refresh(DomainName(unchecked: "company.com"))
                    #expect(try names(service, "https://company.com/") == (look == looks ? [] : ["com.company.App"]))
                }
            }
        }
    }

    @Test("The log says of each fetch how it went, and why a site's file could not be had or is not valid")
    func records() async throws {
        let app = app(
            "com.company.App", "activitycontinuation:company.com", "activitycontinuation:down.company.com",
            "activitycontinuation:bad.company.com")
        internet.serve("company.com", file(app))
        internet.serve("bad.company.com", "nonsense")
        let recorder = MemoryRecorder()
        try await withService(recorder: recorder) { service in
            service.appsChanged([app])
            try await service.refresh(nil)
        }
        #expect(recorder.event(of: "company.com") == "site_fetched")
        #expect(recorder.event(of: "down.company.com") == "site_failed site_unreachable")
        #expect(recorder.event(of: "bad.company.com")?.hasPrefix("site_failed ") == true)
        #expect(recorder.messages.contains { $0 == "down.company.com: The site is down." })
    }

    @Test("An explanation tells each stage: entitlement, fetch, file, site")
    func explains() async throws {
        let app = app("com.company.App", "activitycontinuation:company.com", "activitycontinuation:down.company.com")
        internet.serve("company.com", file(app))
        try await withService { service in
            service.appsChanged([app])
            try await service.refresh(nil)
            let good = try #require(try service.explain("company.com").first)
            #expect(good.healthy)
            #expect(good.stages.map(\.name) == ["entitlement", "fetch", "file", "site"])
            let down = try #require(try service.explain("https://down.company.com/page").first)
            #expect(!down.healthy)
            #expect(down.stages.map(\.verdict) == [.ok, .failed, .failed])
            #expect(down.stages.last?.advice.contains("baton links check --fetch --domain down.company.com") == true)
            let none = try #require(try service.explain("other.org").first)
            #expect(!none.healthy)
            #expect(none.stages.first?.advice.contains("activitycontinuation:other.org") == true)
            #expect(throws: BatonError.self) { try service.explain("no domain") }
            await #expect(throws: BatonError.self) { try await service.refresh(DomainName(unchecked: "other.org")) }

            let sites = service.sites()
            #expect(sites.map(\.domain) == ["company.com", "down.company.com"])
            #expect(sites.map(\.hasFile_p) == [true, false])
            #expect(sites[0].claims.first?.approved == true)
            #expect(sites[1].failure == "site_unreachable")
            let now = UInt64(internet.now.timeIntervalSince1970) * 1000
            #expect(sites.map(\.failingSince) == [0, now])
            #expect(sites.map(\.fileExpires) == [now + 7 * 86_400_000, 0])
        }
    }
}

/// Keeps what was recorded.
private final class MemoryRecorder: EventRecorder {
    private let records = Mutex<[(event: String, message: String, fields: [String: String])]>([])

    func record(_ category: String, _ event: String, _ message: String, _ fields: [String: String]) {
        #expect(category == "domains")
        records.withLock { $0.append((event, message, fields)) }
    }

    var messages: [String] { records.withLock { $0.map(\.message) } }

    /// The last one about a domain, and its reason.
    func event(of domain: String) -> String? {
        records.withLock { records in
            records.last { $0.fields["domain"] == domain }.map { record in
                record.event + (record.fields["reason"].map { " " + $0 } ?? "")
            }
        }
    }
}

/// Sites that a test makes.
private final class FakeInternet: Sendable {
    static let absent = "absent"

    private struct State {
        var files: [String: String] = [:]
        var asked: Set<String> = []
        var privateAllowed: Set<String> = []
        var time = Date(timeIntervalSince1970: 1_800_000_000)
    }

    private let state = Mutex(State())

    var now: Date { state.withLock { $0.time } }
    var asked: [String] { state.withLock { $0.asked.sorted() } }
    var privateAllowed: [String] { state.withLock { $0.privateAllowed.sorted() } }

    func advance(days: Double) { state.withLock { $0.time += days * 86_400 } }

    /// - Parameter text: nil for a site that is down.
    func serve(_ domain: String, _ text: String?) { state.withLock { $0.files[domain] = text } }

    func fetch(_ domain: DomainName, _ validators: SiteValidators?, _ allowsPrivate: Bool) async -> SiteFetch {
        let text = state.withLock { state in
            state.asked.insert(domain.rawValue)
            if allowsPrivate { state.privateAllowed.insert(domain.rawValue) }
            return state.files[domain.rawValue]
        }
        let outcome: SiteFetch.Outcome =
            switch text {
            case nil: .unreachable(BatonError(.unavailable, reason: "site_unreachable", "The site is down."))
            case Self.absent: .absent(BatonError(.notFound, reason: "site_file_absent", "There is no file."))
            case .some(let text):
                .file(
                    FetchedFile(
                        bytes: Array(text.utf8), contentType: "application/json", url: "https://\(domain)/",
                        validators: .init(), maximumAge: nil))
            }
        return SiteFetch(outcome: outcome, attempts: [])
    }
}
