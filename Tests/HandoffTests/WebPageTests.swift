import BatonCore
import BatonWire
import Handoff
import SwiftProtobuf
import Testing

@Suite("Pages that are handed over")
struct WebPageTests {
    // H-33 H-96
    @Test(
        "An http or https address is taken as it is",
        arguments: [
            "https://example.org", "http://example.org:8080/a?b=c&d#e", "HTTPS://Example.ORG/%E4",
            "http://[::1]/", "https://example.org/?u=user:password@host",
        ])
    func taken(_ text: String) throws {
        #expect(try WebPage(text).text == text)
    }

    @Test("What is not ASCII reads the same to everybody")
    func international() throws {
        #expect(try WebPage("https://bücher.example/ä?ö").text == "https://xn--bcher-kva.example/%C3%A4?%C3%B6")
        // Which would turn the rest around where it is shown.
        #expect(try WebPage("https://example.org/\u{202E}gpj").text == "https://example.org/%E2%80%AEgpj")
    }

    // H-96
    @Test(
        "What is no page, or reads differently to different programs, is none",
        arguments: [
            "", "example.org", "ftp://example.org/", "file:///etc/passwd", "javascript:alert(1)", "--version",
            "-https://example.org", "https:", "https://", "https:///path", "https:example.org",
            "https://example.org/a b",
            "https://example.org/\n--new-window", "https://example.org/\u{0}", "https://example.org/\u{7F}",
            "https://user:password@example.org/", "https://bank.example@evil.example/", "https://@example.org/",
            "https://good.example\\@evil.example/", "https://example.org/" + String(repeating: "x", count: 100_000),
            "https://example.org/" + String(repeating: "ä", count: 4000),
        ])
    func refused(_ text: String) {
        let error = #expect(throws: BatonError.self) { try WebPage(text) }
        #expect(error?.reason == "invalid_page")
    }

    // H-96
    @Test("An offer with a page that is none is offered without it, and the offers beside it stay")
    func ignored() throws {
        let message = Baton_Link_V1_OfferSnapshot.with {
            $0.offers = ["javascript:alert(1)", "https://example.org/"].map { page in
                .with {
                    $0.activity = .with {
                        $0.activityID = ActivityID.random().rawValue
                        $0.activityType = "com.example.note"
                        $0.webpageURL = page
                    }
                    $0.app = .init(
                        AppIdentity(
                            bundleID: BundleID(unchecked: "com.example.app"),
                            team: TeamIdentity(fingerprint: Array(repeating: 1, count: 32))))
                }
            }
        }
        let snapshot = try OfferSnapshot(message, limit: 64)
        #expect(snapshot.offers.map(\.activity.webpageURL) == [nil, "https://example.org/"])
    }
}
