import AssociatedDomains
import Foundation

/// Pages of a site matched against a file with 1,000 components, and as the baseline, the same URLs taken apart by
/// Foundation's `URLComponents`. Both in this process, in turns; what is printed is nanoseconds for each URL.
enum Matching {
    private static let app = "YWBN8XTPBJ.com.company.FirstApp"

    static func run(blocks: Int) throws {
        let association = try SiteAssociation(json: Array(file.utf8))
        let urls = makeURLs()
        Lines.print(["event": "matching", "components": 1000, "urls": urls.count])
        for _ in 0..<blocks {
            let before = baseline(urls)
            let (time, matched) = matching(urls, association)
            let after = baseline(urls)
            Lines.print([
                "event": "block", "baseline_ns": [before, after], "matching_ns": time, "matched": matched,
            ])
        }
    }

    /// Sections of a shop, help pages with a query, languages, exclusions: each with a prefix of its own.
    private static var file: String {
        let components = (0..<1000).map { number in
            switch number % 5 {
            case 0: #"{"/":"/shop/\#(number)/*"}"#
            case 1: #"{"/":"/help/\#(number)/*","?":{"article":"????"}}"#
            case 2: #"{"/":"/$(lang)/news/\#(number)/*"}"#
            case 3: #"{"/":"/shop/\#(number)/private/*","exclude":true}"#
            default: #"{"/":"*/item-\#(number).html"}"#
            }
        }
        return
            #"{"applinks":{"details":[{"appIDs":["\#(app)"],"components":[\#(components.joined(separator: ","))]}]}}"#
    }

    /// One in five matches nothing; the others match at places all over the file.
    private static func makeURLs() -> [String] {
        (0..<2000).map { number in
            let place = number * 7919 % 1000
            return switch place % 5 {
            case 0: "https://company.com/shop/\(place)/shoes/42?size=9#photos"
            case 1: "https://company.com/help/\(place)/printing?article=1234&from=search"
            case 2: "https://company.com/en/news/\(place)/today"
            case 3: "https://company.com/about/us/\(place)?ref=mail"
            default: "https://company.com/archive/2026/item-\(place).html"
            }
        }
    }

    private static func baseline(_ urls: [String]) -> Double {
        let begin = monotonicNanoseconds()
        var length = 0
        for url in urls {
            guard let components = URLComponents(string: url) else { continue }
            length += components.percentEncodedPath.utf8.count + (components.percentEncodedQuery?.utf8.count ?? 0)
        }
        // So that nothing of it is left out.
        precondition(length > 0)
        return Double(monotonicNanoseconds() - begin) / Double(urls.count)
    }

    private static func matching(_ urls: [String], _ association: SiteAssociation) -> (Double, Int) {
        let begin = monotonicNanoseconds()
        var matched = 0
        for url in urls {
            guard let page = try? WebPageURL(url) else { continue }
            if association.matches(page, appID: app, service: .appLinks) { matched += 1 }
        }
        return (Double(monotonicNanoseconds() - begin) / Double(urls.count), matched)
    }
}
