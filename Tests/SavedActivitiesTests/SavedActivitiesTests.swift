import BatonCore
import BatonStore
import BatonTestSupport
import BatonTransport
import BatonWire
import Foundation
import SavedActivities
import SwiftProtobuf
import Testing

@Suite(.timeLimit(.minutes(1))) struct SavedActivitiesTests {
    private let apps = FakeApps()
    private let folder: TemporaryDirectory
    private let caller = AdmittedCaller(
        process: PeerProcess(processID: 1, userID: 1, startTime: 1, executable: nil),
        identity: AppIdentity(bundleID: BundleID(unchecked: "development.tool"), team: .development), name: "tool",
        isInstalled: false)

    init() throws { folder = try TemporaryDirectory() }

    private func withService(
        limits: SavedActivityLimits = .init(), _ body: (SavedActivities) async throws -> Void
    ) async throws {
        let database = try DaemonDatabase(path: folder.file("db.sqlite"), migrations: SavedActivities.migrations)
        let apps = apps
        try await body(
            SavedActivities(
                database: database, apps: apps, recorder: NullEventRecorder(), limits: limits,
                clock: WallClock { apps.now }))
        try database.close()
    }

    private func request(
        _ title: String?, app: String = "a", _ change: (inout Baton_App_V1_SaveForSearchRequest) -> Void = { _ in }
    ) -> Baton_App_V1_SaveForSearchRequest {
        var request = Baton_App_V1_SaveForSearchRequest.with {
            $0.sessionID = app
            $0.search = true
            $0.payload.description_p.activityID = ActivityID.random().rawValue
            $0.payload.description_p.activityType = "com.example.page"
            if let title { $0.payload.description_p.title = title }
        }
        change(&request)
        return request
    }

    private func titles(_ service: SavedActivities, _ query: String = "") async throws -> [String] {
        try await service.activities(matching: query).map(\.payload.description_p.title)
    }

    private func attributes(_ values: [String: PropertyValue]) -> Baton_Value_V1_PropertyDictionary {
        .with {
            $0.entries = values.map { name, value in
                .with {
                    $0.key.string = name
                    $0.value = .init(value)
                }
            }
        }
    }

    @Test(
        "what an app saves is found by words of title, keywords and description, also after a restart (H-14, H-37, H-39)"
    )
    func finds() async throws {
        try await withService { service in
            try await service.save(
                request("The Xamarin Platform") {
                    $0.payload.keywords = ["software", "mobile"]
                    $0.payload.contentAttributes = attributes([
                        "contentDescription": .string("Äpfel and pears"), "keywords": .array([.string("language")]),
                    ])
                }, by: caller)
            try await service.save(request("Another page"), by: caller)
        }
        try await withService { service in
            for query in [
                "xamarin", "XAMARIN platform", "Xam", "software", "mobile xamarin", "apfel", "language", "  platform  ",
            ] {
                #expect(try await titles(service, query) == ["The Xamarin Platform"], "\(query)")
            }
            let all = try await titles(service)
            #expect(all == ["Another page", "The Xamarin Platform"])
            for query in ["nothing", "xamarin nothing", "amarin"] {
                #expect(try await titles(service, query) == [], "\(query)")
            }
        }
    }

    @Test("a search cannot be turned into anything but words, however odd it is")
    func hostileQueries() async throws {
        try await withService { service in
            try await service.save(request("title OR 1=1"), by: caller)
            for query in [
                "\"", "*", "NOT", "title: x", "a AND (", "')--", "NEAR(", "^", "\u{0}", "-", "😀", "\u{200B}",
                String(repeating: "\"", count: 10_000), String(repeating: "x ", count: 10_000),
            ] {
                #expect(try await titles(service, query) == [], "\(query.prefix(20))")
            }
            #expect(try await titles(service, "\"title\" OR") == ["title OR 1=1"])
            #expect(try await titles(service, "{title}:") == ["title OR 1=1"])
            #expect(try await titles(service, "1=1") == ["title OR 1=1"])
        }
    }

    @Test("an activity that is only suggested is kept, but not found by words (H-37)")
    func prediction() async throws {
        try await withService { service in
            try await service.save(
                request("Suggested") {
                    $0.search = false
                    $0.prediction = true
                    $0.publicIndexing = true
                }, by: caller)
            #expect(try await titles(service) == ["Suggested"])
            #expect(try await titles(service, "suggested") == [])
            let saved = try #require(await service.activities().first)
            #expect(saved.isForPrediction && !saved.isForSearch && !saved.isForPublicIndex)
            await #expect(throws: BatonError.self) {
                try await service.save(request("For nothing") { $0.search = false }, by: caller)
            }
        }
    }

    @Test("the public index needs a page or required keys (H-37)", arguments: [true, false])
    func publicIndex(hasPage: Bool) async throws {
        try await withService { service in
            try await service.save(
                request("Public") {
                    $0.publicIndexing = true
                    if hasPage { $0.payload.description_p.webpageURL = "https://example.org" }
                }, by: caller)
            #expect(try await service.activities().first?.isForPublicIndex == hasPage)
        }
    }

    @Test("the same activity is kept once: by persistent identifier, related item, or type and title (H-20)")
    func keys() async throws {
        try await withService { service in
            for title in ["one", "two"] {
                try await service.save(
                    request(title) { $0.payload.persistentIdentifier = "p" }, by: caller)
                try await service.save(
                    request(title) {
                        $0.payload.contentAttributes = attributes(["relatedUniqueIdentifier": .string("r")])
                    }, by: caller)
            }
            #expect(try await titles(service) == ["two", "two"])
            try await service.save(request("two"), by: caller)
            try await service.save(request("two"), by: caller)
            try await service.save(
                request("two") { $0.payload.description_p.activityType = "com.example.other" }, by: caller)
            #expect(try await titles(service).count == 4)
            let untitled = request(nil)
            for request in [untitled, untitled, request(nil)] { try await service.save(request, by: caller) }
            #expect(try await titles(service).count == 6)
            // Nothing of what was replaced is found any more.
            #expect(try await titles(service, "one") == [])
        }
    }

    @Test("an app replaces and deletes its own only, whatever it names (H-3)")
    func ownership() async throws {
        try await withService { service in
            for app in ["a", "b", "sameNameOtherTeam"] {
                try await service.save(
                    request("of \(app)", app: app) { $0.payload.persistentIdentifier = "p" }, by: caller)
            }
            #expect(try await titles(service).count == 3)
            try await service.delete(
                .with {
                    $0.sessionID = "a"
                    $0.persistentIdentifiers = ["p", "unknown", "", "%", "'; DROP TABLE saved_activity; --"]
                }, by: caller)
            #expect(try await titles(service) == ["of sameNameOtherTeam", "of b"])
            try await service.delete(
                .with {
                    $0.sessionID = "b"
                    $0.all = true
                }, by: caller)
            #expect(try await titles(service) == ["of sameNameOtherTeam"])
            await #expect(throws: BatonError.self) {
                try await service.delete(.with { $0.sessionID = "nobody" }, by: caller)
            }
            await #expect(throws: BatonError.self) {
                try await service.delete(
                    .with {
                        $0.sessionID = "a"
                        $0.persistentIdentifiers = Array(repeating: "x", count: 10_001)
                    }, by: caller)
            }
        }
    }

    @Test("what has expired is not found, what has no date lasts 30 days, and what has expired already is not saved")
    func expiry() async throws {
        try await withService { service in
            let start = UInt64(apps.now.timeIntervalSince1970 * 1000)
            try await service.save(
                request("soon") { $0.payload.description_p.expirationTime = start + 1000 }, by: caller)
            try await service.save(request("later"), by: caller)
            try await service.save(
                request("never was") { $0.payload.description_p.expirationTime = start }, by: caller)
            try await service.save(
                request("forever") { $0.payload.description_p.expirationTime = .max }, by: caller)
            #expect(try await titles(service) == ["forever", "later", "soon"])
            apps.advance(by: 2)
            #expect(try await titles(service) == ["forever", "later"])
            apps.advance(by: 30 * 86_400)
            #expect(try await titles(service) == ["forever"])
            #expect(try await titles(service, "later") == [])
        }
    }

    @Test("an activity that is saved again with a date that has passed is gone, and nothing of another app")
    func expiresWhenSavedAgain() async throws {
        try await withService { service in
            let start = UInt64(apps.now.timeIntervalSince1970 * 1000)
            for app in ["a", "b"] {
                try await service.save(
                    request("of \(app)", app: app) { $0.payload.persistentIdentifier = "p" }, by: caller)
            }
            try await service.save(request("twin"), by: caller)
            #expect(try await titles(service) == ["twin", "of b", "of a"])
            try await service.save(
                request("renamed") {
                    $0.payload.persistentIdentifier = "p"
                    $0.payload.description_p.expirationTime = start - 1
                }, by: caller)
            #expect(try await titles(service) == ["twin", "of b"])
            try await service.save(
                request("twin") { $0.payload.description_p.expirationTime = 0 }, by: caller)
            #expect(try await titles(service) == ["of b"])
            // From then on it may be saved anew.
            try await service.save(request("again") { $0.payload.persistentIdentifier = "p" }, by: caller)
            #expect(try await titles(service) == ["again", "of b"])
        }
    }

    @Test("an app has so many and so many bytes, and its oldest go first; others keep theirs")
    func bounds() async throws {
        var limits = SavedActivityLimits()
        limits.maximumCountPerApp = 3
        limits.maximumBytesPerApp = 3000
        limits.maximumSize = 2000
        try await withService(limits: limits) { service in
            try await service.save(request("other", app: "b"), by: caller)
            for number in 1...5 {
                apps.advance(by: 1)
                try await service.save(request("n\(number)"), by: caller)
            }
            #expect(try await titles(service) == ["n5", "n4", "n3", "other"])
            apps.advance(by: 1)
            for title in ["big1", "big2"] {
                try await service.save(
                    request(title) { $0.payload.userInfo = .init(.dictionary([.null: .data(Data(count: 1700))])) },
                    by: caller)
            }
            #expect(try await titles(service) == ["big2", "other"])
            #expect(try await titles(service, "n5") == [])
            let error = await #expect(throws: BatonError.self) {
                try await service.save(
                    request("huge") { $0.payload.userInfo = .init(.dictionary([.null: .data(Data(count: 2000))])) },
                    by: caller)
            }
            #expect(error?.reason == "saved_activity_too_large")
        }
    }

    @Test("10 MB, values that cannot be read and names that are too long are refused, and nothing is kept of them")
    func hostilePayloads() async throws {
        var deep = Baton_Value_V1_PropertyValue(.string("bottom"))
        for _ in 0..<70 {
            let inner = deep
            deep = .with { $0.array.values = [inner] }
        }
        let nested = deep
        let changes: [@Sendable (inout Baton_App_V1_SaveForSearchRequest) -> Void] = [
            { $0.payload.userInfo = .init(.dictionary([.string("x"): .data(Data(count: 10 << 20))])) },
            { $0.payload.userInfo = .init(.string("no dictionary")) },
            { $0.payload.userInfo = .init() },
            { $0.payload.userInfo = .with { $0.document.root = "r" } },
            {
                $0.payload.contentAttributes.entries = [
                    .with {
                        $0.key.integer = 1
                        $0.value.string = "x"
                    }
                ]
            },
            {
                let entry = Baton_Value_V1_PropertyEntry.with {
                    $0.key.string = "title"
                    $0.value.string = "x"
                }
                $0.payload.contentAttributes.entries = [entry, entry]
            },
            {
                $0.payload.contentAttributes.entries = [
                    .with {
                        $0.key.string = "title"
                        $0.value = nested
                    }
                ]
            },
            { $0.payload.mapItem.entries = [.with { $0.key.string = "name" }] },
            { $0.payload.persistentIdentifier = String(repeating: "p", count: 1025) },
        ]
        try await withService { service in
            for (index, change) in changes.enumerated() {
                let error = await #expect(throws: BatonError.self, "\(index)") {
                    try await service.save(request("bad", change), by: caller)
                }
                #expect(error?.code == .invalidArgument, "\(index)")
            }
            #expect(try await titles(service) == [])
            // Text that is too long to be searched whole is found by its beginning.
            try await service.save(
                request("long") {
                    $0.payload.contentAttributes = attributes([
                        "textContent": .string("first " + String(repeating: "ü ", count: 50_000) + " last")
                    ])
                }, by: caller)
            #expect(try await titles(service, "first") == ["long"])
            #expect(try await titles(service, "last") == [])
        }
    }

    @Test("what an app that is gone had saved goes: uninstalled, or a program in development that has ended")
    func abandoned() async throws {
        try await withService { service in
            for app in ["a", "b", "development"] {
                try await service.save(request("of \(app)", app: app), by: caller)
            }
            apps.remove("b")
            apps.remove("development")
            // Not shown from the first moment on.
            #expect(try await titles(service) == ["of a"])
            try await service.removeAbandoned()
            apps.restore()
            #expect(try await titles(service) == ["of a"])
        }
    }

    @Test(
        "opening gives the app what it saved, with its metadata but without streams; a beginning must be unique (H-14)")
    func opens() async throws {
        try await withService { service in
            try await service.save(
                request("Open me") {
                    $0.payload.description_p.supportsContinuationStreams = true
                    $0.payload.userInfo = .init(.dictionary([.string("link"): .string("x")]))
                    $0.payload.contentAttributes = attributes(["contentDescription": .string("d")])
                }, by: caller)
            let id = try #require(await service.activities().first?.id.rawValue)
            #expect(try await service.open(String(id.prefix(8)).lowercased()))
            let opened = try #require(apps.opened.first)
            #expect(opened.app == FakeApps.all["a"])
            #expect(opened.payload.description_p.title == "Open me")
            #expect(opened.payload.hasUserInfo && opened.payload.hasContentAttributes)
            #expect(!opened.payload.description_p.supportsContinuationStreams)
            for selector in ["", "0", "%", String(repeating: "A", count: 10_000)] {
                let error = await #expect(throws: BatonError.self) { try await service.open(selector) }
                #expect(error?.code == .notFound)
            }
            for number in 0..<40 { try await service.save(request("\(number)"), by: caller) }
            let error = await #expect(throws: BatonError.self) {
                // Among 41 identifiers, two begin with the same letter.
                for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567" {
                    do { _ = try await service.open(String(letter)) } catch let error as BatonError
                        where error.code == .notFound
                    {}
                }
            }
            #expect(error?.reason == "ambiguous_saved_activity")
        }
    }
}
