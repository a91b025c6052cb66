import BatonCore
import Testing

/// The data of a page that a public index may have (H-37).
@Suite struct PublicEntryTests {
    @Test("the address loses its query and fragment, and the rest is clean and bounded (H-37)")
    func clean() throws {
        let entry = try #require(
            PublicEntry(
                url: "HTTPS://Xamarin.COM/platform?token=secret#part", title: " The \u{202E}Xamarin\nPlatform ",
                keywords: ["Mobile", "mobile", "", "language"] + (0..<40).map { "word \($0)" }))
        #expect(entry.url == "https://xamarin.com/platform" && entry.title == "The Xamarin Platform")
        #expect(entry.keywords.count == PublicEntry.maximumKeywords && entry.keywords.contains("mobile"))
        #expect(PublicEntry(url: "https://xamarin.com?x", title: "X")?.url == "https://xamarin.com/")
        // The same again.
        #expect(PublicEntry(url: entry.url, title: entry.title, keywords: entry.keywords) == entry)
    }

    @Test(
        "nothing of one's own machine or network, no numbers, names, ports and untitled pages (H-37)",
        arguments: [
            "http://localhost/x", "https://intranet/x", "https://printer.local/", "https://nas.home.arpa/",
            "https://a.lan/",
            "http://127.0.0.1/", "http://10.0.0.1/", "http://192.168.1.1/", "http://0x7f.1/", "http://[::1]/",
            "http://8.8.8.8/", "https://example.com:8443/", "https://me:secret@example.com/", "ftp://example.com/",
            "https://wiki.corp/", "https://example.com./", "https://exam%70le.com/", "https://a..com/", "https:///x",
            "",
            "file:///etc/passwd", "https://example.com/" + String(repeating: "a", count: 1024),
        ])
    func refused(url: String) {
        #expect(PublicEntry(url: url, title: "Title") == nil)
    }

    @Test func `a page without a title is none`() {
        #expect(PublicEntry(url: "https://example.com/", title: " \n") == nil)
    }
}
