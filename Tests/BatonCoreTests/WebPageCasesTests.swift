import BatonCore
import BatonTestSupport
import Foundation
import Testing

/// Pages as browsers read them, by the cases of the URL standard: `shared/data/url` beside the project.
@Suite struct WebPageCasesTests {
    private enum Entry: Decodable {
        case comment
        case test(Case)

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            self = (try? value.decode(String.self)) == nil ? .test(try value.decode(Case.self)) : .comment
        }
    }

    private struct Case: Decodable {
        var input: String
        var base: String?
        var failure: Bool?
        var hostname: String?
    }

    private static func cases() throws -> [Case]? {
        let path = Products.package + "/../shared/data/url/urltestdata.json"
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let entries = try JSONDecoder().decode([Entry].self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        return entries.compactMap { entry in
            if case .test(let test) = entry, test.base == nil { test } else { nil }
        }
    }

    /// Addresses in numbers, which browsers write in another way, and hosts with percent escapes: Foundation's own.
    private static let known: [String: String] = [
        "http://192.0x00A80001": "192.168.0.1", "https://%e2%98%83": "xn--n3h", "https://0x.0x.0": "0.0.0.0",
        "https://0x.0x.0x.0x": "0.0.0.0", "https://00.00.00.00": "0.0.0.0",
        "https://0000000000000000000000000000000000000000177.0.0.1": "127.0.0.1", "https://a%C2%ADb/": "ab",
    ]

    // Those that browsers refuse do no harm: a browser shows an error.
    @Test(
        "a page that is accepted has the host that a browser sees, but for differences of writing; none of these leads to this machine (H-96)"
    )
    func hosts() throws {
        guard let cases = try Self.cases() else {
            print("Not run: the cases of the URL standard are not beside the project.")
            return
        }
        #expect(cases.count == 555)
        var accepted = 0
        var different: [String: String] = [:]
        for test in cases {
            guard let page = try? WebPage(test.input), test.failure != true, let seen = test.hostname else { continue }
            accepted += 1
            #expect(page.text.hasPrefix("http"), "\(test.input)")
            let host = URL(string: page.text)?.host?.lowercased()
            if host != seen.trimmingCharacters(in: ["[", "]"]) { different[test.input] = seen }
        }
        #expect(accepted > 80)
        #expect(different == Self.known)
        for (page, host) in Self.known where host.hasPrefix("0.") || host.hasPrefix("127.") {
            #expect(WebPage.fromOtherDevice(page) == nil)
        }
    }
}
