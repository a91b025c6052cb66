/// A text that is equal to one of the same bytes only, as SQLite sees it. To Swift two forms of “é” are one.
struct ByteText: Hashable {
    let text: String

    static func == (left: Self, right: Self) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}
