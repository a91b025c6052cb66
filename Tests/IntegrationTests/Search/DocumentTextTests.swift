import BatonCore
import BatonTestSupport
import Foundation
import Testing

extension Integration {
    /// The text of documents of other programs, with a real daemon.
    @Suite(.timeLimit(.minutes(5))) struct DocumentTextTests {
        private struct Found: Decodable {
            struct Item: Decodable {
                var title: String
                var snippet: String?
            }
            var results: [Item]
        }

        private static func found(_ device: TestDevice, _ words: String) async throws -> [Found.Item] {
            try await device.baton(["search"] + words.split(separator: " ").map(String.init)).decode(Found.self).results
        }

        @Test(
            "PDF, office, book and mail files are found by their text and title, a changed one by its new text, and an encrypted one by its name"
        )
        func documents() async throws {
            try await TestHousehold.with(1) { household in
                let device = household[0]
                let container = try await TestContainer(device)
                let samples = try await SampleDocuments()
                let words = [
                    "Tides.pdf": "kittiwake", "Letter.docx": "pelican", "Budget.xlsx": "seagull feed",
                    "Talk.pptx": "albatross", "Notes.odt": "cormorant sighting", "Prices.ods": "herring",
                    "Book.epub": "café terns", "Post.eml": "puffin guillemot",
                ]
                for name in words.keys.sorted() + ["hostile/Locked.pdf"] {
                    try container.write(Data(try samples.bytes(name)), to: (name as NSString).lastPathComponent)
                }
                for (name, words) in words {
                    try await device.until("\(name) to be found by “\(words)”") {
                        try await Self.found(device, words).first?.title == name
                    }
                }
                #expect(try await Self.found(device, "kittiwake").first?.snippet?.contains("returns") == true)
                #expect(try await Self.found(device, "tide tables pilot").first?.title == "Tides.pdf")
                try await device.until("the encrypted file to be found by its name") {
                    try await Self.found(device, "locked").first?.title == "Locked.pdf"
                }
                try container.write(Data(try samples.bytes("Letter.docx")), to: "Tides.docx")
                try container.write(Data(try samples.bytes("hostile/Entities.docx")), to: "Letter.docx")
                try await device.until("the change to be found") {
                    let pelicans = try await Self.found(device, "pelican").map(\.title)
                    let changed = try await Self.found(device, "before behind").first?.title
                    return pelicans.first == "Tides.docx" && !pelicans.contains("Letter.docx")
                        && changed == "Letter.docx"
                }
            }
        }
    }
}
