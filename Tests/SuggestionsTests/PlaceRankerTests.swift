import BatonCore
import Suggestions
import Testing
import WebMarkup

/// Which places are suggested for which field, and how they are said.
@Suite struct PlaceRankerTests {
    private func known(
        _ id: UInt64, _ attributes: [String: PropertyValue], seen: UInt64 = 0, views: Int = 1
    ) throws
        -> KnownPlace
    {
        let shown = try #require(AppPlace(attributes))
        var evidence = PlaceEvidence(
            source: .app(AppIdentity(bundleID: try BundleID(validating: "a.b"), team: .development)), sourceName: "App",
            activity: "A", title: "", time: seen, supportsNavigation: shown.supportsNavigation,
            supportsPhoneCall: shown.supportsPhoneCall)
        evidence.views = views
        return KnownPlace(id: id, place: shown.place, evidence: [evidence])
    }

    /// The source's sample.
    private static let sample: [String: PropertyValue] = [
        "namedLocation": .string("Apple Inc."), "subThoroughfare": .string("1"),
        "thoroughfare": .string("Infinite Loop"),
        "city": .string("Cupertino"), "stateOrProvince": .string("CA"), "country": .string("United States"),
        "latitude": .real(37.33072), "longitude": .real(122.029674),
        "phoneNumbers": .array([.string("(800) 275-2273")]),
        "supportsPhoneCall": .boolean(true), "supportsNavigation": .boolean(true),
    ]

    @Test func `A field gets what its type wants of the sample's place (P-37)`() throws {
        let place = try known(1, Self.sample)
        func text(_ type: String) -> String? { FieldType.named(type)?.text(of: place) }
        #expect(text("fullStreetAddress") == "1 Infinite Loop, Cupertino, CA, United States")
        #expect(text("street-address") == text("fullStreetAddress"))
        #expect(text("addressCityAndState") == "Cupertino, CA")
        #expect(text("telephoneNumber") == "(800) 275-2273")
        #expect(text("tel") == "(800) 275-2273")
        #expect(text("location") == "Apple Inc., 1 Infinite Loop, Cupertino, CA, United States")
        #expect(FieldType.named("emailAddress") == nil)
    }

    @Test func `A city that is its own region is named once`() {
        var place = Place()
        (place.name, place.locality, place.region) = ("Da Luigi", "Berlin", "berlin")
        let known = KnownPlace(id: 1, place: place, evidence: [])
        #expect(FieldType.named("addressCityAndState")?.text(of: known) == "Berlin")
    }

    /// Shown as it was given, and told of.
    @Test func `The sample's longitude without its sign is used, and warned of`() throws {
        let place = try known(1, Self.sample)
        #expect(place.place.coordinate?.longitude == 122.029674)
        #expect(place.warnings.count == 1)
        #expect(
            try known(2, ["namedLocation": .string("X"), "latitude": .real(50), "longitude": .real(8)]).warnings == [])
    }

    @Test func `A place without a name, or without a way there, is no suggestion, and it is said why`() throws {
        var nameless = Self.sample
        nameless["namedLocation"] = nil
        #expect(try known(1, nameless).obstacle?.contains("namedLocation") == true)
        let bare = try known(2, ["namedLocation": .string("Somewhere")])
        #expect(bare.obstacle != nil)
        #expect(PlaceRanker.suggestions([bare], field: nil, now: 0, limit: 10).isEmpty)
    }

    /// Text fields need text, directions a point.
    @Test func `A place with a coordinate alone is suggested for directions and not for an address`() throws {
        let point = try known(
            1, ["namedLocation": .string("Summit"), "latitude": .real(1), "longitude": .integer(2)])
        #expect(PlaceRanker.suggestions([point], field: nil, now: 0, limit: 10).count == 1)
        let field = try #require(FieldType.named("fullStreetAddress"))
        #expect(PlaceRanker.suggestions([point], field: field, now: 0, limit: 10).isEmpty)
        #expect(PlaceRanker.obstacle(point, field: field) == "It has nothing for a field of type fullStreetAddress.")
    }

    @Test func `A place that takes no calls is not suggested as a telephone number`() throws {
        var silent = Self.sample
        silent["supportsPhoneCall"] = .integer(0)
        #expect(FieldType.named("telephoneNumber")?.text(of: try known(1, silent)) == nil)
    }

    @Test func `The place seen last comes first, and one seen often before one seen once`() throws {
        func place(_ id: UInt64, minutesAgo: UInt64, views: Int = 1) throws -> KnownPlace {
            var attributes = Self.sample
            attributes["namedLocation"] = .string("P\(id)")
            return try known(id, attributes, seen: (200 - minutesAgo) * 60_000, views: views)
        }
        let places = [
            try place(1, minutesAgo: 90), try place(2, minutesAgo: 1), try place(3, minutesAgo: 2, views: 8),
            try place(4, minutesAgo: 30),
        ]
        let ranked = PlaceRanker.suggestions(places, field: nil, now: 200 * 60_000, limit: 3)
        #expect(ranked.map(\.place.id) == [3, 2, 4])
    }

    @Test(arguments: [
        ["latitude": PropertyValue.real(.nan), "longitude": .real(0)], ["latitude": .real(91), "longitude": .real(0)],
        ["latitude": .real(122), "longitude": .real(37)], ["latitude": .string("37,33"), "longitude": .real(1)],
    ])
    func `A coordinate that is none is left out`(_ attributes: [String: PropertyValue]) throws {
        var all = attributes
        all["namedLocation"] = .string("X")
        #expect(AppPlace(all)?.place.coordinate == nil)
    }

    @Test func `Hostile names and numbers become plain text`() throws {
        let shown = try #require(
            AppPlace([
                "namedLocation": .string("a\u{202E}b\nc" + String(repeating: "x", count: 1_000_000)),
                "phoneNumbers": .array([.string("tel:1-800-\u{7}FLOWERS")]), "city": .integer(5),
            ]))
        #expect(shown.place.name?.hasPrefix("a b cxx") == true)
        #expect((shown.place.name?.utf8.count ?? 0) <= 256)
        #expect(shown.place.telephone == "1-800- FLOWERS")
        #expect(AppPlace([:]) == nil)
    }

    // MARK: Directions

    @Test func `Rides are offered by an app that has nothing else, directions by any other (P-46)`() throws {
        func app(_ modes: [String]) throws -> RoutingApp {
            RoutingApp(bundleID: try BundleID(validating: "a.b"), name: "A", modes: modes)
        }
        #expect(RoutingApp.offer(of: try app(["MKDirectionsModeRideShare"]), to: "X") == "Get a ride to X")
        #expect(
            RoutingApp.offer(of: try app(["MKDirectionsModeRideShare", "MKDirectionsModeCar"]), to: "X")
                == "Get directions to X")
        #expect(RoutingApp.offer(of: try app([]), to: "X") == "Get directions to X")
        #expect(RoutingApp.offer(of: nil, to: "X") == "Get directions to X")
    }

    @Test func `The desktop is led by the coordinate and the name, else by the address`() throws {
        let place = try known(1, Self.sample).place
        #expect(DirectionsRequest.geo(to: place) == "geo:37.33072,122.029674?q=37.33072,122.029674(Apple%20Inc.)")
        var other = place
        other.coordinate = nil
        other.name = "A&B (x)"
        #expect(
            DirectionsRequest.geo(to: other)
                == "geo:0,0?q=A%26B%20%28x%29%2C%201%20Infinite%20Loop%2C%20Cupertino%2C%20CA%2C%20United%20States")
        other.coordinate = Place.Coordinate(latitude: 0.0000001, longitude: -0.00000001)
        #expect(DirectionsRequest.geo(to: other)?.hasPrefix("geo:0.0000001,0?q=") == true)
        #expect(DirectionsRequest.geo(to: Place()) == nil)
    }

    @Test
    func `A coordinate and an address of geo: lead to the place that they name, and not to a search for their text`() {
        func geo(_ text: String) -> String? { DirectionsRequest.place(text).flatMap(DirectionsRequest.geo) }
        #expect(geo("48.1374, 11.5755") == "geo:48.1374,11.5755?q=48.1374,11.5755")
        #expect(geo("GEO:-33.5,18.25,30;u=10") == "geo:-33.5,18.25?q=-33.5,18.25")
        #expect(geo("geo:0,0?z=3&q=48.1,11.5(Caf%C3%A9%20(Old))") == "geo:48.1,11.5?q=48.1,11.5(Caf%C3%A9%20%28Old%29)")
        #expect(geo("geo:0,0?q=1+High+St%2C%20London") == "geo:0,0?q=1%20High%20St%2C%20London")
        for text in ["Route 5, 10", "5, 10", "91.5, 10", "10 Downing Street, London", "48.1,x", ""] {
            #expect(DirectionsRequest.place(text) == nil)
        }
        for text in ["geo:", "geo:91,0", "geo:x,y", "geo:1", "geo:nan,1?q="] {
            let place = DirectionsRequest.place(text)
            #expect(place != nil && place?.coordinate == nil && place?.hasAddress == false)
        }
        var point = Place()
        point.coordinate = Place.Coordinate(latitude: 48.5, longitude: -0.25)
        #expect(DirectionsRequest.shown(point) == "48.5, -0.25")
    }
}
