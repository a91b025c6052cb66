/// Splits texts into words as search sees them. For one thread at a time.
///
/// Case and diacritics are folded. A word ends where lower case meets upper, too: of such a name there is the whole and
/// each part. Runs of Chinese, Japanese and Korean are pairs of neighbours.
package struct WordTokenizer {
    /// Bytes of a folded word. The rest is not looked at, in the index and in queries.
    static let maximumLength = 64
    private static let maximumCache = 4096

    private var cache: [UInt32: ScalarFolding.Folded] = [:]

    package init() {}

    package mutating func words(of text: String) -> [TextWord] {
        var run = Run()
        var offset = 0
        for scalar in text.unicodeScalars {
            let length = Self.length(of: scalar)
            if scalar.isASCII {
                let byte = UInt8(truncatingIfNeeded: scalar.value)
                switch byte {
                case 0x61...0x7A: run.letter(byte, .lowercase, at: offset)
                case 0x41...0x5A: run.letter(byte | 0x20, .uppercase, at: offset)
                case 0x30...0x39: run.letter(byte, .other, at: offset)
                case 0x27: run.apostrophe(at: offset, length: 1)
                default: run.end()
                }
            } else {
                let folded = folded(scalar)
                switch folded.kind {
                case .separator: run.end()
                case .mark: run.extend(to: offset + length)
                case .apostrophe: run.apostrophe(at: offset, length: length)
                case .ideograph: run.ideograph(folded.bytes, at: offset, length: length)
                case .lowercase, .uppercase, .other:
                    run.letters(folded.bytes, folded.kind, at: offset, length: length)
                }
            }
            offset += length
        }
        run.end()
        return run.words
    }

    private mutating func folded(_ scalar: Unicode.Scalar) -> ScalarFolding.Folded {
        if let known = cache[scalar.value] { return known }
        let folded = ScalarFolding.fold(scalar)
        if cache.count >= Self.maximumCache { cache = [:] }
        cache[scalar.value] = folded
        return folded
    }

    private static func length(of scalar: Unicode.Scalar) -> Int {
        scalar.value < 0x80 ? 1 : scalar.value < 0x800 ? 2 : scalar.value < 0x10000 ? 3 : 4
    }
}

extension WordTokenizer {
    /// The word that is being read, and those before it.
    private struct Run {
        struct Cut {
            var byte: Int
            var range: Range<Int>
            var parts: Int
        }

        var words: [TextWord] = []
        private var bytes: [UInt8] = []
        private var start = 0
        private var stop = 0
        /// Where parts of the word begin, in its bytes and in the text.
        private var parts: [(byte: Int, offset: Int)] = []
        private var last = ScalarFolding.Kind.separator
        /// Where the word was cut by an apostrophe.
        private var cut: Cut?
        /// The next letters may be an ending, as after the second apostrophe of “O'Brien's”.
        private var isAfterApostrophe = false
        private var ideographs: [(bytes: [UInt8], range: Range<Int>)] = []

        mutating func letter(_ byte: UInt8, _ kind: ScalarFolding.Kind, at offset: Int) {
            begin(kind, at: offset)
            bytes.append(byte)
            (stop, last) = (offset + 1, kind)
        }

        mutating func letters(_ folded: [UInt8], _ kind: ScalarFolding.Kind, at offset: Int, length: Int) {
            begin(kind, at: offset)
            bytes += folded
            (stop, last) = (offset + length, kind)
        }

        private mutating func begin(_ kind: ScalarFolding.Kind, at offset: Int) {
            if !ideographs.isEmpty { endIdeographs() }
            if bytes.isEmpty {
                start = offset
                parts = [(0, offset)]
            } else if last == .lowercase, kind == .uppercase {
                parts.append((bytes.count, offset))
            }
        }

        mutating func extend(to end: Int) {
            if !bytes.isEmpty { stop = end }
        }

        /// Within a word it may be a contraction, which ends the word: “let's”, “l'avion”.
        mutating func apostrophe(at offset: Int, length: Int) {
            guard !bytes.isEmpty, cut == nil else {
                end()
                isAfterApostrophe = true
                return
            }
            cut = Cut(byte: bytes.count, range: offset..<offset + length, parts: parts.count)
        }

        mutating func ideograph(_ folded: [UInt8], at offset: Int, length: Int) {
            if !bytes.isEmpty { end() }
            ideographs.append((folded, offset..<offset + length))
        }

        mutating func end() {
            if !ideographs.isEmpty { endIdeographs() }
            defer { isAfterApostrophe = false }
            guard !bytes.isEmpty else { return }
            if isAfterApostrophe, bytes.count <= 2, cut == nil {
                // No word.
            } else if let cut {
                self.cut = nil
                let rest = Array(bytes[cut.byte...])
                let (restStart, restStop) = (cut.range.upperBound, stop)
                bytes.removeSubrange(cut.byte...)
                parts.removeSubrange(cut.parts...)
                stop = cut.range.lowerBound
                emit()
                // “'s”, “'ll”: an ending, no word.
                if rest.count > 2 {
                    bytes = rest
                    (start, stop) = (restStart, restStop)
                    parts = [(0, restStart)]
                    emit()
                }
            } else {
                emit()
            }
            bytes.removeAll(keepingCapacity: true)
            parts.removeAll(keepingCapacity: true)
            last = .separator
        }

        private mutating func emit() {
            guard parts.count > 1 else {
                words.append(TextWord(bytes: bounded(bytes[...]), kind: .plain, range: start..<stop))
                return
            }
            words.append(TextWord(bytes: bounded(bytes[...]), kind: .compound, range: start..<stop))
            for (index, part) in parts.enumerated() {
                let next = index + 1 < parts.count ? parts[index + 1] : (bytes.count, stop)
                words.append(
                    TextWord(
                        bytes: bounded(bytes[part.byte..<next.0]), kind: .part, range: part.offset..<next.1))
            }
        }

        private mutating func endIdeographs() {
            let run = ideographs
            ideographs = []
            guard run.count > 1 else {
                return words.append(TextWord(bytes: run[0].bytes, kind: .pair, range: run[0].range))
            }
            for (left, right) in zip(run, run.dropFirst()) {
                words.append(
                    TextWord(
                        bytes: left.bytes + right.bytes, kind: .pair,
                        range: left.range.lowerBound..<right.range.upperBound))
            }
        }

        /// At most the bound, without a character that it falls into.
        private func bounded(_ word: ArraySlice<UInt8>) -> [UInt8] {
            guard word.count > WordTokenizer.maximumLength else { return Array(word) }
            var end = word.startIndex + WordTokenizer.maximumLength
            while end > word.startIndex, word[end] & 0xC0 == 0x80 { end -= 1 }
            return Array(word[word.startIndex..<end])
        }
    }
}
