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

        @Test(
            "“baton directions” knows home, work, a place that the person named, and people of the address book, as “baton ask” does (P-27, P-29)"
        )
        func names() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let handler = try SystemHandler(in: household.directory, for: ["geo"])
                device.use(handler.environment)
                // Five nights here and five days there: as the service of context learns it, in its file.
                try await device.stop()
                let today = Int(Date().timeIntervalSince1970) / 86_400
                func place(_ id: Int, _ name: String, _ latitude: Double, nights: Int, workdays: Int) -> [String: Any] {
                    func days(_ count: Int) -> [String: Int] {
                        Dictionary(uniqueKeysWithValues: (0..<count).map { ("\(today - 1 - $0)", 300) })
                    }
                    return [
                        "id": id, "name": name, "position": ["latitude": latitude, "longitude": 13.4],
                        "networks": [String](),
                        "lastSeen": today * 86_400_000, "stays": 5, "nights": days(nights), "workdays": days(workdays),
                    ]
                }
                let memory: [String: Any] = [
                    "places": [
                        place(1, "", 52.52, nights: 5, workdays: 0), place(2, "", 52.5, nights: 0, workdays: 5),
                        place(3, "Library", 52.51, nights: 0, workdays: 0),
                    ], "lastID": 3,
                ]
                try JSONSerialization.data(withJSONObject: memory)
                    .write(to: URL(fileURLWithPath: "\(device.home)/data/places.json"))
                let contacts = "\(household.directory)/contacts"
                try FileManager.default.createDirectory(atPath: contacts, withIntermediateDirectories: true)
                let card = """
                    BEGIN:VCARD\r
                    VERSION:4.0\r
                    FN:Anna Ames\r
                    N:Ames;Anna;;;\r
                    ADR;TYPE=home:;;Hauptgasse 1;Berlin;;;\r
                    END:VCARD\r

                    """
                try Data(card.utf8).write(to: URL(fileURLWithPath: "\(contacts)/anna.vcf"))
                try await device.start()
                try await device.baton("settings", "set", "contacts.folder", contacts)
                try await device.until("the card to be read") {
                    try await device.baton("people").lines.joined().contains("Anna Ames")
                }
                for (name, wanted) in [
                    ("home", "geo:52.52,13.4?q=52.52,13.4(home)"), ("work", "geo:52.5,13.4?q=52.5,13.4(work)"),
                    ("library", "geo:52.51,13.4?q=52.51,13.4(Library)"),
                    ("Anna", "geo:0,0?q=Hauptgasse%201%2C%20Berlin"),
                    // An address that is no person's name is one.
                    ("Hauptgasse 2, Berlin", "geo:0,0?q=Hauptgasse%202%2C%20Berlin"),
                ] {
                    try await device.baton("directions", name)
                    try await device.until("the maps to be opened for \(name)") { handler.urls.last == wanted }
                }
                try await device.baton("ask", "directions", "home")
                try await device.until("home again") { handler.urls.last == "geo:52.52,13.4?q=52.52,13.4(home)" }
            }
        }
    }
}
