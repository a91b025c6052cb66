extension String {
    /// The text cut to this many bytes of UTF-8, between characters; with “…” at the end when something is missing.
    package func shortened(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        let mark = "…"
        var end = startIndex
        var bytes = mark.utf8.count
        while end < endIndex {
            bytes += self[end].utf8.count
            guard bytes <= limit else { break }
            formIndex(after: &end)
        }
        return limit < mark.utf8.count ? "" : self[..<end] + mark
    }
}
