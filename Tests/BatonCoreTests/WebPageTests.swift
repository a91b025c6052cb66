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

    @Test("Text that is not ASCII reads the same to everybody")
    func international() throws {
        #expect(try WebPage("https://bücher.example/ä?ö").text == "https://xn--bcher-kva.example/%C3%A4?%C3%B6")
        // Which would turn the rest around where it is shown.
        #expect(try WebPage("https://example.org/\u{202E}gpj").text == "https://example.org/%E2%80%AEgpj")
    }

    // H-84: another device must not have this one's browser call what listens here.
    @Test(
        "A page of another device whose host a browser takes for its own machine is refused, however it is written",
        arguments: [
            "http://localhost/", "https://LOCALHOST:8080/a", "http://localhost./", "http://a.b.localhost/",
            "http://localhost.localdomain/", "http://ip6-localhost/", "http://%6c%6fcalhost/", "http://%6Cocalhost./",
            "http://127.0.0.1/", "http://127.0.0.1./", "http://127.1:631/", "http://127.255.0.9/",
            "http://2130706433/", "http://0x7f000001/", "http://0x7f.1/", "http://0177.0.0.1/", "http://017700000001/",
            "http://0X7F.0.0.0x1/", "http://0/", "http://0.0.0.0/", "http://0x/", "http://127.0.0.1.5/",
            "http://127.0.256/", "http://99999999999999999999/", "http://08.0.0.1/",
            "http://[::1]/", "http://[::]/", "http://[0:0:0:0:0:0:0:1]:80/", "http://[::ffff:127.0.0.1]/",
            "http://[::FFFF:7f00:1]/", "http://[::ffff:0.0.0.0]/", "http://[::127.0.0.1]/",
        ])
    func loopback(_ text: String) {
        #expect(WebPage.fromOtherDevice(text) == nil)
    }

    // H-33 H-84
    @Test(
        "A page of another device that leads anywhere else is taken",
        arguments: [
            "https://example.org/?to=http://localhost/", "http://10.0.0.1:8080/", "http://192.168.1",
            "http://0xa000001/",
            "http://128.0.0.1/", "http://126.255.255.255/", "http://[fd77::1]:80/", "http://[::ffff:10.0.0.1]/",
            "http://localhost.example/", "http://mylocalhost/", "https://127.0.0.1.example.org/", "http://printer/",
        ])
    func elsewhere(_ text: String) throws {
        #expect(WebPage.fromOtherDevice(text)?.text == text)
    }

    @Test("The host of a page is shown; of a long one the end, which says whose it is (H-10)")
    func shownHost() throws {
        #expect(try WebPage("https://www.example.org:8443/a?b#c").shownHost == "www.example.org")
        #expect(try WebPage("http://[fd77::1]:80/").shownHost == "[fd77::1]")
        let long = "bank.example." + String(repeating: "a.", count: 40) + "evil.example"
        let shown = try WebPage("https://\(long)/").shownHost
        #expect(shown.count == 60 && shown.hasPrefix("…") && shown.hasSuffix("a.evil.example"))
    }

    // H-96
    @Test(
        "A text that is no page, or reads differently to different programs, is none",
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
