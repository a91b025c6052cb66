/// The scanner's findings in a page, made without a tree of it.
struct ScannedPage {
    /// The texts of `application/ld+json` scripts.
    var scripts: [Range<Int>] = []
    /// The texts of scripts and styles, which a tree is made without.
    var withoutTags: [Range<Int>] = []
    var title: String?
    var summary: String?
    var canonical: String?
    var base: String?
    /// Whether there are microdata, which start with `itemscope`, and whether there is RDFa, with `typeof` or `vocab`.
    var hasMicrodata = false
    var hasRDFa = false
    /// How much of the page a tree is made of.
    var treeEnd = 0
    /// Whether something was left out.
    var isTruncated = false

    /// The source of a tree, and whether that is less than there is.
    func markup(of bytes: UnsafeBufferPointer<UInt8>, limit: Int) -> (bytes: [UInt8], isCut: Bool) {
        var markup: [UInt8] = []
        markup.reserveCapacity(min(treeEnd, limit))
        var place = 0
        for range in withoutTags where range.upperBound <= treeEnd {
            markup += bytes[place..<range.lowerBound].prefix(limit - markup.count)
            place = range.upperBound
        }
        let rest = bytes[place..<treeEnd]
        let isCut = markup.count + rest.count > limit
        markup += rest.prefix(limit - markup.count)
        return (markup, isCut)
    }
}
