import Baton
import BatonTestSupport
import Foundation
import Testing

/// The parts of a URL that an app is given (U-16).
@Suite struct URLPartsTests {
    private struct Case {
        var title: String
        var text: String
        var base: String?
        /// Nil: no URL.
        var parts: [String: Any]?
    }

    /// Cases of Apple's, read where they are: `shared/data/url` beside the project.
    private static func cases() throws -> [Case]? {
        let path = Products.package + "/../shared/data/url/NSURLTestData.plist"
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let list = try PropertyListSerialization.propertyList(
            from: Data(contentsOf: URL(fileURLWithPath: path)), options: [], format: nil)
        let tests = try #require((list as? [String: Any])?["ParsingTests"] as? [[String: Any]])
        return tests.compactMap { test in
            // The others are of C functions that Swift has none of, and have no results in this form.
            guard test["In-URLCreator"] as? String == "NSURLWithString", let title = test["In-Title"] as? String,
                let text = test["In-Url"] as? String
            else { return nil }
            return Case(
                title: title, text: text, base: test["In-Base"] as? String,
                parts: test["Out-NSResults"] as? [String: Any])
        }
    }

    /// Differences that are Foundation's own on Linux.
    private static let known: Set<String> = [
        // A vertical bar makes no URL when nothing is to be encoded for the caller.
        "NSURLWithString-parse-absolute-escape-006-pipe-valid",
        // The query of a mailto URL is read, as RFC 6068 has it.
        "NSURLWithString-parse-absolute-mailto-002",
        // Relative to a base, spaces are percent-encoded instead of refused.
        "NSURLWithString-parse-relative-escape-001", "NSURLWithString-parse-relative-real-world-003",
    ]

    @Test("a URL's parts are as Apple's own cases have them, where these are")
    func parts() throws {
        guard let cases = try Self.cases() else {
            print("Not run: Apple's URL cases are not beside the project.")
            return
        }
        #expect(cases.count == 199)
        var different: Set<String> = []
        for test in cases {
            let url: URL? =
                if let base = test.base { URL(string: test.text, relativeTo: URL(string: base)) } else {
                    URL(string: test.text, encodingInvalidCharacters: false)
                }
            guard let absolute = url?.absoluteURL, let expected = test.parts else {
                if url != nil || test.parts != nil { different.insert(test.title) }
                continue
            }
            let found = [
                "scheme": absolute.scheme, "user": absolute.user, "password": absolute.password, "host": absolute.host,
                "port": absolute.port.map(String.init), "query": absolute.query, "fragment": absolute.fragment,
            ]
            for (part, value) in found where "\(expected[part] ?? "")" != value ?? "<null>" {
                different.insert(test.title)
            }
        }
        #expect(different == Self.known)
    }

    @Test("an app is given user, password, query, fragment and parameter string, also of a URL of its own (U-16)")
    func ownParts() throws {
        let text = "todolist://ada:s%20cret@lists.example:8080/new/task;due=today?Buy%20milk#202612241800"
        let url = try #require(URL(string: text))
        #expect(url.scheme == "todolist" && url.user == "ada" && url.host == "lists.example" && url.port == 8080)
        #expect(url.password == "s%20cret" || url.password == "s cret")
        #expect(url.query == "Buy%20milk" && url.fragment == "202612241800")
        #expect(url.rfc1808ParameterString == "due=today" && url.pathComponents.count == 3)
        let relative = try #require(URL(string: "../done?all#top", relativeTo: url)).absoluteURL
        #expect(relative.path == "/done" && relative.query == "all" && relative.fragment == "top")
        #expect(relative.user == "ada" && relative.host == "lists.example")
        let plain = try #require(URL(string: "todolist:milk"))
        #expect(plain.user == nil && plain.query == nil && plain.fragment == nil && plain.host == nil)
    }

    @Test(arguments: [
        ("ftp://host/a;b/c;type=i?q#f", "type=i"), ("todolist://x/y;a=1;b=%20", "a=1;b=%20"), ("http://host/a/b", nil),
        ("http://host/a;b/c", nil), ("http://host/c;", ""), ("http://host", nil), ("http://u;x@host/", nil),
        ("a:b/c;d", "d"),
    ])
    func `the parameter string of RFC 1808 follows the first semicolon of the last component`(
        _ text: String, _ parameters: String?
    ) throws {
        let url = try #require(URL(string: text))
        #expect(url.rfc1808ParameterString == parameters)
    }
}
