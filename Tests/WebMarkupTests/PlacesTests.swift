import Foundation
import Testing
import WebMarkup

/// Which places a page names.
@Suite struct PlacesTests {
    static let address = "https://www.yanksing.com/page"

    private func extract(_ html: String) throws -> PageMarkup {
        try PageExtractor.extract(Array(html.utf8), address: Self.address)
    }

    private func script(_ json: String) -> String {
        "<html><head><script type=\"application/ld+json\">\(json)</script></head><body></body></html>"
    }

    /// The form and the data of the source's sample.
    @Test func `The restaurant of the sample is a place with its address, telephone and page (S-25)`() throws {
        let page = try extract(
            script(
                """
                { "@context": "http://schema.org", "@type": "Restaurant", "name": "Yank Sing",
                  "telephone": "(415) 781-1111", "url": "https://www.yanksing.com",
                  "address": { "@type": "PostalAddress", "streetAddress": "101 Spear St",
                    "addressLocality": "San Francisco", "postalCode": "94105", "addressRegion": "CA" },
                  "aggregateRating": { "@type": "AggregateRating", "ratingValue": "3.5", "reviewCount": "2022" } }
                """))
        let place = try #require(page.places.first)
        #expect(page.places.count == 1)
        #expect(place.name == "Yank Sing")
        #expect(place.types == ["Restaurant"])
        #expect(place.addressLine == "101 Spear St, San Francisco, CA 94105")
        #expect(place.telephone == "(415) 781-1111")
        #expect(place.address == "https://www.yanksing.com")
        let rating = try #require(page.entities.entities.first { $0.types == ["AggregateRating"] })
        #expect(rating.text("ratingValue") == "3.5")
        #expect(rating.text("reviewCount") == "2022")
    }

    /// Items with an address, a coordinate or a telephone, of an unknown type.
    @Test(arguments: [
        #""address":{"@type":"PostalAddress","streetAddress":"1 Main St"}"#,
        #""somewhere":{"@type":"GeoCoordinates","latitude":37.1,"longitude":"-122.5"}"#, #""telephone":"555 1234""#,
        #""location":{"@type":"Place","address":{"@type":"PostalAddress","addressLocality":"Here"}}"#,
    ])
    func `Anything with an address, a coordinate or a telephone is a place, whatever its type (P-34, P-35)`(
        _ part: String
    ) throws {
        let page = try extract(
            script(#"{"@context":"https://schema.org/","@type":"UnheardOf","name":"The Name",\#(part)}"#))
        #expect(page.places.count == 1)
        #expect(page.places.first?.name == "The Name")
    }

    @Test func `All three syntaxes give the same place`() throws {
        let microdata = """
            <div itemscope itemtype="https://schema.org/Restaurant"><h1 itemprop="name">Yank Sing</h1>
            <span itemprop="telephone">(415) 781-1111</span>
            <p itemprop="address" itemscope itemtype="https://schema.org/PostalAddress">
            <span itemprop="streetAddress">101 Spear St</span><meta itemprop="postalCode" content="94105"></p>
            <p itemprop="geo" itemscope itemtype="https://schema.org/GeoCoordinates">
            <meta itemprop="latitude" content="37.79"><meta itemprop="longitude" content="-122.39"></p></div>
            """
        let rdfa = """
            <div vocab="https://schema.org/" typeof="Restaurant"><h1 property="name">Yank Sing</h1>
            <span property="telephone">(415) 781-1111</span>
            <p property="address" typeof="PostalAddress">
            <span property="streetAddress">101 Spear St</span><meta property="postalCode" content="94105"></p>
            <p property="geo" typeof="GeoCoordinates">
            <meta property="latitude" content="37.79"><meta property="longitude" content="-122.39"></p></div>
            """
        let json = script(
            """
            {"@context":"https://schema.org","@type":"Restaurant","name":"Yank Sing","telephone":"(415) 781-1111",
            "address":{"@type":"PostalAddress","streetAddress":"101 Spear St","postalCode":"94105"},
            "geo":{"@type":"GeoCoordinates","latitude":37.79,"longitude":-122.39}}
            """)
        let places = try [json, microdata, rdfa].map { try extract($0).places }
        #expect(places[0].count == 1)
        #expect(places[1] == places[0])
        #expect(places[2] == places[0])
        // A page that says it twice says it once.
        #expect(try extract(json + microdata).places == places[0])
    }

    @Test func `What a node only names is found where it is described`() throws {
        let page = try extract(
            script(
                """
                {"@context":"https://schema.org","@graph":[
                {"@id":"#page","@type":"WebPage","name":"Contact","about":{"@id":"#org"}},
                {"@id":"#address","@type":"PostalAddress","streetAddress":"1 Main St"},
                {"@id":"#org","@type":"Organization","name":"Company","address":{"@id":"#address"}}]}
                """))
        #expect(page.places.map(\.name) == ["Company"])
        #expect(page.places.first?.street == "1 Main St")
        #expect(page.places.first?.address == Self.address + "#org")
    }

    @Test func `References of HTML in values are what they stand for, and nothing comes in by them`() throws {
        let page = try extract(
            script(
                ##"{"@context":"https://schema.org","@type":"Bar","name":"Caf&eacute; &amp; Bar &quot;Z&quot; &#x202E;&#60;b&#62;x","##
                    + ##""address":"1 Main St"}"##))
        #expect(page.places.first?.name == "Café & Bar \"Z\" x")
    }

    @Test(arguments: ["//schema.org", "//schema.org/", "schema.org", "http://www.schema.org/", "HTTPS://SCHEMA.ORG"])
    func `The context of schema.org is known however pages write its address`(_ context: String) throws {
        let page = try extract(
            script(#"{"@context":"\#(context)","@type":"Bar","name":"Z","geo":{"latitude":1,"longitude":2}}"#))
        #expect(page.places.first?.coordinate == Place.Coordinate(latitude: 1, longitude: 2))
        // “geo” is a property there, and no prefix.
        #expect(page.entities.entities.first { $0.types == ["Bar"] }?.entities("geo").count == 1)
    }

    @Test func `The first of several numbers is the place's, which keeps its own type`() throws {
        let page = try extract(
            """
            <script type="application/ld+json">{"@context":"https://schema.org","@type":"Organization","name":"Ex",
            "address":{"@type":"PostalAddress","addressLocality":"Ulm"},"contactPoint":[
            {"@type":"ContactPoint","telephone":"+49 1"},{"@type":"ContactPoint","telephone":"+49 2"}]}</script>
            """)
        #expect(page.places.count == 1)
        #expect(page.places.first?.telephone == "+49 1" && page.places.first?.types == ["Organization"])
    }

    @Test(arguments: [
        (["Torstraße 1", "Berlin", "Berlin", "10119", "Deutschland"], "Torstraße 1, 10119 Berlin, Deutschland"),
        (["Torstraße 1", "Berlin", "", "10119", "DE"], "Torstraße 1, 10119 Berlin, DE"),
        (["Torstraße 1", "Berlin", "", "10119", ""], "Torstraße 1, 10119 Berlin"),
        (
            ["İstiklal Cad. 5", "Beyoğlu", "İstanbul", "34430", "Türkiye"],
            "İstiklal Cad. 5, 34430 Beyoğlu, İstanbul, Türkiye"
        ),
        (["101 Spear St", "San Francisco", "CA", "94105", ""], "101 Spear St, San Francisco, CA 94105"),
        (["1 Main St", "New York", "New York", "10001", "US"], "1 Main St, New York, New York 10001, US"),
        (["10 Downing St", "London", "", "SW1A 2AA", ""], "10 Downing St, London, SW1A 2AA"),
        (["", "Berlin", "", "", "DE"], "Berlin, DE"), (["", "", "", "10119", "DE"], "10119, DE"),
    ])
    func `An address is written as in its country`(_ parts: [String], _ line: String) {
        func part(_ place: Int) -> String? { parts[place].isEmpty ? nil : parts[place] }
        var place = Place()
        (place.street, place.locality, place.region) = (part(0), part(1), part(2))
        (place.postalCode, place.country) = (part(3), part(4))
        #expect(place.addressLine == line)
    }

    @Test func `A telephone without a name of its own belongs to the place around it`() throws {
        let page = try extract(
            script(
                """
                {"@context":"https://schema.org","@type":"Store","name":"Shop","address":"1 Main St, Town",
                "contactPoint":{"@type":"ContactPoint","telephone":"+1 555 1234"}}
                """))
        #expect(page.places.count == 1)
        #expect(page.places.first?.telephone == "+1 555 1234")
        #expect(page.places.first?.addressLine == "1 Main St, Town")
    }

    @Test(arguments: ["91", "NaN", "37,33", "inf", "1e400", "0x10", "", "37.3 N"])
    func `A latitude that is none is left out, and told of`(_ latitude: String) throws {
        let page = try extract(
            script(
                #"{"@context":"https://schema.org","name":"X","telephone":"1","geo":{"@type":"GeoCoordinates","#
                    + #""latitude":"\#(latitude)","longitude":"1"}}"#))
        #expect(page.places.count == 1)
        #expect(page.places.first?.coordinate == nil)
        #expect(page.places.first?.remarks.count == (latitude.isEmpty ? 0 : 1))
    }

    /// Swapped, 122 is a latitude that is none; -122 and 37 the right way are shown as given.
    @Test func `Swapped coordinates are not guessed at`() throws {
        let swapped = try extract(
            script(
                #"{"@context":"https://schema.org","name":"X","telephone":"1","latitude":-122.03,"longitude":37.33}"#))
        #expect(swapped.places.first?.coordinate == nil)
        // The sample's own longitude lacks its sign.
        let sample = try extract(
            script(
                #"{"@context":"https://schema.org","name":"X","latitude":37.33072,"longitude":122.029674}"#))
        #expect(sample.places.first?.coordinate == Place.Coordinate(latitude: 37.33072, longitude: 122.029674))
    }

    @Test func `Telephone numbers stay text of printable characters, of 64 bytes at most`() throws {
        func telephone(_ text: String) throws -> String? {
            let page = try extract(
                "<div itemscope itemtype='http://schema.org/Thing'><meta itemprop=telephone content=\"\(text)\"></div>")
            return page.places.first?.telephone
        }
        #expect(try telephone("tel:+1-800-FLOWERS ext. 5") == "+1-800-FLOWERS ext. 5")
        #expect(try telephone("&lt;b&gt;555&lt;/b&gt; 1234") == "555 1234")
        #expect(try telephone("1\u{202E}2\u{200B}3") == "1 2 3")
        #expect(try telephone(String(repeating: "5", count: 1000))?.utf8.count == 64)
        #expect(try telephone("call us") == nil)
    }

    @Test func `Long and hostile texts are cut and cleaned`() throws {
        let page = try extract(
            script(
                "{\"@context\":\"https://schema.org\",\"name\":\"a\u{202E}b\\u0007\",\"address\":\""
                    + String(repeating: "Street ", count: 150_000) + "\"}"))
        #expect(page.places.first?.name == "a b")
        #expect((page.places.first?.addressText?.utf8.count ?? 0) <= 256)
    }

    @Test func `A page of a thousand places gives a hundred`() throws {
        let item = #"{"@type":"Place","name":"N","telephone":"1"}"#
        let all = (0..<1000).map { item.replacingOccurrences(of: "\"N\"", with: "\"N\($0)\"") }
        let page = try extract(script(#"{"@context":"https://schema.org","@graph":[\#(all.joined(separator: ","))]}"#))
        #expect(page.places.count == 100)
    }

    @Test func `An item that is a property of nothing is read, and one that has an owner is its owner's alone`() throws
    {
        let page = try extract(
            """
            <ol itemprop="breadcrumb" itemscope itemtype="https://schema.org/BreadcrumbList"><li itemprop="itemListElement"
            itemscope itemtype="https://schema.org/ListItem"><span itemprop="name">Home</span></li></ol>
            <div itemscope itemtype="https://schema.org/Cafe" itemref="seat"><b itemprop="name">Corner</b></div>
            <p id="seat" itemprop="address" itemscope itemtype="https://schema.org/PostalAddress">
            <i itemprop="streetAddress">1 High St</i></p>
            <footer itemprop="location" itemscope itemtype="https://schema.org/Place"><b itemprop="name">The Office</b>
            <p itemprop="address" itemscope itemtype="https://schema.org/PostalAddress">
            <i itemprop="streetAddress">2 Low St</i></p></footer>
            """)
        #expect(
            page.entities.roots.flatMap { page.entities.entities[$0].types } == ["Cafe", "BreadcrumbList", "Place"])
        #expect(page.places.map(\.name) == ["Corner", "The Office"])
        #expect(page.places.map(\.addressLine) == ["1 High St", "2 Low St"])
    }

    @Test func `A contact without a name is the place that has its number, and no place besides`() throws {
        let page = try extract(
            script(
                """
                {"@context":"https://schema.org","@graph":[
                {"@type":"Organization","contactPoint":{"@type":"ContactPoint","telephone":"+1 555 0100"}},
                {"@type":"LocalBusiness","name":"The Paper","address":"1 Press Lane","telephone":"+1-555-0100"},
                {"@type":"Organization","contactPoint":{"@type":"ContactPoint","telephone":"+1 555 0199"}}]}
                """))
        #expect(page.places.map(\.name) == ["The Paper", nil])
        #expect(page.places.map(\.addressText) == ["1 Press Lane", nil])
        #expect(page.places.last?.telephone == "+1 555 0199")
    }
}
