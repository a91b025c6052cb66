/// A text that is equal to one of the same bytes only, as SQLite sees it. To Swift two forms of “é” are one.
struct ByteText: Hashable {
    let text: String

    init(text: String) {
        var text = text
        text.makeContiguousUTF8()
        self.text = text
    }

    static func == (left: Self, right: Self) -> Bool {
        left.text.utf8.count == right.text.utf8.count && left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        let isDone: Void? = text.utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if isDone == nil { for byte in text.utf8 { hasher.combine(byte) } }
    }
}
