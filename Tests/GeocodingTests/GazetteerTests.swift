import BatonCore
import Foundation
import Geocoding
import Testing

/// Towns, without any server.
@Suite(.timeLimit(.minutes(1))) struct GazetteerTests {
    static let file = """
        # comment
        @\tUS\t\tUnited States
        @\tFR\t\tFrance
        @\tDE\t\tGermany
        @\tUS\tCA\tCalifornia
        @\tUS\tIL\tIllinois
        @\tUS\tMO\tMissouri
        @\tUS\tTX\tTexas
        Springfield\t39.8017\t-89.6437\tUS\tIL\t114394\tAmerica/Chicago\t
        Springfield\t37.2153\t-93.2982\tUS\tMO\t170188\tAmerica/Chicago\t
        San Francisco\t37.7749\t-122.4194\tUS\tCA\t864816\tAmerica/Los_Angeles\tFrisco
        Cupertino\t37.323\t-122.0322\tUS\tCA\t60170\tAmerica/Los_Angeles\t
        Paris\t48.8534\t2.3488\tFR\t\t2138551\tEurope/Paris\t
        Paris\t33.6609\t-95.5555\tUS\tTX\t24839\tAmerica/Chicago\t
        Munich\t48.1374\t11.5755\tDE\t\t1505005\tEurope/Berlin\tMünchen,Monaco di Baviera
        broken\tline
        Nowhere\t91\t0\tUS\t\t1\tUTC\t
        """

    private func gazetteer() throws -> Gazetteer { try Gazetteer(Data(Self.file.utf8)) }

    private func names(_ answer: GeocodeAnswer) -> [String] {
        answer.places.map { place in
            [place.texts["name"], place.texts["administrativeArea"] ?? place.texts["isoCountryCode"]].compactMap { $0 }
                .joined(separator: " ")
        }
    }

    @Test("a town without its state is every town of that name, the largest first; a state or country chooses")
    func towns() throws {
        let gazetteer = try gazetteer()
        func answer(_ text: String) -> [String] { names(gazetteer.answer(GeocodeQuery(.text(text)))) }
        #expect(answer("Springfield") == ["Springfield MO", "Springfield IL"])
        #expect(answer("springfield, il") == ["Springfield IL"])
        #expect(answer("Springfield Illinois") == ["Springfield IL"])
        #expect(answer("Paris, Texas") == ["Paris TX"])
        #expect(answer("PARIS") == ["Paris FR", "Paris TX"])
        #expect(answer("Paris, France") == ["Paris FR"])
        #expect(answer("Paris, Germany") == [])
        #expect(answer("München") == ["Munich DE"] && answer("munchen") == ["Munich DE"])
        #expect(answer("nowhere") == [] && answer("") == [] && answer("broken") == [])
    }

    @Test(
        "an address gives its town and says that it is one, with the accuracy of a town; it is never passed off as the address (X-6)"
    )
    func addresses() throws {
        let gazetteer = try gazetteer()
        for text in [
            "101 Spear St, San Francisco, CA 94105", "101 Spear Street San Francisco",
            "1 Infinite Loop, Cupertino, CA 95014, USA",
        ] {
            let answer = gazetteer.answer(GeocodeQuery(.text(text)))
            #expect(answer.isPartial && answer.places.count == 1, "\(text)")
            #expect(answer.places.allSatisfy { $0.accuracy >= 5_000 && !$0.hasStreet })
        }
        var address = GeocodeQuery.Address(texts: ["street": "101 Spear St", "city": "San Francisco", "state": "CA"])
        #expect(gazetteer.answer(GeocodeQuery(.address(address))).isPartial)
        address.street = ""
        let town = gazetteer.answer(GeocodeQuery(.address(address)))
        #expect(!town.isPartial && names(town) == ["San Francisco CA"])
        address.city = "No Such Town"
        #expect(gazetteer.answer(GeocodeQuery(.address(address))).places.isEmpty)
        // A state that the file does not name is no reason to find nothing.
        let german = GeocodeQuery.Address(texts: ["city": "München", "state": "Bayern", "isoCountryCode": "de"])
        #expect(names(gazetteer.answer(GeocodeQuery(.address(german)))) == ["Munich DE"])
    }

    @Test("a coordinate is in the nearest town, within what the answer says; in the middle of the sea it is in none")
    func reverse() throws {
        let gazetteer = try gazetteer()
        let loop = try #require(GeoPoint(latitude: 37.33072, longitude: -122.029674))
        let answer = gazetteer.answer(GeocodeQuery(.point(loop)))
        #expect(names(answer) == ["Cupertino CA"])
        let place = try #require(answer.places.first)
        #expect(try #require(place.point).distance(to: loop) <= place.accuracy)
        let sea = try #require(GeoPoint(latitude: 0, longitude: -30))
        #expect(gazetteer.answer(GeocodeQuery(.point(sea))).places.isEmpty)
        #expect(GeoPoint(latitude: 91, longitude: 0) == nil && GeoPoint(latitude: .nan, longitude: 0) == nil)
    }

    @Test("what is typed is completed to the largest towns, and what is nearer goes first when somebody says where")
    func completions() throws {
        let gazetteer = try gazetteer()
        var query = GeocodeQuery(.text("pa"), purpose: .complete)
        #expect(names(gazetteer.answer(query)) == ["Paris FR", "Paris TX"])
        query.limit = 1
        #expect(gazetteer.answer(query).places.count == 1)
        query = GeocodeQuery(.text(""), purpose: .complete)
        #expect(gazetteer.answer(query).places.isEmpty)
        var near = GeocodeQuery(.text("Springfield"))
        near.near = GeoPoint(latitude: 39.8, longitude: -89.6)
        #expect(names(gazetteer.answer(near)).first == "Springfield IL")
    }

    @Test("a file without a town is refused, and words without end are answered at once")
    func hostile() throws {
        #expect(throws: BatonError.self) { try Gazetteer(Data()) }
        #expect(throws: BatonError.self) { try Gazetteer(Data("\u{0}\u{1}\n\n\t\t\t\n@\n@\t\t".utf8)) }
        #expect(throws: BatonError.self) { try Gazetteer(Data([0xFF, 0xFE, 0x0A, 0x09, 0x09])) }
        let gazetteer = try gazetteer()
        for text in [
            String(repeating: "ca ", count: 400), String(repeating: "paris ca us 1 ", count: 6),
            String(repeating: "\u{301}", count: 900), "\u{202E}sirap",
        ] {
            _ = gazetteer.answer(GeocodeQuery(.text(text)))
        }
        #expect(gazetteer.answer(GeocodeQuery(.text(String(repeating: "paris ", count: 100)))).places.isEmpty)
    }

    /// Towns whose names people write in several ways.
    static let written = """
        @\tUS\t\tUnited States
        @\tCA\t\tCanada
        @\tCR\t\tCosta Rica
        @\tDE\t\tGermany
        @\tNO\t\tNorway
        @\tRU\t\tRussia
        @\tGB\t\tUnited Kingdom
        @\tUS\tCA\tCalifornia
        @\tUS\tMN\tMinnesota
        @\tCA\tON\tOntario
        @\tGB\tEngland\tEngland
        @\tGB\tScotland\tScotland
        @\tDE\tBayern\tBavaria
        Bad Homburg vor der Höhe\t50.2268\t8.6182\tDE\t\t51859\tEurope/Berlin\t
        Cambridge\t52.2\t0.1167\tGB\tEngland\t145700\tEurope/London\t
        Frankfurt (Oder)\t52.3471\t14.5506\tDE\t\t51691\tEurope/Berlin\t
        Frankfurt am Main\t50.1155\t8.6842\tDE\t\t650000\tEurope/Berlin\tFrankfurt
        Homburg\t49.3165\t7.3397\tDE\t\t43029\tEurope/Berlin\t
        London\t42.9834\t-81.233\tCA\tON\t346765\tAmerica/Toronto\t
        Moscow\t55.7522\t37.6156\tRU\t\t10381222\tEurope/Moscow\tМосква
        München\t48.1374\t11.5755\tDE\tBayern\t1505005\tEurope/Berlin\t
        Ontario\t34.0633\t-117.6509\tUS\tCA\t171214\tAmerica/Los_Angeles\t
        Saint Paul\t44.9444\t-93.0933\tUS\tMN\t300851\tAmerica/Chicago\t
        San Jose\t37.3394\t-121.895\tUS\tCA\t1026908\tAmerica/Los_Angeles\t
        San José\t9.9333\t-84.0833\tCR\t\t335007\tAmerica/Costa_Rica\t
        Tromsø\t69.6489\t18.9551\tNO\t\t52436\tEurope/Oslo\t
        """

    @Test(
        "a town is found as people write it",
        arguments: [
            ("St. Paul", "Saint Paul MN"), ("st paul, mn", "Saint Paul MN"), ("Saint Paul", "Saint Paul MN"),
            ("Tromso", "Tromsø NO"), ("Tromsoe", "Tromsø NO"), ("TROMSØ, Norge", "Tromsø NO"),
            ("Muenchen", "München Bayern"), ("Munchen, Deutschland", "München Bayern"),
            ("München, Bavaria", "München Bayern"), ("80331 München", "München Bayern"),
            ("Frankfurt", "Frankfurt am Main DE"), ("Frankfurt/Oder", "Frankfurt (Oder) DE"),
            ("Bad Homburg", "Bad Homburg vor der Höhe DE"), ("San José", "San José CR"), ("San Jose", "San Jose CA"),
            ("London, Ontario", "London ON"), ("London, ON, Canada", "London ON"), ("Москва", "Moscow RU"),
            ("Cambridge, Great Britain", "Cambridge England"), ("Cambridge, UK", "Cambridge England"),
        ])
    func spellings(_ text: String, _ town: String) throws {
        let answer = try Gazetteer(Data(Self.written.utf8)).answer(GeocodeQuery(.text(text)))
        #expect(names(answer).first == town)
        #expect(!answer.isPartial)
    }

    @Test("a region that a town is not in leaves it out, and a street stays one in front of a postal code")
    func notSpellings() throws {
        let gazetteer = try Gazetteer(Data(Self.written.utf8))
        func answer(_ text: String) -> GeocodeAnswer { gazetteer.answer(GeocodeQuery(.text(text))) }
        #expect(answer("Cambridge, Scotland").places.isEmpty)
        #expect(answer("San Street").places.isEmpty)
        // A region that the file cannot know is one, or a street; where it knows the regions it is neither.
        let region = answer("9008 Tromsø, Nord-Norge, Norge")
        #expect(names(region) == ["Tromsø NO"] && region.isPartial)
        #expect(answer("London, Middlesex, Canada").places.isEmpty)
        #expect(answer("Tromsø, Gate 5, Norge").places.isEmpty)
        #expect(answer("Marienplatz 8, 80331 München").isPartial)
        // Where postal codes follow a town, a number in front of it is that of a house.
        #expect(answer("1500 London").isPartial)
        let street = answer("Louisenstraße 5, Bad Homburg")
        #expect(street.isPartial && names(street) == ["Bad Homburg vor der Höhe DE"])
        #expect(names(answer("Am Bad 5, Homburg")) == ["Homburg DE"] && answer("Am Bad 5, Homburg").isPartial)
    }
}
