import AssociatedDomains

/// A page's URL.
enum PageURLTarget: FuzzTarget {
    static let name = "page-url"

    static func seeds() -> [[UInt8]] {
        [
            "https://user:secret@WWW.Company.com:443/a%2fb/ü?x=1&y=%zz#top?#end", "http://company.com",
            "https://a.b./?#",
            "https://xn--bcher-kva.de/%C3%BC",
        ].map { Array($0.utf8) }
    }

    static func run(_ bytes: [UInt8]) {
        guard let url = try? WebPageURL(String(decoding: bytes, as: UTF8.self)) else { return }
        precondition(DomainName.isValid(url.host.rawValue), "a host that is none")
        let parts = [url.path, url.query, url.fragment].map { String(decoding: $0, as: UTF8.self) }
        guard let again = try? WebPageURL("https://\(url.host)\(parts[0])?\(parts[1])#\(parts[2])") else {
            preconditionFailure("what was read cannot be read again")
        }
        precondition(
            again.host == url.host && again.path == url.path && again.query == url.query
                && again.fragment == url.fragment, "what was read reads differently")
    }
}
