import BatonCore

/// A page's bytes as UTF-8: what is broken in them is replaced, as browsers do.
struct PageText {
    let bytes: [UInt8]

    /// - Parameter charset: The encoding that the server named, which counts more than the page's own; a byte order mark counts
    ///   most.
    init(_ raw: [UInt8], charset: String?) {
        let mark = Self.mark(of: raw)
        let encoding =
            mark?.encoding ?? charset.flatMap { TextEncoding(label: $0) } ?? TextEncoding.declared(inMarkup: raw)
            ?? TextEncoding.guessed(for: raw)
        let body = raw.dropFirst(mark?.length ?? 0)
        switch encoding {
        case .utf8: bytes = Self.repaired(body)
        case .utf16:
            bytes = Array(encoding.text(of: body).utf8).map { $0 == 0 ? 0x20 : $0 }
        case .windows1252, .japaneseEUC, .legacy:
            let isWhole = body.withUnsafeBufferPointer { $0.position(of: 0, from: 0) == nil }
            bytes = Array(encoding.text(of: isWhole ? body : body.map { $0 == 0 ? 0x20 : $0 }[...]).utf8)
        }
    }

    private static func mark(of raw: [UInt8]) -> (encoding: TextEncoding, length: Int)? {
        if let mark = TextEncoding.mark(of: raw) { return mark }
        // Without a mark, text of UTF-16 that begins with a tag has a zero on one side of its first byte.
        if raw.starts(with: [0x3C, 0]) { return (.utf16(bigEndian: false), 0) }
        if raw.starts(with: [0, 0x3C]) { return (.utf16(bigEndian: true), 0) }
        return nil
    }

    private static func repaired(_ body: ArraySlice<UInt8>) -> [UInt8] {
        let isWhole = body.withUnsafeBufferPointer { $0.position(of: 0, from: 0) == nil }
        if isWhole, String(validating: body, as: UTF8.self) != nil { return Array(body) }
        return Array(String(decoding: body.map { $0 == 0 ? 0x20 : $0 }, as: UTF8.self).utf8)
    }
}
