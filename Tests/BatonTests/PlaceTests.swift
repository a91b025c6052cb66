import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

@testable import Baton

/// Locations, placemarks, directions and geocoding, against a daemon in memory.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct PlaceTests {
    private func place(_ values: [String: PropertyValue]) -> MKMapItem {
        MKMapItem(placemark: MKPlacemark(values: values))
    }

    @Test("a placemark has a location only if its coordinate is on the earth (P-41, P-43)")
    func locations() throws {
        let here = CLLocationCoordinate2D(latitude: 37.33072, longitude: -122.029674)
        let placemark = MKPlacemark(
            coordinate: here,
            addressDictionary: ["Street": "1 Infinite Loop", "City": "Cupertino", "State": "CA", "ZIP": "95014"])
        #expect(placemark.location?.coordinate == here && placemark.region == nil)
        let dictionary = try #require(placemark.addressDictionary)
        #expect(dictionary["Street"] as? String == "1 Infinite Loop" && dictionary["ZIP"] as? String == "95014")
        #expect(dictionary["FormattedAddressLines"] as? [String] == ["1 Infinite Loop", "Cupertino, CA 95014"])
        #expect(MKPlacemark(coordinate: kCLLocationCoordinate2DInvalid).location == nil)
        #expect(MKMapItem().placemark.location == nil && MKMapItem().placemark.addressDictionary == nil)
        #expect(MKMapItem().location.horizontalAccuracy < 0)
        let berlin = CLLocation(latitude: 52.52, longitude: 13.405)
        let paris = CLLocation(latitude: 48.8566, longitude: 2.3522)
        #expect(abs(berlin.distance(from: paris) - 877_500) < 4_000)
        let data = try NSKeyedArchiver.archivedData(withRootObject: berlin, requiringSecureCoding: true)
        #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: CLLocation.self, from: data) == berlin)
        #expect(berlin.speedAccuracy < 0 && berlin.courseAccuracy < 0)
        let moving = CLLocation(
            coordinate: berlin.coordinate, altitude: 40, horizontalAccuracy: 5, verticalAccuracy: 8, course: 90,
            courseAccuracy: 3, speed: 2, speedAccuracy: 0.5, timestamp: berlin.timestamp)
        let kept = try NSKeyedArchiver.archivedData(withRootObject: moving, requiringSecureCoding: true)
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: CLLocation.self, from: kept)
        #expect(read == moving && read?.courseAccuracy == 3 && read?.speedAccuracy == 0.5)
        let town = MKPlacemark(values: [
            "latitude": .real(48), "longitude": .real(11), "horizontalAccuracy": .real(5000),
            "locality": .string("Town"),
        ])
        #expect((town.region as? CLCircularRegion)?.radius == 5000 && town.region?.identifier == "Town")
    }

    @Test("an address is written as its country does it")
    func addresses() {
        let address = CNMutablePostalAddress()
        (address.street, address.city, address.postalCode) = ("Hauptstr. 1\nHinterhaus", "Berlin", "10115")
        (address.country, address.isoCountryCode) = ("Germany", "de")
        #expect(
            CNPostalAddressFormatter.string(from: address, style: .mailingAddress)
                == "Hauptstr. 1\nHinterhaus\n10115 Berlin\nGermany")
        #expect(CNPostalAddressFormatter.lines(of: CNPostalAddress()) == [])
    }

    @Test("a request for directions says in its file what it says, and is read back")
    func directions() throws {
        let request = MKDirections.Request()
        request.source = .forCurrentLocation()
        let item = place(["name": .string("Yank Sing"), "latitude": .real(37.79), "longitude": .real(-122.39)])
        item.phoneNumber = "(415) 781-1111"
        request.destination = item
        request.transportType = .walking
        request.requestsAlternateRoutes = true
        request.departureDate = Date(timeIntervalSince1970: 1_700_000_000)
        request.tollPreference = .avoid
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("\(UUID().uuidString).mkdirectionsrequest")
        defer { try? FileManager.default.removeItem(at: file) }
        try JSONEncoder().encode(DirectionsRequestFile(request)).write(to: file)
        #expect(MKDirections.Request.isDirectionsRequest(file))
        let read = MKDirections.Request(contentsOf: file)
        #expect(read.source?.isCurrentLocation == true && read.destination?.name == "Yank Sing")
        #expect(read.destination?.placemark.location?.coordinate.latitude == 37.79)
        #expect(read.destination?.phoneNumber == "(415) 781-1111" && read.transportType == .walking)
        #expect(read.requestsAlternateRoutes && read.departureDate == request.departureDate && read.arrivalDate == nil)
        #expect(read.tollPreference == .avoid && read.highwayPreference == .any)
    }

    @Test(
        "a place without a routing app is an address of the form geo:, by its coordinate and name, else by its address (P-27)"
    )
    func geo() throws {
        let item = place(["name": .string("Joe's (Bar) & Grill"), "latitude": .real(37.5), "longitude": .real(-122.25)])
        #expect(
            MapsOpening([item], options: nil)?.geoURL?.absoluteString
                == "geo:37.5,-122.25?q=37.5,-122.25(Joe%27s%20%28Bar%29%20%26%20Grill)")
        let address = place([
            "thoroughfare": .string("Spear St"), "subThoroughfare": .string("101"), "locality": .string("SF"),
        ])
        #expect(MapsOpening([address], options: nil)?.geoURL?.absoluteString == "geo:0,0?q=101%20Spear%20St,%20SF")
        #expect(MapsOpening([], options: nil) == nil && MapsOpening([.forCurrentLocation()], options: nil) == nil)
        #expect(MapsOpening([MKMapItem()], options: nil)?.geoURL == nil)
        let ways = MapsOpening(
            [address, item], options: [MKLaunchOptionsDirectionsModeKey: MKLaunchOptionsDirectionsModeTransit])
        #expect(ways?.source === address && ways?.destination === item && ways?.transport == .transit)
    }

    @Test("a place opens in the routing app as a request, else with the desktop, else nowhere (P-27, P-40)")
    func openMaps() async throws {
        try await withApp { app in
            let item = place(["name": .string("N"), "latitude": .real(1.5), "longitude": .real(2)])
            #expect(await app.runtime.openMaps(try #require(MapsOpening([item], options: nil))) == false)
            app.daemon.offer(schemes: ["geo"])
            #expect(await app.runtime.openMaps(try #require(MapsOpening([item], options: nil))))
            #expect(app.daemon.opened == ["geo:1.5,2.0?q=1.5,2.0(N)"])
            app.daemon.offer(schemes: ["geo"], documentApps: [("com.example.Routes", "Routes")])
            #expect(await app.runtime.openMaps(try #require(MapsOpening([item], options: nil))))
            let opened = try #require(app.daemon.opened.last)
            #expect(opened.hasPrefix("com.example.Routes Directions.mkdirectionsrequest: {"))
            #expect(opened.contains("\"latitude\":1.5"))
        }
    }

    private func found(_ values: [String: PropertyValue]) -> Baton_App_V1_FoundPlace {
        .with { $0.attributes = .init(attributes: values) }
    }

    @Test(
        "a geocoder gives placemarks, an error for nothing, and for a town in place of an address one with its region (P-42, X-6)"
    )
    func geocoding() async throws {
        try await withApp { app in
            let town: [String: PropertyValue] = [
                "name": .string("San Francisco"), "locality": .string("San Francisco"), "latitude": .real(37.77),
                "longitude": .real(-122.42), "horizontalAccuracy": .real(9000),
            ]
            let geocoder = app.runtime.run { CLGeocoder() }
            app.daemon.answerPlaces(.with { $0.places = [found(town)] })
            let placemarks = try await geocoder.geocodeAddressString("San Francisco")
            #expect(placemarks.first?.locality == "San Francisco")
            #expect(placemarks.first?.location?.horizontalAccuracy == 9000)
            app.daemon.answerPlaces(
                .with {
                    $0.places = [found(town)]
                    $0.isPartial = true
                })
            do {
                _ = try await geocoder.geocodeAddressDictionary(["Street": "101 Spear St", "City": "San Francisco"])
                Issue.record("A town was passed off as an address.")
            } catch let error as CLError {
                #expect(error.code == .geocodeFoundPartialResult && (error as NSError).code == 9)
                let region = error.userInfo[kCLErrorUserInfoAlternateRegionKey] as? CLCircularRegion
                #expect(region?.identifier == "San Francisco" && region?.radius == 9000)
            }
            app.daemon.answerPlaces(.init())
            await #expect(throws: CLError.self) { try await geocoder.geocodeAddressString("nowhere") }
            #expect(!geocoder.isGeocoding)
            let asked = app.daemon.placeRequests
            #expect(asked.map(\.purpose) == [.geocode, .geocode, .geocode] && asked.first?.text == "San Francisco")
            #expect(try asked[1].address.attributes()["street"] == .string("101 Spear St"))
            #expect(try asked[1].address.attributes()["latitude"] == nil)
        }
    }

    @Test("a search is started once, and the completer asks for what was typed last")
    func search() async throws {
        try await withApp { app in
            app.daemon.answerPlaces(
                .with {
                    $0.places = [
                        found(["name": .string("Paris"), "locality": .string("Paris"), "country": .string("France")])
                    ]
                })
            let search = app.runtime.run { MKLocalSearch(request: .init(naturalLanguageQuery: "paris")) }
            #expect(try await search.start().mapItems.first?.name == "Paris")
            await #expect(throws: MKError.self) { try await search.start() }
            let nothing = app.runtime.run { MKLocalSearch(request: .init()) }
            await #expect(throws: MKError.self) { try await nothing.start() }
            let request = try #require(MKGeocodingRequest(addressString: "Paris"))
            _ = request
            #expect(MKGeocodingRequest(addressString: "  ") == nil)
            #expect(MKReverseGeocodingRequest(location: MKMapItem().location) == nil)
            let completion = MKLocalSearchCompletion(title: "San Francisco", subtitle: "CA", fragment: "san fr")
            #expect(
                completion.titleHighlightRanges.map(\.rangeValue) == [
                    NSRange(location: 0, length: 3), NSRange(location: 4, length: 2),
                ])
        }
    }

    @Test("a completion shows the words that were typed where words begin, also after the same letters within a word")
    func highlights() {
        func ranges(_ fragment: String, _ title: String) -> [NSRange] {
            MKLocalSearchCompletion(title: title, subtitle: "", fragment: fragment).titleHighlightRanges
                .map(\.rangeValue)
        }
        #expect(ranges("ann", "Joanna Ann") == [NSRange(location: 7, length: 3)])
        #expect(ranges("an", "banana").isEmpty && ranges("x", "").isEmpty)
        // A mark alone is ignored, and ends the search all the same.
        #expect(ranges("\u{301}", "Cafe").isEmpty)
    }

    @Test("points of interest are asked for by category within their circle, and the nearest goes first")
    func pointsOfInterest() async throws {
        func cafe(_ name: String, _ longitude: Double, _ kind: String = "amenity=cafe") -> Baton_App_V1_FoundPlace {
            found([
                "name": .string(name), "kind": .string(kind), "latitude": .real(52), "longitude": .real(longitude),
            ])
        }
        try await withApp { app in
            app.daemon.answerPlaces(
                .with {
                    $0.places = [
                        cafe("Far", 13.1), cafe("Near", 13.001), cafe("", 13.0005), cafe("Shop", 13, "shop=books"),
                    ]
                })
            let center = CLLocationCoordinate2D(latitude: 52, longitude: 13)
            let request = MKLocalPointsOfInterestRequest(center: center, radius: 1000)
            request.pointOfInterestFilter = MKPointOfInterestFilter(including: [.cafe])
            let search = app.runtime.run { MKLocalSearch(request: request) }
            let items = try await search.start().mapItems
            #expect(items.map { $0.name ?? "" } == ["", "Near"])
            #expect(items.allSatisfy { $0.pointOfInterestCategory == .cafe })
            let asked = try #require(app.daemon.placeRequests.first)
            #expect(app.daemon.placeRequests.count == 1 && asked.ofKind.kind == "amenity=cafe")
            #expect((51.98...51.995).contains(asked.ofKind.southWest.latitude))
            #expect((13.01...13.02).contains(asked.ofKind.northEast.longitude))
            let usual = MKLocalPointsOfInterestRequest(coordinateRegion: request.region)
            usual.pointOfInterestFilter = MKPointOfInterestFilter(excluding: [.hotel])
            #expect(usual.queries.count == 4 && usual.radius > 1000)
            usual.pointOfInterestFilter = .excludingAll
            let nothing = app.runtime.run { MKLocalSearch(request: usual) }
            await #expect(throws: MKError.self) { try await nothing.start() }
            #expect(MKLocalPointsOfInterestRequest(center: center, radius: -1).queries.isEmpty)
        }
    }

    /// As Apple's protocol is: of no actor.
    private final class Typing: MKLocalSearchCompleterDelegate {
        let found = AsyncStream<[String]>.makeStream()

        func completerDidUpdateResults(_ completer: MKLocalSearchCompleter) {
            found.continuation.yield(completer.results.map { $0.title + (isOnMainQueue ? "" : " off the main thread") })
        }
    }

    @Test("a completer is used from any thread, and answers on the main thread for what was typed last")
    func completer() async throws {
        try await withApp { app in
            app.daemon.answerPlaces(
                .with { $0.places = [found(["name": .string("Paris"), "locality": .string("Paris")])] })
            let (completer, typing) = (app.runtime.run { MKLocalSearchCompleter() }, Typing())
            completer.delegate = typing
            completer.pointOfInterestFilter = MKPointOfInterestFilter(including: [.cafe, .gasStation])
            completer.queryFragment = "Pa"
            completer.queryFragment = " Par "
            #expect(completer.isSearching)
            var results = typing.found.stream.makeAsyncIterator()
            while app.daemon.placeRequests.last?.text != "Par" { #expect(await results.next() == ["Paris"]) }
            while completer.isSearching { #expect(await results.next() == ["Paris"]) }
            completer.resultTypes = .pointOfInterest
            completer.queryFragment = "Pari"
            #expect(await results.next() == [])
            completer.queryFragment = ""
            #expect(completer.results.isEmpty && !completer.isSearching)
        }
    }
}
