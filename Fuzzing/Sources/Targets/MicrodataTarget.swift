import WebMarkup

/// The inside of an element with microdata, whose items refer to each other.
enum MicrodataTarget: FuzzTarget {
    static let name = "microdata"

    static func seeds() -> [[UInt8]] {
        [
            "<b itemprop=name>A</b><div itemprop=address itemscope itemtype='http://schema.org/PostalAddress' id=a itemref=b>",
            "<i id=b itemprop='telephone url' itemscope itemref='a b'><meta itemprop=x content=y><time itemprop=t datetime=P1D>",
            "<table><tr itemscope itemid=/x itemtype='http://a/B http://a/C'><td itemprop='http://p/q'><a itemprop=l href=//h>",
        ].map { Array($0.utf8) }
    }

    static func run(_ bytes: [UInt8]) {
        let page = Array("<div itemscope itemtype='http://schema.org/Place'>".utf8) + bytes + Array("</div>".utf8)
        guard let markup = try? PageExtractor.extract(page, charset: "utf-8", address: "https://example.com/") else {
            return
        }
        precondition(markup.places.count <= PlaceFinder.limit)
        for entity in markup.entities.entities {
            for property in entity.properties {
                for index in entity.entities(property.name) {
                    precondition(markup.entities.entities.indices.contains(index))
                }
            }
        }
    }
}
