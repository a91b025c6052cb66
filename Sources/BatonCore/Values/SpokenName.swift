/// How people name a device, a contact or an app: in any case, by its beginning, or by one of its words.
package enum SpokenName {
    /// How well a text names something; the first is the best.
    package enum Fit: Int, Comparable, Sendable, CaseIterable {
        case exact
        case otherCase
        case beginning
        case word

        package static func < (left: Fit, right: Fit) -> Bool { left.rawValue < right.rawValue }
    }

    /// Nil when the text does not name it.
    package static func fit(_ text: String, _ name: String) -> Fit? {
        guard !text.isEmpty, !name.isEmpty else { return nil }
        if name == text { return .exact }
        let (text, name) = (text.lowercased(), name.lowercased())
        if name == text { return .otherCase }
        if name.hasPrefix(text) { return .beginning }
        return words(of: name).contains { $0.hasPrefix(text) } ? .word : nil
    }

    /// The texts that begin at a word: “the old laptop”, “old laptop”, “laptop”.
    private static func words(of name: String) -> [Substring] {
        var begins = true
        return name.indices.compactMap { index in
            let isPart = name[index].isLetter || name[index].isNumber
            defer { begins = !isPart }
            return begins && isPart ? name[index...] : nil
        }
    }

    /// Those that fit best.
    package static func best<Element>(_ text: String, among all: [Element], name: (Element) -> String) -> [Element] {
        let fitting = all.compactMap { element in fit(text, name(element)).map { (element, $0) } }
        guard let best = fitting.map(\.1).min() else { return [] }
        return fitting.filter { $0.1 == best }.map(\.0)
    }

    /// The name that is most like a word, upper and lower case aside; nil when nothing is like it.
    package static func closest(to word: String, among names: [String]) -> String? {
        let word = word.lowercased()
        if word.count >= 3, let begun = names.first(where: { $0.lowercased().hasPrefix(word) }) { return begun }
        let distances = names.compactMap { name in distance(to: word, from: name).map { (name: name, distance: $0) } }
        return distances.min { $0.distance < $1.distance }?.name
    }

    /// “Did you mean “NAME”? ”; empty when nothing is like the word.
    package static func meant(_ word: String, among names: [String]) -> String {
        closest(to: word, among: names).map { "Did you mean “\($0.shortened(toBytes: 80))”? " } ?? ""
    }

    /// To the whole name, or to its nearest word; nil where more than a third is wrong.
    private static func distance(to word: String, from name: String) -> Int? {
        let name = name.lowercased()
        let words = name.split { !($0.isLetter || $0.isNumber) }.map(Array.init).filter { $0.count >= 4 }
        return ([Array(name)] + words).compactMap { candidate -> Int? in
            let wrong = distance(Array(word), candidate)
            return wrong <= max(1, candidate.count / 3) ? wrong : nil
        }.min()
    }

    /// How many letters are missing, too many, others, or exchanged with their neighbours.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        // Either may be anything.
        guard left.count <= 64, right.count <= 256 else { return .max }
        var rows = [Array(0...right.count)]
        for (i, letter) in left.enumerated() {
            var row = [i + 1]
            for (j, other) in right.enumerated() {
                var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (letter == other ? 0 : 1))
                if i > 0, j > 0, letter == right[j - 1], left[i - 1] == other {
                    best = min(best, rows[i - 1][j - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows.last?.last ?? 0
    }
}
