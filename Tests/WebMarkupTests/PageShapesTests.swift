import Testing
import WebMarkup

/// Places in the forms that pages write and no standard has.
@Suite struct PageShapesTests {
    private func places(_ html: String) throws -> [Place] {
        try PageExtractor.extract(Array(html.utf8), address: "https://example.com/page").places
    }

    private func script(_ json: String, type: String = "application/ld+json") -> String {
        "<script type=\"\(type)\">\(json)</script>"
    }

    @Test(arguments: [
        "application/ld&#x2B;json", "application/ld&#43;json", "application/LD+JSON; charset=utf-8",
        " application/ld+json ",
    ])
    func `A script of JSON-LD is known however its type is written`(_ type: String) throws {
        let bar = #"{"@context":"https://schema.org","@type":"Bar","name":"Z","telephone":"1"}"#
        #expect(try places(script(bar, type: type)).map(\.name) == ["Z"])
    }

    @Test(arguments: [" https://schema.org ", "https://schema.org//", "http://schema.org/#", "http://schema.org#"])
    func `The context of schema.org is known with space, slashes and marks around it`(_ context: String) throws {
        let page = script(#"{"@context":"\#(context)","@type":"Bar","name":"Z","telephone":"1"}"#)
        #expect(try places(page).map(\.name) == ["Z"])
    }

    @Test(arguments: ["http://schema.org", "https://schema.org", "https://schema.org/"])
    func `A vocabulary of RDFa is that of schema.org with and without a slash`(_ vocabulary: String) throws {
        let page = """
            <div vocab="\(vocabulary)" typeof="Bar"><b property="name">Z</b><i property="telephone">1</i></div>
            """
        #expect(try places(page).map(\.name) == ["Z"])
        #expect(try places(page).first?.types == ["Bar"])
    }

    @Test(arguments: [("postaladdress", "geocoordinates"), ("Address", "Geo"), ("Postal Address", "GeoCoordinate")])
    func `Addresses and coordinates of a type with a slip in its name are parts of their place`(
        _ address: String, _ geo: String
    ) throws {
        let page = script(
            """
            {"@context":"https://schema.org","@type":"Store","name":"Z","address":{"@type":"\(address)","streetAddress":"1 W"},
            "geo":{"@type":"\(geo)","latitude":1.5,"longitude":2.5}}
            """)
        let found = try places(page)
        #expect(found.count == 1)
        #expect(found.first?.addressLine == "1 W" && found.first?.types == ["Store"])
        #expect(found.first?.coordinate == Place.Coordinate(latitude: 1.5, longitude: 2.5))
    }

    @Test func `The lines of two addresses are not mixed`() throws {
        let page = script(
            """
            {"@context":"https://schema.org","@type":"Organization","name":"Two","address":[{"@type":"PostalAddress","streetAddress":"1 A","addressLocality":"X"},
            {"@type":"PostalAddress","streetAddress":"2 B","postalCode":"999","addressLocality":"Y"}]}
            """)
        #expect(try places(page).map(\.addressLine) == ["1 A, X"])
    }

    @Test func `A business without a name is the organization at the same address`() throws {
        func page(_ second: String) -> String {
            script(
                #"{"@context":"http://schema.org","@type":"Organization","legalName":"Nord","address":"Nordstr. 1\nUlm"}"#
            )
                + script(
                    #"{"@context":"http://schema.org","@type":"LocalBusiness","telephone":"1","address":"\#(second)"}"#)
        }
        let found = try places(page(#"Nordstr. 1\nUlm"#))
        #expect(found.map(\.name) == ["Nord"])
        #expect(found.first?.telephone == "1")
        #expect(try places(page(#"Other 1\nUlm"#)).count == 2)
    }

    @Test func `The address of a link is no name, and an escaped number is read`() throws {
        let page = """
            <div itemscope itemtype="https://schema.org/Event"><b itemprop=name>Evening</b>
            <div itemprop=location itemscope itemtype="https://schema.org/Place"><a itemprop=name href="/hall">The Hall</a>
            <a itemprop=telephone href="tel:%2B49%2030%201">call</a></div></div>
            """
        #expect(try places(page).map(\.name) == ["Evening"])
        #expect(try places(page).first?.telephone == "+49 30 1")
    }
}
