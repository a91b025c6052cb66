import BatonCore
import Foundation
import Geocoding
import Testing

/// Requests to a geocoder, and the meaning of its answers.
@Suite(.timeLimit(.minutes(1))) struct NominatimTests {
    private let base = URL(string: "https://geocoder.example/nominatim/") ?? URL(fileURLWithPath: "/")

    static let spear = """
        [{"place_id": 1, "lat": "37.7924", "lon": "-122.3939", "name": "Yank Sing", "display_name": "Yank Sing, 101, …",
          "address": {"house_number": "101", "road": "Spear Street", "city": "San Francisco", "state": "California",
                      "postcode": "94105", "country": "United States", "country_code": "us"},
          "boundingbox": ["37.7923", "37.7925", "-122.3940", "-122.3938"]}]
        """

    @Test("a postal address is asked for by its parts, a text as it is, a coordinate in reverse")
    func urls() throws {
        func items(_ subject: GeocodeQuery.Subject) throws -> (path: String, items: [String: String]) {
            let url = try #require(Nominatim.url(GeocodeQuery(subject), base: base))
            let parts = try #require(URLComponents(url: url, resolvingAgainstBaseURL: false))
            let items = (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }
            return (parts.path, Dictionary(items, uniquingKeysWith: { $1 }))
        }
        let text = try items(.text("a+b & c=d"))
        #expect(text.path == "/nominatim/search" && text.items["q"] == "a+b & c=d" && text.items["limit"] == "5")
        #expect(text.items["format"] == "jsonv2" && text.items["addressdetails"] == "1")
        let address = GeocodeQuery.Address(texts: [
            "street": "101 Spear St", "city": "San Francisco", "state": "CA", "postalCode": "94105",
        ])
        let structured = try items(.address(address))
        #expect(structured.items["street"] == "101 Spear St" && structured.items["postalcode"] == "94105")
        #expect(structured.items["q"] == nil && structured.items["country"] == nil)
        let reverse = try items(.point(try #require(GeoPoint(latitude: 37.5, longitude: -122))))
        #expect(
            reverse.path == "/nominatim/reverse" && reverse.items["lat"] == "37.5" && reverse.items["lon"] == "-122.0")
    }

    @Test("places of a kind are asked for within their area, and what is no kind or no area is not asked for")
    func kinds() throws {
        let low = try #require(GeoPoint(latitude: 37.5, longitude: -122.5))
        let high = try #require(GeoPoint(latitude: 37.75, longitude: -122))
        let kind = try #require(GeocodeQuery.Kind(tag: "amenity=fast_food", southWest: low, northEast: high))
        var query = GeocodeQuery(.kind(kind), purpose: .search)
        query.limit = 20
        let url = try #require(Nominatim.url(query, base: base))
        let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        let values = Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 })
        #expect(values["q"] == "[amenity=fast_food]" && values["viewbox"] == "-122.5,37.5,-122.0,37.75")
        #expect(values["bounded"] == "1" && values["limit"] == "20" && url.path == "/nominatim/search")
        for tag in [
            "", "=", "amenity", "amenity=", "a=b=c", "a=b]&q=", "Amenity=cafe", "a=é",
            String(repeating: "a", count: 70) + "=b",
        ] {
            #expect(GeocodeQuery.Kind(tag: tag, southWest: low, northEast: high) == nil, "\(tag)")
        }
        #expect(GeocodeQuery.Kind(tag: "amenity=cafe", southWest: high, northEast: low) == nil)
        let answer = """
            [{"lat": "37.6", "lon": "-122.1", "name": "Blue", "category": "amenity", "type": "cafe"},
             {"lat": "37.6", "lon": "-122.2", "category": "amenity", "type": "a=b"},
             {"lat": "37.6", "lon": "-122.3", "category": 5, "type": ["cafe"]}]
            """
        let places = try Nominatim.answer(Data(answer.utf8), to: query).places
        #expect(places.map { $0.texts["kind"] } == ["amenity=cafe", nil, nil])
    }

    @Test("an answer gives places with their parts and how exact they are")
    func answers() throws {
        let query = GeocodeQuery(.text("Yank Sing"))
        let answer = try Nominatim.answer(Data(Self.spear.utf8), to: query)
        let place = try #require(answer.places.first)
        #expect(
            !answer.isPartial && place.texts["thoroughfare"] == "Spear Street"
                && place.texts["subThoroughfare"] == "101")
        #expect(place.texts["locality"] == "San Francisco" && place.texts["isoCountryCode"] == "US")
        #expect(place.point == GeoPoint(latitude: 37.7924, longitude: -122.3939) && (10...50).contains(place.accuracy))
    }

    @Test("a server that answers an address with its town has answered in part")
    func partial() throws {
        let town =
            #"[{"lat": "37.77", "lon": "-122.41", "name": "San Francisco", "address": {"city": "San Francisco"}}]"#
        let address = GeocodeQuery.Address(texts: ["street": "1 No Street", "city": "San Francisco"])
        #expect(try Nominatim.answer(Data(town.utf8), to: GeocodeQuery(.address(address))).isPartial)
        #expect(try !Nominatim.answer(Data(town.utf8), to: GeocodeQuery(.text("San Francisco"))).isPartial)
    }

    @Test(
        "what is no answer is refused, and a place outside of the earth or with parts of other types is left out",
        arguments: ["<html>", "", "{}", "null", "[1, 2]", #"{"error": "x"}"#, "[[[]]]"])
    func malformed(_ text: String) {
        #expect(throws: BatonError.self) { try Nominatim.answer(Data(text.utf8), to: GeocodeQuery(.text("x"))) }
    }

    @Test("a place that is not on the earth is left out, and one whose parts are of other types keeps the others")
    func hostile() throws {
        let text = """
            [{"lat": "91", "lon": "0"}, {"lat": "NaN", "lon": "1"}, {"lat": "37,33", "lon": "1"}, {},
             {"lat": 1.5, "lon": "2", "address": {"city": 5}, "boundingbox": ["a"], "name": "n\\u0007"}]
            """
        let places = try Nominatim.answer(Data(text.utf8), to: GeocodeQuery(.text("x"))).places
        #expect(places.count == 1 && places.first?.point == GeoPoint(latitude: 1.5, longitude: 2))
        #expect(places.first?.texts["locality"] == nil)
        let error = #"{"error": "Unable to geocode"}"#
        let sea = GeocodeQuery(.point(try #require(GeoPoint(latitude: 0, longitude: 0))))
        #expect(try Nominatim.answer(Data(error.utf8), to: sea).places.isEmpty)
    }

    @Test("the setting takes the address of a server, and nothing else")
    func setting() throws {
        #expect(try Nominatim.base("none") == nil)
        #expect(try Nominatim.base("https://nominatim.example.org")?.host == "nominatim.example.org")
        for text in ["ftp://a", "nominatim.example.org", "https://", "https://a?q=1", "https://u:p@a", "file:///etc"] {
            #expect(throws: BatonError.self, "\(text)") { try Nominatim.base(text) }
        }
    }
}
