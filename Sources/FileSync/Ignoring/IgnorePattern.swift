/// A pattern of names as in a `.gitignore`: `*`, `?`, `**`, classes and escapes.
///
/// It is followed as an automaton: the time is the product of both lengths, whatever the pattern is. So a pattern that
/// another device sent cannot hold anybody up.
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
    private let tokens: [Token]

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
                    tokens += [.directories, .inside]
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
        self.tokens = tokens
    }

    /// What is between brackets, and where the pattern goes on.
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

    func matches(_ text: some Sequence<UInt8>) -> Bool {
        var active = [Bool](repeating: false, count: tokens.count + 1)
        var next = active
        active[0] = true
        close(&active)
        for byte in text {
            for index in next.indices { next[index] = false }
            var isDead = true
            for (index, token) in tokens.enumerated() where active[index] {
                switch token {
                case .byte(let own): if own == byte { next[index + 1] = true }
                case .set(let set): if set.contains(byte) { next[index + 1] = true }
                case .star: if byte != Self.slash { next[index] = true }
                case .everything: next[index] = true
                case .directories: break
                case .inside:
                    next[index] = true
                    if byte == Self.slash { next[index + 1] = true }
                }
            }
            close(&next)
            for isActive in next where isActive { isDead = false }
            if isDead { return false }
            swap(&active, &next)
        }
        return active[tokens.count]
    }

    /// What is reached without a byte.
    private func close(_ active: inout [Bool]) {
        for (index, token) in tokens.enumerated() where active[index] {
            switch token {
            case .star, .everything: active[index + 1] = true
            case .directories: (active[index + 1], active[index + 2]) = (true, true)
            case .byte, .set, .inside: break
            }
        }
    }
}
