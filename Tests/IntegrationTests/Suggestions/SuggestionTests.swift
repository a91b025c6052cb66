import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    /// Places that a person looks at in apps and on pages, with a real daemon, apps and the browser's host.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct SuggestionTests {
        private static let (probe, type) = ("com.example.reviews", "com.example.reviews.place")

        private struct Suggestions: Decodable {
            struct Item: Decodable {
                var text: String
                var name: String
                var telephone: String?
                var latitude: Double?
                var longitude: Double?
                var sources: [Source]
            }
            struct Source: Decodable { var name: String }
            var suggestions: [Item]
        }

        private struct Told: Decodable {
            var kind: String
            var title: String?
            var body: String?
        }

        private static func suggestions(_ device: TestDevice, _ arguments: String...) async throws -> [Suggestions.Item]
        {
            try await device.baton(["suggestions"] + arguments).decode(Suggestions.self).suggestions
        }

        private static func until(_ names: [String], on device: TestDevice) async throws {
            try await device.until("\(names) to be suggested") {
                try await device.call(SuggestionsMethods.listSuggestions).suggestions.map(\.name) == names
            }
        }

        /// The sample's values without MapKit.
        private static let sample = [
            "namedLocation": "Apple Inc.", "subThoroughfare": "1", "thoroughfare": "Infinite Loop", "city": "Cupertino",
            "stateOrProvince": "CA", "country": "United States", "latitude": "37.33072", "longitude": "122.029674",
            "phoneNumber": "(800) 275-2273", "supportsPhoneCall": "true", "supportsNavigation": "true",
        ]

        @Test(
            "the place that an app shows is suggested with its source, fills fields by their types, is explained, and is gone with the daemon; the sample's longitude is taken as it is, and its missing sign is named (P-16 to P-24, P-30, P-6, X-5)"
        )
        func places() async throws {
            try await TestHousehold.with(1) { household in
                let device = household[0]
                try await household.install(.probe(Self.probe, types: [Self.type]))
                let app = try TestApp(Self.probe, on: device)
                try await app.launch()
                #expect(try await Self.suggestions(device).isEmpty)

                // With MapKit: the map item alone.
                try app.make("map", type: Self.type, title: "By map item", ["place": true])
                try await Self.until(["Apple Inc."], on: device)
                var item = try #require(try await Self.suggestions(device).first)
                #expect(item.sources.map(\.name) == ["reviews"])
                #expect(item.telephone == "(800) 275-2273" && item.longitude == -122.029674)
                #expect(
                    try await Self.suggestions(device, "--field", "fullStreetAddress").map(\.text)
                        == ["1 Infinite Loop, Cupertino"])

                // Without: the sample's values, the longitude without its sign as it is there.
                try app.make("set", type: Self.type, title: "By attributes", ["attributes": Self.sample])
                try await device.until("the attribute set to be taken") {
                    try await device.call(SuggestionsMethods.listSuggestions).suggestions.first?.longitude == 122.029674
                }
                item = try #require(try await Self.suggestions(device, "--field", "addressCityAndState").first)
                #expect(item.text == "Cupertino, CA")
                #expect(try await Self.suggestions(device, "--field", "tel").map(\.text) == ["(800) 275-2273"])
                let why = try await device.baton("explain", "suggestion", "Apple Inc.").lines.joined()
                #expect(why.contains("reviews showed it 2 times") && why.contains("a minus sign may be missing"))

                // A place without a name is none, and it is said why.
                var nameless = Self.sample
                nameless["namedLocation"] = nil
                nameless["thoroughfare"] = "Other Street"
                try app.make("bad", type: Self.type, title: "Without a name", ["attributes": nameless])
                try app.make(
                    "good", type: Self.type, title: "Named", ["attributes": ["namedLocation": "Far", "city": "X"]])
                try await Self.until(["Apple Inc.", "Far"], on: device)

                // Nothing of it survives the daemon.
                try app.tell(["do": "resign", "id": "good"])
                try await app.events.first("done", ["do": "resign"])
                try await device.restart()
                #expect(try await Self.suggestions(device).isEmpty)
            }
        }

        @Test(
            "leaving the app that shows a place gives one notice, and directions open the routing app with the place (P-25, P-40)"
        )
        func leaving() async throws {
            try await TestHousehold.with(1) { household in
                let device = household[0]
                try await household.install(.probe(Self.probe, types: [Self.type]))
                try await household.install(.directions)
                let app = try TestApp(Self.probe, on: device)
                try await app.launch()
                let notices = try device.startBaton(["notices"])
                try app.make("map", type: Self.type, title: "Reviews", ["place": true])
                try await Self.until(["Apple Inc."], on: device)
                try app.tell(["do": "background"])
                let line = try await within(.seconds(20), "a notice of the place") {
                    try await notices.output.first { $0.contains("suggestion") ? $0 : nil }
                }
                let told = try JSONDecoder().decode(Told.self, from: Data(try #require(line).found.utf8))
                #expect(told.title == "Get directions to Apple Inc.")
                #expect(told.body == "You saw it in reviews.")

                let answer = try await device.call(
                    SuggestionsMethods.getDirections, .with { $0.place = "Apple Inc." }, timeout: .seconds(60))
                #expect(answer.bundleID == "com.example.Directions" && answer.handled)
                try await device.until("the routing app to have the place") {
                    try await device.baton("log", "--app", "com.example.Directions").lines.joined()
                        .contains("directions to Apple Inc. at 37.33072, -122.029674")
                }
            }
        }

        @Test(
            "a visited page gives its places, with the site and the browser as their source, fills fields of other apps, and is found by search until its site is forgotten; a place of another type in another syntax, too (P-31 to P-35, S-25)"
        )
        func pages() async throws {
            try await TestHousehold.with(1) { household in
                let device = household[0]
                let host = try device.startBrowserHost(["chrome-extension://eenmfipmndbmdghokkjglolemooinmeb/"])
                let markup = """
                    {"@context":"http://schema.org","@type":"Restaurant","name":"Yank Sing","telephone":"(415) 781-1111",\
                    "url":"https://www.yanksing.com","address":{"@type":"PostalAddress","streetAddress":"101 Spear St",\
                    "addressLocality":"San Francisco","postalCode":"94105","addressRegion":"CA"},\
                    "aggregateRating":{"@type":"AggregateRating","ratingValue":"3.5","reviewCount":"2022"}}
                    """
                let message: [String: Any] = [
                    "kind": "remember", "url": "https://www.yanksing.com/find", "title": "Yank Sing",
                    "scripts": [markup],
                    "document": "", "browser": "Chromium",
                ]
                host.write(
                    String(decoding: try JSONSerialization.data(withJSONObject: message), as: UTF8.self))
                try await Self.until(["Yank Sing"], on: device)
                let item = try #require(try await Self.suggestions(device, "--field", "street-address").first)
                #expect(item.text == "101 Spear St, San Francisco, CA 94105")
                #expect(item.sources.map(\.name) == ["www.yanksing.com in Chromium"])
                #expect(item.telephone == "(415) 781-1111" && item.latitude == nil)

                // The page itself is found again, by its title and what it describes.
                let found = try await device.call(SearchMethods.search, .with { $0.query = "yank sing" }).results
                #expect(found.map(\.source) == [.page])
                #expect(found.first?.origin == "www.yanksing.com in Chromium")
                #expect(found.first?.url == "https://www.yanksing.com/find")
                try await device.baton("forget", "--site", "yanksing.com")
                #expect(try await device.call(SearchMethods.search, .with { $0.query = "yank sing" }).results.isEmpty)
                #expect(try await Self.suggestions(device).isEmpty)

                // Whatever its type: with a coordinate alone, in microdata.
                let gallery = """
                    <div itemscope itemtype="https://schema.org/ArtGallery"><b itemprop="name">Gallery</b>\
                    <i itemprop="geo" itemscope itemtype="https://schema.org/GeoCoordinates">\
                    <meta itemprop="latitude" content="37.79"><meta itemprop="longitude" content="-122.39"></i></div>
                    """
                let other: [String: Any] = [
                    "kind": "remember", "url": "https://art.example.org/", "title": "Art", "scripts": [String](),
                    "document": gallery, "browser": "Chromium",
                ]
                host.write(String(decoding: try JSONSerialization.data(withJSONObject: other), as: UTF8.self))
                try await Self.until(["Gallery"], on: device)
                let place = try #require(try await Self.suggestions(device).first)
                #expect(place.latitude == 37.79 && place.longitude == -122.39 && place.telephone == nil)
                host.closeInput()
            }
        }
    }
}
