import CGumbo
import Foundation
import WebMarkup

/// Pages of 350 kB: with JSON-LD alone, and with microdata beside bare gumbo, which only makes the tree.
enum PageExtraction {
    private static let size = 350_000
    private static let rounds = 60

    static func run(blocks: Int) throws {
        for _ in 0..<blocks {
            let scripts = try extract(page(withMicrodata: false))
            let markup = Array(page(withMicrodata: true))
            let before = bareGumbo(markup)
            let extracted = try extract(markup)
            let after = bareGumbo(markup)
            Lines.print([
                "event": "block", "scripts_per_s": 1 / scripts, "markup_per_s": 1 / extracted,
                "markup_mb_per_s": Double(markup.count) / extracted / 1e6, "ratio": (before + after) / 2 / extracted,
            ])
        }
        Lines.print(["event": "end"])
    }

    /// Seconds of one page.
    private static func extract(_ page: [UInt8]) throws -> Double {
        let begin = monotonicNanoseconds()
        var places = 0
        for _ in 0..<rounds { places += try PageExtractor.extract(page, address: "https://example.com/a").places.count }
        precondition(places >= rounds)
        return Double(monotonicNanoseconds() - begin) / 1e9 / Double(rounds)
    }

    private static func bareGumbo(_ page: [UInt8]) -> Double {
        let begin = monotonicNanoseconds()
        var options = kGumboDefaultOptions
        options.max_errors = 0
        for _ in 0..<rounds {
            page.withUnsafeBufferPointer { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    guard let output = gumbo_parse_with_options(&options, characters.baseAddress, characters.count)
                    else { return }
                    gumbo_destroy_output(&options, output)
                }
            }
        }
        return Double(monotonicNanoseconds() - begin) / 1e9 / Double(rounds)
    }

    private static func page(withMicrodata: Bool) -> [UInt8] {
        var page = "<!doctype html><html lang=en><head><meta charset=utf-8><title>Restaurants</title>\n"
        if !withMicrodata {
            let places = (0..<20).map { number in
                """
                {"@type":"Restaurant","name":"Restaurant \(number)","telephone":"+1 415 555 0\(number)","address":
                {"@type":"PostalAddress","streetAddress":"\(number) Market St","addressLocality":"San Francisco",
                "addressRegion":"CA"},"geo":{"@type":"GeoCoordinates","latitude":37.\(number),"longitude":-122.4}}
                """
            }
            page += "<script type=\"application/ld+json\">{\"@context\":\"https://schema.org\",\"@graph\":["
                + places.joined(separator: ",") + "]}</script>"
        }
        page += "</head><body>"
        var number = 0
        while page.utf8.count < size {
            number += 1
            page += "<div class=\"card large\" id=\"c\(number)\"><h2><a href=\"/p/\(number)?from=list\">Place \(number)</a></h2>"
            page += withMicrodata && number % 20 == 0
                ? """
                <div itemscope itemtype="https://schema.org/Restaurant"><span itemprop=name>Restaurant \(number)</span>
                <span itemprop=telephone>+1 415 555 \(number)</span><div itemprop=address itemscope
                itemtype="https://schema.org/PostalAddress"><span itemprop=streetAddress>\(number) Market St</span></div></div>
                """
                : "<p>Noodles &amp; dumplings, <em>open</em> until ten. <img src=\"/i/\(number).jpg\" alt=\"\"> <b>4.5</b></p>"
            page += "<ul><li>Monday</li><li>Tuesday</li></ul></div>\n"
        }
        return Array((page + "</body></html>").utf8)
    }
}
