import Glibc

/// Texts in the character sets of older telephones and programs.
enum OlderCharset {
    /// Those that are read, by what cards say: a name from a card never reaches the system's converter.
    private static let names: [String: String] = {
        var names = [
            "SHIFT_JIS": "CP932", "SHIFT-JIS": "CP932", "SJIS": "CP932", "EUC-JP": "EUC-JP", "EUC-KR": "EUC-KR",
            "GB2312": "GB18030", "GBK": "GB18030", "GB18030": "GB18030", "BIG5": "BIG5", "KOI8-R": "KOI8-R",
            "KOI8-U": "KOI8-U",
        ]
        for number in (2...16) where number != 12 {
            names["ISO-8859-\(number)"] = "ISO-8859-\(number)"
            names["ISO8859-\(number)"] = "ISO-8859-\(number)"
        }
        for number in 1250...1258 {
            names["WINDOWS-\(number)"] = "CP\(number)"
            names["CP\(number)"] = "CP\(number)"
        }
        return names
    }()

    /// - Parameter name: in capitals.
    /// - Returns: nil for another character set, and for bytes that are no text in it.
    static func text(_ bytes: ArraySlice<UInt8>, _ name: String) -> String? {
        guard let known = names[name] else { return nil }
        let converter = iconv_open("UTF-8", known)
        guard converter != iconv_t(bitPattern: -1) else { return nil }
        defer { iconv_close(converter) }
        var input = bytes.map { CChar(bitPattern: $0) }
        // No character of these sets has more than three bytes in UTF-8 for each of its own.
        var output = [CChar](repeating: 0, count: input.count * 3 + 4)
        let written = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output -> Int? in
                var (from, to) = (input.baseAddress, output.baseAddress)
                var (left, room) = (input.count, output.count)
                guard iconv(converter, &from, &left, &to, &room) != -1, left == 0 else { return nil }
                return output.count - room
            }
        }
        return written.map { String(decoding: output.prefix($0).lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self) }
    }
}
