/// A pattern of names as in a `.gitignore`: `*`, `?`, `**`, classes and escapes.
///
/// It is followed as an automaton, 64 states at a time, as far as the text can have come: the time is the square of the text's length
/// by 16 at most, however long the pattern is. So a pattern that another device sent cannot hold anybody up.
struct IgnorePattern: Hashable, Sendable {
    private enum Token: Hashable {
        case byte(UInt8)
        case set(ByteSet)
        /// Any bytes but slashes.
        case star
        /// Any bytes.
        case everything
        /// `**/`: nothing, or whatever ends with a slash. The token after it is always ``inside``.
        case directories
        case inside
    }

    private static let slash = UInt8(ascii: "/")

    // A bit for each token, and one for the end.
    private let end: Int
    private let words: Int
    /// For each byte, the tokens that it leads from to the next one.
    private let moves: [UInt64]
    /// The tokens that other bytes than a slash stay at, then those that a slash stays at.
    private let stays: [UInt64]
    /// Stars, and `**` at the end.
    private let stars: [UInt64]
    /// `**/`.
    private let optional: [UInt64]

    /// - Returns: nil for one that matches nothing, such as one with a class that does not end.
    init?(_ pattern: [UInt8]) {
        var tokens: [Token] = []
        var index = 0
        while index < pattern.count {
            let byte = pattern[index]
            switch byte {
            case UInt8(ascii: "\\"):
                guard index + 1 < pattern.count else { return nil }
                tokens.append(.byte(pattern[index + 1]))
                index += 2
            case UInt8(ascii: "?"):
                var all = ByteSet().inverted
                all.remove(Self.slash)
                tokens.append(.set(all))
                index += 1
            case UInt8(ascii: "*"):
                let begin = index
                while index < pattern.count, pattern[index] == UInt8(ascii: "*") { index += 1 }
                let isWhole =
                    index - begin > 1 && (begin == 0 || pattern[begin - 1] == Self.slash)
                    && (index == pattern.count || pattern[index] == Self.slash)
                if isWhole, index < pattern.count {
                    // Several in a row are one.
                    if tokens.last != .inside { tokens += [.directories, .inside] }
                    index += 1
                } else {
                    tokens.append(isWhole ? .everything : .star)
                }
            case UInt8(ascii: "["):
                guard let (set, next) = Self.set(pattern, from: index + 1) else { return nil }
                tokens.append(.set(set))
                index = next
            default:
                tokens.append(.byte(byte))
                index += 1
            }
        }
        self.init(tokens: tokens)
    }

    private init(tokens: [Token]) {
        let words = tokens.count / 64 + 1
        let none = [UInt64](repeating: 0, count: words)
        var moves = [UInt64](repeating: 0, count: 256 * words)
        var (stays, stars, optional) = (none + none, none, none)
        for (index, token) in tokens.enumerated() {
            let (word, bit): (Int, UInt64) = (index / 64, 1 << UInt64(index % 64))
            switch token {
            case .byte(let own): moves[Int(own) * words + word] |= bit
            case .set(let set):
                for byte in UInt8.min...UInt8.max where set.contains(byte) { moves[Int(byte) * words + word] |= bit }
            case .star:
                stays[word] |= bit
                stars[word] |= bit
            case .everything:
                stays[word] |= bit
                stays[words + word] |= bit
                stars[word] |= bit
            case .directories: optional[word] |= bit
            case .inside:
                stays[word] |= bit
                stays[words + word] |= bit
                moves[Int(Self.slash) * words + word] |= bit
            }
        }
        (end, self.words, self.moves, self.stays, self.stars, self.optional) = (
            tokens.count, words, moves, stays, stars, optional
        )
    }

    /// The set between brackets, and where the pattern goes on.
    private static func set(_ pattern: [UInt8], from start: Int) -> (ByteSet, Int)? {
        func at(_ index: Int) -> UInt8? { index < pattern.count ? pattern[index] : nil }
        var index = start
        var set = ByteSet()
        let isNegated = at(index) == UInt8(ascii: "!") || at(index) == UInt8(ascii: "^")
        if isNegated { index += 1 }
        // The byte before, where a range may begin with it.
        var before: UInt8?
        var isFirst = true
        while true {
            guard var byte = at(index) else { return nil }
            if byte == UInt8(ascii: "]"), !isFirst { break }
            isFirst = false
            if byte == UInt8(ascii: "-"), let low = before, let next = at(index + 1), next != UInt8(ascii: "]") {
                var high = next
                index += 1
                if high == UInt8(ascii: "\\") {
                    guard let escaped = at(index + 1) else { return nil }
                    high = escaped
                    index += 1
                }
                if low <= high { for byte in low...high { set.insert(byte) } }
                (before, index) = (nil, index + 1)
                continue
            }
            if byte == UInt8(ascii: "["), at(index + 1) == UInt8(ascii: ":") {
                guard let end = pattern[(index + 2)...].firstIndex(of: UInt8(ascii: "]")) else { return nil }
                if end - 1 >= index + 2, pattern[end - 1] == UInt8(ascii: ":") {
                    let name = String(decoding: pattern[(index + 2)..<(end - 1)], as: UTF8.self)
                    guard let belongs = ByteSet.named(name) else { return nil }
                    for byte in UInt8.min...UInt8.max where belongs(byte) { set.insert(byte) }
                    (before, index) = (nil, end + 1)
                    continue
                }
            } else if byte == UInt8(ascii: "\\") {
                guard let escaped = at(index + 1) else { return nil }
                byte = escaped
                index += 1
            }
            set.insert(byte)
            (before, index) = (byte, index + 1)
        }
        if isNegated { set = set.inverted }
        set.remove(slash)
        return (set, index + 1)
    }

    func matches(_ text: some Sequence<UInt8>) -> Bool { follow(text, from: start).map(isEnd) ?? false }

    /// The states before the first byte. Like all states, as far as they reach: no word follows the last one that has a state.
    var start: [UInt64] {
        var active: [UInt64] = [1]
        close(&active)
        return active
    }

    /// Whether what was followed so far matches.
    func isEnd(_ active: [UInt64]) -> Bool {
        let word = end / 64
        return word < active.count && active[word] & 1 << UInt64(end % 64) != 0
    }

    /// The states behind a further text; nil where nothing that begins so matches.
    func follow(_ text: some Sequence<UInt8>, from active: [UInt64]) -> [UInt64]? {
        var active = active
        for byte in text {
            let (row, other) = (Int(byte) * words, byte == Self.slash ? words : 0)
            var carry: UInt64 = 0
            for word in active.indices {
                let moved = active[word] & moves[row + word]
                active[word] = active[word] & stays[other + word] | moved << 1 | carry
                carry = moved >> 63
            }
            if carry != 0 { active.append(carry) }
            while active.last == 0 { active.removeLast() }
            if active.isEmpty { return nil }
            close(&active)
        }
        return active
    }

    /// The states reached without a byte: those behind `**/`, and then those behind a star. Neither follows another one of
    /// its kind.
    private func close(_ active: inout [UInt64]) {
        var carry: UInt64 = 0
        for word in active.indices {
            let skipped = active[word] & optional[word]
            active[word] |= skipped << 1 | skipped << 2 | carry
            carry = skipped >> 63 | skipped >> 62
        }
        if carry != 0 { active.append(carry) }
        carry = 0
        for word in active.indices {
            let skipped = active[word] & stars[word]
            active[word] |= skipped << 1 | carry
            carry = skipped >> 63
        }
        if carry != 0 { active.append(carry) }
    }
}
