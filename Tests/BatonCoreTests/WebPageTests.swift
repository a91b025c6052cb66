import BatonCore
import Testing

@Suite("Addresses of pages")
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
        #expect(error?.reason == "invalid_page_url")
        // It may be logged.
        #expect(error?.message.contains("password@") == false && error?.message.contains("evil") == false)
    }
}
