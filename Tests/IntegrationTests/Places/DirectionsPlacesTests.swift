import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    /// Apps that look places up, with real daemons.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct DirectionsPlacesTests {
        private static let towns = """
            @\tUS\t\tUnited States
            @\tUS\tCA\tCalifornia
            Cupertino\t37.323\t-122.0322\tUS\tCA\t60170\tAmerica/Los_Angeles\t
            San Francisco\t37.7749\t-122.4194\tUS\tCA\t864816\tAmerica/Los_Angeles\t

            """

        @Test(
            "MonkeyChat is launched with a place, and looks its address up when the coordinate is missing, not when it is there; it takes no town for the place (S-23, P-41, P-42, P-44, P-45, X-6)"
        )
        func monkeyChat() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let towns = "\(household.directory)/places.tsv"
                try Data(Self.towns.utf8).write(to: URL(fileURLWithPath: towns))
                try await device.baton("settings", "set", "places.gazetteer", towns)
                try await household.install(.monkeyChat)
                let log = try ExampleLog(.monkeyChat, on: device)
                func open(_ name: String, _ text: String) async throws {
                    let path = "\(household.directory)/\(name).mkdirectionsrequest"
                    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
                    try await device.baton("open", path)
                }
                let address = #""address": {"Street": "101 Spear St", "City": "San Francisco", "State": "CA"}"#
                try await open(
                    "there",
                    #"{"destination": {"name": "Yank Sing", "latitude": 37.7926, "longitude": -122.393, \#(address)}}"#)
                try await log.line("ride to Yank Sing at 37.7926, -122.393")
                let start = log.count
                try await open("street", #"{"destination": {"name": "Home", \#(address)}}"#)
                try await log.line("looks up Home", from: start)
                try await log.line("asks where in San Francisco Home is", from: start)
                try await open(
                    "town", #"{"destination": {"name": "Town", "address": {"City": "Cupertino", "State": "CA"}}}"#)
                try await log.line("ride to Town at 37.323, -122.0322", from: start)
                try await open("nowhere", #"{"destination": {"name": "Lost", "address": {"City": "No Such Town"}}}"#)
                try await log.line("does not find Lost", from: start)
            }
        }

        @Test(
            "a place that the person has just looked at in one app answers another app's request for its address: no server and no town is asked (X-6, P-42)"
        )
        func knownPlace() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                try await household.install(.monkeyChat)
                try await household.install(.probe("com.example.reviews", types: ["com.example.reviews.place"]))
                let app = try TestApp("com.example.reviews", on: device)
                try await app.launch()
                try app.make("map", type: "com.example.reviews.place", title: "Reviews", ["place": true])
                try await device.until("the place to be known") {
                    try await !device.call(SuggestionsMethods.listSuggestions).suggestions.isEmpty
                }
                let log = try ExampleLog(.monkeyChat, on: device)
                let path = "\(household.directory)/office.mkdirectionsrequest"
                let text =
                    #"{"destination": {"name": "Office", "address": {"Street": "1 Infinite Loop", "City": "Cupertino"}}}"#
                try Data(text.utf8).write(to: URL(fileURLWithPath: path))
                try await device.baton("open", path)
                try await log.line("ride to Office at 37.33072, -122.029674")
            }
        }
    }
}
