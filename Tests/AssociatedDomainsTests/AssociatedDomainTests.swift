import AssociatedDomains
import BatonCore
import Testing

struct AssociatedDomainTests {
    // H-87: service and fully qualified domain, as the entitlement has them.
    @Test("An entry of the entitlement names a service and a domain, and may name a mode or all subdomains (H-87)")
    func reads() throws {
        let plain = try AssociatedDomain("activitycontinuation:company.com")
        #expect(plain.service == .activityContinuation)
        #expect(plain.domain.rawValue == "company.com")
        #expect(!plain.isWildcard)
        #expect(plain.mode == [])
        let wild = try AssociatedDomain("applinks:*.Example.COM?mode=developer")
        #expect(wild.service == .appLinks)
        #expect(wild.isWildcard)
        #expect(wild.domain.rawValue == "example.com")
        #expect(wild.mode == .developer)
        #expect(wild.description == "applinks:*.example.com?mode=developer")
        #expect(try AssociatedDomain("webcredentials:a.b?mode=developer+managed").mode == [.developer, .managed])
        #expect(try AssociatedDomain("appclips:xn--bcher-kva.de?mode=managed").mode == .managed)
        #expect(try AssociatedDomain("authsrv:example.com.").domain.rawValue == "example.com")
    }

    @Test(
        "An entry that cannot be used is refused with a sentence that says what is wrong (H-87, X-2)",
        arguments: [
            ("company.com", "names no service"), ("", "names no service"),
            ("activity continuation:company.com", "service that does not"),
            ("https://company.com", "service that does not"),
            ("applinks://company.com", "is a URL"), ("applinks:company.com/", "trailing slash"),
            ("applinks:company.com/path", "path"), ("applinks:company.com:8443", "port"),
            ("applinks:company.com?x=y", "mode"), ("applinks:company.com?mode=debug", "mode"),
            ("applinks:company.com?mode=", "mode"), ("applinks:www.*.com", "“*”"), ("applinks:*", "“*”"),
            ("applinks:*company.com", "“*”"), ("appclips:*.company.com", "wildcard"),
            ("applinks:localhost", "qualified"),
            ("applinks:192.168.1.1", "qualified"), ("applinks:bücher.de", "xn--"), ("applinks:", "qualified"),
            ("applinks:-a.com", "qualified"), ("applinks:a..com", "qualified"), ("APPLINKS:company.com", "service"),
            ("applinks:company.com\u{0}", "qualified"), ("applinks:a_b.com", "qualified"),
            ("applinks:" + String(repeating: "a", count: 64) + ".com", "qualified"),
            ("applinks:" + String(repeating: "a.", count: 150) + "com", "qualified"),
        ])
    func refuses(text: String, expected: String) throws {
        let error = #expect(throws: BatonError.self) { try AssociatedDomain(text) }
        #expect(error?.reason == "invalid_associated_domain")
        #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
    }

    @Test("A wildcard covers every subdomain and not the domain itself; the longest entry decides (H-87)")
    func decides() throws {
        let domains = AssociatedDomains([
            "applinks:*.example.com", "applinks:*.eu.example.com", "applinks:shop.eu.example.com",
            "activitycontinuation:example.com", "nonsense",
        ])
        #expect(domains.refusals.map(\.text) == ["nonsense"])
        func entry(_ host: String, _ service: AssociatedDomain.Service = .appLinks) throws -> String? {
            domains.entry(for: try DomainName(validating: host), service: service)?.description
        }
        #expect(try entry("www.example.com") == "applinks:*.example.com")
        #expect(try entry("a.b.example.com") == "applinks:*.example.com")
        #expect(try entry("www.eu.example.com") == "applinks:*.eu.example.com")
        #expect(try entry("eu.example.com") == "applinks:*.example.com")
        #expect(try entry("shop.eu.example.com") == "applinks:shop.eu.example.com")
        #expect(try entry("example.com") == nil)
        #expect(try entry("badexample.com") == nil)
        #expect(try entry("example.com.evil.org") == nil)
        #expect(try entry("example.com", .activityContinuation) == "activitycontinuation:example.com")
        #expect(try entry("www.example.com", .activityContinuation) == nil)
    }

    @Test("Only so many entries of an app count, and the others are refused with a reason")
    func bounds() {
        let domains = AssociatedDomains((0..<150).map { "applinks:a\($0).example.com" })
        #expect(domains.entries.count == AssociatedDomain.maximumCount)
        #expect(domains.refusals.count == 50)
    }
}
