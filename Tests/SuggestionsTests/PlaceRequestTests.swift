import BatonCore
import Suggestions
import Testing

/// Requests of a search's words for places that were looked at.
@Suite struct PlaceRequestTests {
    private static let requests: [([String], PlaceRequest, [String])] = [
        (["address"], .address, []), (["Directions", "to", "Yank"], .directions, ["yank"]),
        (["directions", "ya"], .directions, ["ya"]), (["CALL", "Yank", "Sing"], .call, ["yank", "sing"]),
        (["Adresse", "Café"], .address, ["cafe"]), (["Yank", "anrufen"], .call, ["yank"]),
        (["Yank", "adresi"], .address, ["yank"]), (["yol", "tarifi"], .directions, []),
        (["Directions to Yank"], .directions, ["yank"]),
    ]

    @Test(arguments: Self.requests)
    func `words of three languages ask for an address, directions or a call, with the place's name around them`(
        words: [String], request: PlaceRequest, name: [String]
    ) throws {
        let found = try #require(PlaceRequest.read(words))
        #expect(found.request == request && found.name == name)
    }

    @Test func `other words ask for nothing`() {
        for words in [[], [""], ["yank", "sing"], ["addressee"], ["call-centre"]] as [[String]] {
            #expect(PlaceRequest.read(words) == nil, "\(words)")
        }
    }

    @Test func `a place fits when all words begin one of its name`() {
        #expect(PlaceRequest.fits("Yank Sing", []) && PlaceRequest.fits("Yank Sing", ["sing", "y"]))
        #expect(PlaceRequest.fits("Café-Bar Zoë", ["bar", "zoe"]))
        #expect(!PlaceRequest.fits("Yank Sing", ["ank"]))
    }

    /// Which is P-23 and P-24: an app says what its place is for.
    @Test func `a place is called and led to only where its app allows it (P-23, P-24)`() throws {
        func known(_ more: [String: PropertyValue]) throws -> KnownPlace {
            let attributes: [String: PropertyValue] = [
                "namedLocation": .string("Yank Sing"), "city": .string("San Francisco"),
                "phoneNumbers": .array([.string("(415) 781-1111")]),
            ]
            let shown = try #require(AppPlace(attributes.merging(more) { $1 }))
            let evidence = PlaceEvidence(
                source: .app(AppIdentity(bundleID: try BundleID(validating: "a.b"), team: .development)),
                sourceName: "App", activity: "A", title: "", time: 0, supportsNavigation: shown.supportsNavigation,
                supportsPhoneCall: shown.supportsPhoneCall)
            return KnownPlace(id: 1, place: shown.place, evidence: [evidence])
        }
        let both = try known([:])
        #expect(PlaceRequest.call.text(of: both) == "(415) 781-1111")
        #expect(PlaceRequest.directions.text(of: both) == "San Francisco")
        let neither = try known(["supportsPhoneCall": .boolean(false), "supportsNavigation": .boolean(false)])
        #expect(PlaceRequest.call.text(of: neither) == nil && PlaceRequest.directions.text(of: neither) == nil)
        #expect(PlaceRequest.address.text(of: neither) == "San Francisco")
    }
}
