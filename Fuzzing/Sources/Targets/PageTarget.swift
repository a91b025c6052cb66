import WebMarkup

/// A page, as it comes from a server or the browser's extension: the scanner in front, and what reads on behind it.
enum PageTarget: FuzzTarget {
    static let name = "page"

    static func seeds() -> [[UInt8]] {
        [
            """
            <!DOCTYPE html><html><head><title>Yank Sing</title><meta charset=utf-8><link rel=canonical href=/a>
            <script type="application/ld+json">{"@context":"http://schema.org","@type":"Restaurant","name":"Yank Sing",}
            ;</script></head><body><!-- x --><p>Text<br/></body></html>
            """,
            """
            <div vocab="http://schema.org/" typeof="Place"><b property=name>A</b><script>if (a < b) "</div>"</script>
            <textarea><div itemscope></textarea><svg><title>x</title></svg><![CDATA[x]]></div>
            """,
            #"[{"@id":"http://example.com/","http://schema.org/telephone":"(415) 781-1111"}]"#,
        ].map { Array($0.utf8) }
    }

    static func run(_ bytes: [UInt8]) {
        guard let markup = try? PageExtractor.extract(bytes, address: "https://example.com/a/b") else { return }
        precondition(markup.places.count <= PlaceFinder.limit)
        for place in markup.places {
            if let coordinate = place.coordinate {
                precondition(abs(coordinate.latitude) <= 90 && abs(coordinate.longitude) <= 180)
            }
        }
        let again = try? PageExtractor.extract(bytes, address: "https://example.com/a/b")
        precondition(again?.expanded == markup.expanded && again?.places == markup.places, "a page says the same again")
    }
}
