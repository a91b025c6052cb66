import BatonCore
import Testing
import WebMarkup

@testable import Suggestions

/// Which places are known, for how long, and when the person is shown one.
@Suite struct PlaceMemoryTests {
    private static let minute: UInt64 = 60_000

    private static func app(_ name: String) throws -> PlaceEvidence.Source {
        .app(AppIdentity(bundleID: try BundleID(validating: "com.example.\(name)"), team: .development))
    }

    private static func place(
        _ name: String?, street: String? = "101 Spear St", _ change: (inout Place) -> Void = { _ in }
    )
        -> Place
    {
        var place = Place()
        place.name = name
        place.street = street
        place.locality = "San Francisco"
        place.region = "CA"
        change(&place)
        return place
    }

    private static func evidence(
        _ source: PlaceEvidence.Source, _ time: UInt64, activity: String = "A", expires: UInt64? = nil
    ) -> PlaceEvidence {
        PlaceEvidence(
            source: source, sourceName: "Reviews", activity: activity, title: "", time: time, expires: expires)
    }

    /// Shows a place in an app, in front.
    private func show(
        _ memory: inout PlaceMemory, _ place: Place?, in app: String = "Reviews", activity: String = "A",
        front: Bool = true,
        at now: UInt64, expires: UInt64? = nil
    ) throws -> KnownPlace? {
        let source = try Self.app(app)
        let shown = place.map {
            (place: $0, evidence: Self.evidence(source, now, activity: activity, expires: expires))
        }
        return memory.update(screen: app, isInFront: front, source: source, shown: shown, now: now)
    }

    private func names(_ memory: PlaceMemory) -> [String?] { memory.places.map(\.place.name) }

    @Test func `An app that makes up places without end is given few notices, and no other app for it`() throws {
        var memory = PlaceMemory()
        func notices(_ app: String, at now: UInt64) throws -> Int {
            try (0..<500).count { number in
                let place = Self.place("Place \(app) \(now) \(number)", street: "\(now + UInt64(number)) Long St")
                _ = try show(&memory, place, in: app, activity: "\(number)", at: now)
                return try show(&memory, place, in: app, activity: "\(number)", front: false, at: now) != nil
            }
        }
        #expect(try notices("Loud", at: 0) == 4)
        #expect(try notices("Other", at: 1) == 4)
        #expect(try notices("Loud", at: 10 * Self.minute) == 2)
    }

    @Test func `A place is forgotten two hours after it was last on the screen`() throws {
        var memory = PlaceMemory()
        _ = try show(&memory, Self.place("Yank Sing"), at: 0)
        // It stays on the screen for three hours.
        memory.expire(now: 180 * Self.minute)
        #expect(names(memory) == ["Yank Sing"])
        _ = try show(&memory, nil, at: 180 * Self.minute)
        memory.expire(now: 299 * Self.minute)
        #expect(names(memory) == ["Yank Sing"])
        memory.expire(now: 300 * Self.minute)
        #expect(names(memory).isEmpty)
    }

    @Test func `A place goes with its activity's expiration date and with its app`() throws {
        var memory = PlaceMemory()
        _ = try show(&memory, Self.place("Soon over"), in: "One", at: 0, expires: Self.minute)
        _ = try show(&memory, Self.place("From an app", street: "2 Main St"), in: "Two", at: 0)
        memory.expire(now: Self.minute)
        #expect(names(memory) == ["From an app"])
        let gone = try Self.app("Two")
        #expect(memory.forget { $1.source == gone } == 1)
        #expect(names(memory).isEmpty)
    }

    @Test func `The same place from an app and a page is one with two sources`() throws {
        var memory = PlaceMemory()
        _ = try show(&memory, Self.place("Yank Sing"), at: 0)
        let page = Self.evidence(.site("yanksing.com", browser: "Chromium"), 1)
        memory.visited([Self.place("yank sing") { $0.telephone = "(415) 781-1111" }], page, now: 1)
        #expect(memory.places.count == 1)
        #expect(memory.places.first?.evidence.count == 2)
        #expect(memory.places.first?.place.telephone == "(415) 781-1111")
        memory.visited([Self.place("Yank Sing", street: "49 Stevenson St")], page, now: 2)
        #expect(memory.places.count == 2)
    }

    @Test func `A page that has the name of an app's place changes nothing of it`() throws {
        let hospital = Self.place("Hospital") { $0.telephone = "+1 415 555 0100" }
        let claims = [
            Self.place("Hospital", street: nil) {
                $0.locality = nil
                $0.telephone = "+1 900 555 0199"
            },
            Self.place("Hospital") { $0.telephone = "+1 900 555 0199" },
            Self.place("Hospital") { $0.locality = "Elsewhere" },
        ]
        for claim in claims {
            var memory = PlaceMemory()
            _ = try show(&memory, hospital, at: 0)
            let page = Self.evidence(.site("evil.example", browser: "Chromium"), 1)
            // First without a word of its own, so that it is among those who showed it.
            memory.visited([Self.place("Hospital")], page, now: 1)
            memory.visited([claim], page, now: 2)
            // The app still shows its place, which so is seen last.
            memory.expire(now: 3)
            let shown = try #require(memory.screen("Reviews")?.place)
            #expect(shown.place.telephone == hospital.telephone && shown.place.locality == hospital.locality)
            #expect(memory.places.count == 2)
            #expect(memory.places.last?.evidence.map(\.source) == [page.source])
        }
    }

    @Test func `Places within 100 metres under one name are one`() {
        func near(_ latitude: Double) -> Place {
            Self.place("Park", street: nil) {
                $0.locality = nil
                $0.coordinate = Place.Coordinate(latitude: latitude, longitude: 10)
            }
        }
        var memory = PlaceMemory()
        let page = Self.evidence(.site("a.example", browser: "Firefox"), 0)
        memory.visited([near(50), near(50.0008), near(50.002)], page, now: 0)
        #expect(memory.places.count == 2)
    }

    @Test func `Leaving the app that shows a place suggests it, once in an hour`() throws {
        var memory = PlaceMemory()
        #expect(try show(&memory, Self.place("Yank Sing"), at: 0) == nil)
        #expect(try show(&memory, Self.place("Yank Sing"), front: false, at: 1)?.place.name == "Yank Sing")
        #expect(try show(&memory, Self.place("Yank Sing"), at: 2) == nil)
        #expect(try show(&memory, Self.place("Yank Sing"), front: false, at: 3) == nil)
        _ = try show(&memory, Self.place("Yank Sing"), at: 4)
        #expect(
            try show(&memory, Self.place("Yank Sing"), front: false, at: 61 * Self.minute)?.place.name == "Yank Sing")
    }

    @Test func `An app that ends while it shows a place has left it`() throws {
        var memory = PlaceMemory()
        _ = try show(&memory, Self.place("Yank Sing"), at: 0)
        #expect(memory.ended(screen: "Reviews", now: 1)?.place.name == "Yank Sing")
        #expect(memory.ended(screen: "Reviews", now: 2) == nil)
    }

    @Test func `In front is the app that came there last, among those that say so`() throws {
        var memory = PlaceMemory()
        #expect(memory.front == nil)
        _ = try show(&memory, Self.place("Yank Sing"), in: "One", at: 0)
        _ = try show(&memory, nil, in: "Two", at: 1)
        // It was there before the other one.
        _ = try show(&memory, nil, in: "One", at: 2)
        #expect(memory.front == "Two")
        _ = try show(&memory, nil, in: "Two", front: false, at: 3)
        #expect(memory.front == "One")
        _ = try show(&memory, nil, in: "Two", at: 4)
        #expect(memory.front == "Two")
        _ = memory.ended(screen: "Two", now: 5)
        #expect(memory.front == "One")
    }

    @Test func `An app that has left says so where it shows no place, too, until it ends`() throws {
        var memory = PlaceMemory()
        #expect(memory.screen("One") == nil)
        _ = try show(&memory, nil, in: "One", front: false, at: 0)
        #expect(memory.screen("One")?.isInFront == false && memory.front == nil)
        #expect(memory.appsThatLeft.count == 1 && memory.appsInFront.isEmpty)
        _ = try show(&memory, nil, in: "One", at: 1)
        #expect(memory.screen("One")?.isInFront == true)
        #expect(memory.appsThatLeft.isEmpty && memory.appsInFront.count == 1)
        _ = memory.ended(screen: "One", now: 2)
        #expect(memory.screen("One") == nil)
    }

    @Test func `A place that nobody can be led to is not suggested when its app is left`() throws {
        var memory = PlaceMemory()
        _ = try show(&memory, Self.place(nil), at: 0)
        #expect(try show(&memory, Self.place(nil), front: false, at: 1) == nil)
        let source = try Self.app("Other")
        var evidence = Self.evidence(source, 2)
        evidence.supportsNavigation = false
        let shown = (place: Self.place("No way", street: "1 Street"), evidence: evidence)
        _ = memory.update(screen: "Other", isInFront: true, source: source, shown: shown, now: 2)
        #expect(memory.update(screen: "Other", isInFront: false, source: source, shown: shown, now: 3) == nil)
    }

    @Test func `At most 200 places are kept, and the one seen the longest time ago goes`() throws {
        var memory = PlaceMemory()
        _ = try show(&memory, Self.place("On the screen"), at: 0)
        let page = Self.evidence(.site("a.example", browser: "Firefox"), 1)
        for number in 0..<300 { memory.visited([Self.place("P\(number)", street: "\(number) St")], page, now: 1) }
        #expect(memory.places.count == PlaceMemory.maximumPlaces)
        #expect(names(memory).contains("On the screen"))
    }

    @Test func `A clock that is set back forgets nothing and traps nothing`() throws {
        var memory = PlaceMemory()
        _ = try show(&memory, Self.place("Yank Sing"), at: 1_000_000)
        memory.expire(now: 0)
        #expect(names(memory) == ["Yank Sing"])
        _ = try show(&memory, nil, at: 5)
        #expect(PlaceRanker.suggestions(memory.places, field: nil, now: 5, limit: 10).count == 1)
    }

    @Test func `An identifier of a former start of the daemon names no other place`() throws {
        var former = PlaceMemory(after: 1_000)
        _ = try show(&former, Self.place("Yank Sing"), at: 0)
        var memory = PlaceMemory(after: 2_000)
        _ = try show(&memory, Self.place("Tadich Grill", street: "240 California St"), at: 0)
        #expect(former.places.map(\.id) == [1_001] && memory.places.map(\.id) == [2_001])
        // No number of the file in which starts are counted ends the daemon.
        var last = PlaceMemory(after: .max)
        _ = try show(&last, Self.place("Yank Sing"), at: 0)
        #expect(last.places.count == 1)
    }
}
