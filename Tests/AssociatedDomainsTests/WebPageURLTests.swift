import AssociatedDomains
import BatonCore
import Testing

struct WebPageURLTests {
    @Test("A page's URL is split into host, path, query and fragment")
    func splits() throws {
        let url = try WebPageURL("https://user:secret@WWW.Company.com:443/a%2fb/ü?x=1&y=%zz#top?#end")
        #expect(url.host.rawValue == "www.company.com")
        #expect(String(decoding: url.path, as: UTF8.self) == "/a%2fb/%C3%BC")
        #expect(String(decoding: url.query, as: UTF8.self) == "x=1&y=%zz")
        #expect(String(decoding: url.fragment, as: UTF8.self) == "top?#end")
        let bare = try WebPageURL("HTTP://company.com")
        #expect(bare.path == [UInt8(ascii: "/")])
        #expect(bare.query.isEmpty && bare.fragment.isEmpty)
        #expect(try WebPageURL("http://company.com:80?q").query == [UInt8(ascii: "q")])
    }

    // An address that browsers and other programs read differently must not decide which app opens.
    @Test(
        "A URL that is no page of a domain is refused",
        arguments: [
            "", "company.com", "ftp://company.com/", "file:///etc/passwd", "javascript:alert(1)", "https:company.com",
            "https://", "https:///path", "https://company.com:8443/", "http://company.com:443/", "https://localhost/",
            "https://127.0.0.1/", "https://[::1]/", "https://company.com\\@evil.com/", "https://company.com /",
            "https://company.com/a b", "https://company.com/\n", "https://bücher.de/", " https://company.com/",
            "https://evil.com\t.company.com/", "https://company.com%2eevil.com/",
            "https://company.com/" + String(repeating: "a", count: 40_000),
        ])
    func refuses(text: String) {
        let error = #expect(throws: BatonError.self) { try WebPageURL(text) }
        #expect(error?.reason == "invalid_page_url")
    }

    @Test(
        "An IP address is called one, whatever its form, and a port a port",
        arguments: [
            ("https://[::1]/", true), ("https://[::1]:8443/", true), ("https://[fe80::1", true),
            ("https://127.0.0.1/", true), ("https://127.0.0.1:443/", true), ("https://127.1./", true),
            ("https://2130706433/", true), ("https://0x7F.1/", true), ("https://company.0x1f/", true),
            ("https://company.com:8443/", false),
        ])
    func addresses(text: String, isAddress: Bool) throws {
        let error = try #require(throws: BatonError.self) { try WebPageURL(text) }
        #expect(error.message.contains("IP address") == isAddress)
        #expect(error.message.contains("names a port") == !isAddress)
    }

    // As the URL parsers of browsers do it, so that a page is judged as what is asked for.
    @Test(
        "Dot segments of the path are resolved, escaped or not",
        arguments: [
            ("/a/../b", "/b"), ("/a/./b", "/a/b"), ("/a/..", "/"), ("/a/b/..", "/a/"), ("/a/.", "/a/"), ("/..", "/"),
            ("/.", "/"), ("/../../a", "/a"), ("/a/%2e%2E/b", "/b"), ("/a/.%2e/b", "/b"), ("/a/%2E./b", "/b"),
            ("/a/%2e/b", "/a/b"), ("/a//../b", "/a/b"), ("//..", "/"), ("/a/../..//b", "//b"), ("/a/../?x", "/"),
            ("/a/..#x", "/"), ("/...", "/..."), ("/a/..b", "/a/..b"), ("/a/.b./c", "/a/.b./c"),
            ("/a/%252e%252e/b", "/a/%252e%252e/b"), ("/a/..%2Fb", "/a/..%2Fb"), ("/a//b/", "/a//b/"), ("", "/"),
        ])
    func dotSegments(path: String, expected: String) throws {
        let url = try WebPageURL("https://company.com" + path)
        #expect(String(decoding: url.path, as: UTF8.self) == expected)
        #expect(url.description == "https://company.com" + path)
        let asWritten = path.prefix { $0 != "?" && $0 != "#" }
        #expect(url.hadDotSegments == (asWritten != expected && !asWritten.isEmpty))
    }

    @Test("The part before “@” is no host")
    func userInformation() throws {
        #expect(try WebPageURL("https://company.com@evil.org/").host.rawValue == "evil.org")
        #expect(try WebPageURL("https://company.com:x@evil.org/").host.rawValue == "evil.org")
        #expect(try WebPageURL("https://evil.org/@company.com").host.rawValue == "evil.org")
        #expect(try WebPageURL("https://evil.org?@company.com").host.rawValue == "evil.org")
        #expect(try WebPageURL("https://evil.org#@company.com").host.rawValue == "evil.org")
    }
}
