import Foundation

/// A part of a zone's names, in the order of their bytes: zones of many items are compared part by part.
struct NameRange: Hashable, Sendable {
    /// Those after it; empty: from the first.
    var after = ""
    /// Up to it, itself included; empty: to the last.
    var through = ""

    func contains(_ name: String) -> Bool {
        (after.isEmpty || Self.precedes(after, name)) && (through.isEmpty || !Self.precedes(through, name))
    }

    /// Parts that hold all names there are, each of which has at most so many bytes of these stamps.
    static func parts(of stamps: [String: Data], bytes: Int) -> [NameRange] {
        var parts: [NameRange] = []
        var part = NameRange()
        var (sum, last) = (0, "")
        for (name, stamp) in stamps.sorted(by: { precedes($0.key, $1.key) }) {
            let size = name.utf8.count + stamp.count + 16
            if sum > 0, sum + size > bytes {
                part.through = last
                parts.append(part)
                part = NameRange(after: last)
                sum = 0
            }
            sum += size
            last = name
        }
        return parts + [part]
    }

    private static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}
