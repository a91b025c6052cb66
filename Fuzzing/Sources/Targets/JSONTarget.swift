import WebMarkup

/// JSON as pages have it, with what they get wrong.
enum JSONTarget: FuzzTarget {
    static let name = "json"

    static func seeds() -> [[UInt8]] {
        [
            #"{"a":[1,-2.5e+10,true,false,null,"\u00e9\ud83d\ude00\n"],"b":{},"":[]}"#,
            "<!-- <![CDATA[\n{\"text\":\"two\nlines\",\"list\":[1,2,],}; /* x */ // y\n]]> -->", "[[[[[[]]]]]]",
        ].map { Array($0.utf8) }
    }

    static func run(_ bytes: [UInt8]) {
        var values = 1000
        guard let (value, isTruncated) = try? JSONReader.value(of: bytes, values: &values) else { return }
        precondition(values >= 0 && values <= 1000)
        guard let value, !isTruncated else { return }
        // A written value reads as it was.
        var room = 2000
        let text = JSONWriter.text(value)
        let again = try? JSONReader.value(of: Array(text.utf8), values: &room)
        precondition(again?.value == value, "a value reads the same again")
    }
}
