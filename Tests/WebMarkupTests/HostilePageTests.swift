import BatonCore
import Testing
import WebMarkup

/// Pages that are made to cost too much, or to confuse. Each ends with what was found before the bound, or is refused by name.
@Suite struct HostilePageTests {
    private static let start = "<div itemscope itemtype='http://schema.org/Place'><b itemprop=name>A</b></div>"

    private func extract(_ html: String) throws -> PageMarkup {
        try PageExtractor.extract(Array(html.utf8), address: "http://example.com/")
    }

    private func reason(_ html: String) -> String? {
        do {
            _ = try PageExtractor.extract(Array(html.utf8), address: nil)
            return nil
        } catch {
            return error.reason
        }
    }

    private static func script(_ json: String) -> String { "<script type=application/ld+json>\(json)</script>" }

    @Test func `A page of 50 MB is refused`() {
        #expect(reason(String(repeating: "x", count: 50_000_000)) == "page_too_large")
    }

    // Tests take the places of pages in these lists: the record of a run has all arguments many times, and had hundreds of megabytes.
    private static let tooDeep: [String] = [
        String(repeating: "<div>", count: 100_000), String(repeating: "<b><i>", count: 25_000),
        String(repeating: "<table><tr><td>", count: 1000),
        "<p " + (0..<1_000_000).map { "a\($0)" }.joined(separator: " ") + ">",
        "<p " + String(repeating: "a ", count: 300),
    ]

    @Test(arguments: Self.tooDeep.indices)
    func `Elements too deep within each other and tags with too many attributes are refused`(_ index: Int) {
        #expect(reason(Self.tooDeep[index]) == "page_too_deep")
    }

    @Test func `Elements whose end tags may be left out are not within each other`() throws {
        let list = "<ul>" + String(repeating: "<li>a<p>b", count: 2000) + "</ul>"
        let table = "<table>" + String(repeating: "<tr><td>a<td>b", count: 2000) + "</table>"
        #expect(
            try extract(list + table + "<dl>" + String(repeating: "<dt>a<dd>b", count: 2000) + Self.start).isTruncated
                == false)
    }

    private static let tooLong: [String] = [
        String(repeating: "<p>a</p>", count: 200_000), String(repeating: "</p>", count: 200_000),
        String(repeating: "<a><b>", count: 100) + String(repeating: "</i>", count: 200_000),
        "<select>" + String(repeating: "<option>", count: 200_000), String(repeating: script("{}"), count: 5000),
        script(#"{"@context":"https://schema.org","x":[\#(String(repeating: "1,", count: 1_000_000))1]}"#),
        (0..<500).map { "<p><b x=\($0)>" }.joined() + String(repeating: "<p>x", count: 50_000),
        "<i id=big>" + String(repeating: "<b itemprop=name>x</b>", count: 20_000) + "</i>"
            + String(repeating: "<i itemscope itemref=big></i>", count: 20_000),
        (0..<20_000).map { "<i id=c\($0) itemprop=next itemscope itemref=c\($0 + 1)></i>" }.joined()
            + "<i itemscope itemref=c0></i>",
        "<div itemscope>" + String(repeating: "<p itemprop=a>x", count: 400) + String(repeating: "y", count: 8_000_000),
        script("{\"a\":" + String(repeating: "[", count: 10_000)),
        script(
            #"{"@context":{\#((0..<20_000).map { "\"t\($0)\":\"http://a/\"" }.joined(separator: ","))},"t1":["#
                + String(repeating: #"{"@context":{"x":"http://x/"},"t1":1},"#, count: 10_000) + "{}]}"),
    ]

    @Test(arguments: Self.tooLong.indices)
    func `What comes after a bound is left out, and what was before it is found`(_ index: Int) throws {
        let page = try extract(Self.start + Self.tooLong[index])
        #expect(page.isTruncated)
    }

    private static func members(_ start: String) -> String { (0..<2000).map { "\"\(start)\($0)\":1," }.joined() }
    private static let things = String(repeating: #"{"@id":"b","http://s/a":1},"#, count: 2000)
    private static let long = String(repeating: "A", count: 50_000)

    private static let tooMuch: [String] = [
        script(#"{"@context":{"@vocab":"http://x/\#(long)"},\#(members("a"))"b":1}"#),
        script(#"{"@context":{"@base":"http://x/\#(long)"},"@graph":[\#(things)1]}"#),
        script(#"{"@context":{"p":"http://x/\#(long)/"},\#(members("p:"))"b":1}"#),
        "<div vocab='http://x/\(long)'>" + String(repeating: "<b property='c d e'>x</b>", count: 2000) + "</div>",
        "<div vocab='http://x/' prefix='p: http://x/\(long)'>"
            + String(repeating: "<b property=p:c>x</b>", count: 2000),
        "<div itemscope itemtype='http://x/\(long)/'>" + String(repeating: "<b itemprop='c d'>x</b>", count: 2000),
    ]

    @Test(arguments: Self.tooMuch.indices)
    func `A long address before many short names is left out, in the memory of the page itself`(_ index: Int) throws {
        let page = try extract(Self.start + Self.tooMuch[index])
        #expect(page.isTruncated)
        let names = page.expanded.compactMap(\.object).flatMap(\.names)
        #expect(names.reduce(0) { $0 + $1.utf8.count } < 40_000_000)
    }

    /// Ten times as large, each took minutes.
    private static let squares: [String] = [
        script(#"{"@context":{"r":{"@reverse":"http://x/r"}},\#(members("http://p/"))"r":[\#(things){}]}"#),
        "<div vocab='http://x/'>"
            + (0..<4).map { part in
                "<p about='#x' typeof='\((0..<1000).map { "\(part)-\($0)" }.joined(separator: " "))'></p>"
            }.joined(),
        "<div itemscope itemtype='http://schema.org/Place'>"
            + (0..<2000).map { "<link itemprop=additionalType href='http://a/\($0)'>" }.joined(),
    ]

    @Test(arguments: Self.squares.indices)
    func `A thing has no thousands of types, and what thousands refer to is looked at once`(_ index: Int) throws {
        let types = try extract(Self.squares[index]).expanded.compactMap { $0.object?["@type"]?.elements.count }
        #expect(types.allSatisfy { $0 <= 101 })
    }

    @Test func `A place has few remarks, however many coordinates it has`() throws {
        let wrong = (0..<1000).map { ##"{"@type":"GeoCoordinates","latitude":"9\##($0)9","longitude":"1"}"## }
        let start = #"{"@context":"https://schema.org","name":"A","telephone":"12345","geo":["#
        let page = try extract(Self.script(start + wrong.joined(separator: ",") + "]}"))
        #expect(page.places.map(\.remarks.count) == [10])
    }

    @Test func `Items that name each other in a ring are read once each`() throws {
        let ring = (0..<100).map {
            "<div itemscope itemtype='http://schema.org/Person' id=i\($0) itemref=i\(($0 + 1) % 100)>"
                + "<i itemprop=name>n\($0)</i></div>"
        }
        #expect(try extract(ring.joined()).expanded.count == 100)
    }

    @Test func `Identifiers that lead in a ring still give their places`() throws {
        let nodes = (0..<50).map {
            ##"{"@id":"#n\##($0)","@type":"Place","name":"N\##($0)","telephone":"1","containedInPlace":{"@id":"#n\##(($0 + 1) % 50)"}}"##
        }
        let page = try extract(
            Self.script(#"{"@context":"https://schema.org","@graph":[\#(nodes.joined(separator: ","))]}"#))
        #expect(page.places.count == 50)
        #expect(page.entities.roots.count == 1)
    }

    @Test func `Cyclic, remote and broken contexts leave the other scripts alone`() throws {
        let good = Self.script(#"{"@context":"https://schema.org","@type":"Place","name":"B","telephone":"1"}"#)
        for bad in [
            #"{"@context":{"a":"b:x","b":"a:x"},"a":1}"#, #"{"@context":5,"a":1}"#, #"{"@context":{"@vocab":[]}}"#,
            #"{"@context":"http://evil.example/context","name":"X"}"#,
            #"{"@context":{"@protected":true,"@import":"http://evil.example/"},"name":"X"}"#, "{", "nonsense", "[[[[",
        ] {
            let page = try extract(Self.script(bad) + good)
            #expect(page.places.map(\.name) == ["B"], "\(bad)")
        }
        #expect(
            try extract(Self.script(#"{"@context":"http://evil.example/c","a":1}"#)).problems
                == ["The context http://evil.example/c is not built in; its terms were left out."])
    }

    @Test func `A page in any encoding, whole or broken, is read`() throws {
        let html = "<p itemscope itemtype='http://schema.org/Person'><b itemprop=name>Ünï</b></p>"
        func name(_ bytes: [UInt8], _ charset: String? = nil) throws -> String? {
            try PageExtractor.extract(bytes, charset: charset, address: nil).entities.entities.first?.text("name")
        }
        let little = html.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big = html.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let latin = html.unicodeScalars.map { UInt8($0.value) }
        #expect(try name(Array(html.utf8)) == "Ünï")
        #expect(try name([0xEF, 0xBB, 0xBF] + html.utf8) == "Ünï")
        #expect(try name([0xFF, 0xFE] + little) == "Ünï")
        #expect(try name([0xFE, 0xFF] + big) == "Ünï")
        #expect(try name(little) == "Ünï")
        #expect(try name(latin, "iso-8859-1") == "Ünï")
        #expect(try name(Array("<meta charset='windows-1252'>".utf8) + latin) == "Ünï")
        // As browsers read what says nothing and is no UTF-8; one broken character in what is UTF-8 is replaced.
        #expect(try name(latin) == "Ünï")
        #expect(try name(Array(html.utf8) + Array("<b>Ünï</b>".utf8) + [0xFF]) == "Ünï")
        let japanese: [UInt8] = [0x93, 0x8C, 0x8B, 0x9E]
        let start = Array(
            "<meta charset=Shift_JIS><p itemscope itemtype='http://schema.org/Person'><b itemprop=name>".utf8)
        #expect(try name(start + japanese + Array("</b></p>".utf8)) == "東京")
        #expect(try name(Array("<meta charset=nonsense>".utf8) + Array(html.utf8)) == "Ünï")
        let broken =
            Array("<p itemscope itemtype='http://schema.org/Person'><b itemprop=name>a".utf8) + [0, 0xFF, 0x62]
        #expect(try name(broken + Array("</b></p>".utf8)) == "a ÿb")
        #expect(try name([0xFF, 0xFE, 0x3C]) == nil)
        #expect(try name([]) == nil)
    }

    @Test(arguments: [
        "<", "<a", "<a ", "<a b", "<a b=", "<a b='", "<a b='c", "</", "</a", "<!", "<!-", "<!--", "<!-->", "<!--->",
        "<?",
        "<script type=application/ld+json", "<script type=application/ld+json>", "<title>", "<title>x",
        "<meta content=",
        "<p itemscope><![CDATA[", "&#xFFFFFFFF;", "<title>&#0;&#x110000;&amp</title>",
        "<p itemscope itemprop=x itemref=x id=x>",
    ])
    func `A page that ends anywhere is read to its end`(_ html: String) throws {
        for start in ["", Self.start] { _ = try extract(start + html) }
    }

    @Test func `Mutilated pages trap nothing`() throws {
        let whole = Array(
            (Self.start + Self.script(#"{"@context":"https://schema.org","name":"x","address":{"streetAddress":"1"}}"#)
                + "<div vocab='http://schema.org/' prefix='a: http://a/' typeof='a:b Place' property=c resource='#r'>x</div>")
                .utf8)
        var seed: UInt64 = 42
        func random(_ bound: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % bound
        }
        for _ in 0..<3000 {
            var bytes = whole
            for _ in 0...random(6) {
                let place = random(bytes.count)
                switch random(3) {
                case 0: bytes[place] = UInt8(random(256))
                case 1: bytes.remove(at: place)
                default:
                    bytes.insert(
                        contentsOf: bytes[place..<min(bytes.count, place + random(20))], at: random(bytes.count))
                }
            }
            _ = try? PageExtractor.extract(bytes, address: "http://example.com/")
        }
    }
}
