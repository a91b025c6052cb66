package import Foundation

/// Contents that fit into one message, and which names are asked for next, so that little more is read than is sent. A value.
package struct FittingContents: Sendable {
    private static let first = 8
    private static let most = 256

    private let bytes: Int
    private var sum = 0
    private var isFull = false
    package private(set) var contents: [String: Data] = [:]
    /// How many of the names are settled.
    package private(set) var count = 0

    package init(bytes: Int) { self.bytes = bytes }

    /// - Returns: nil where nothing more is asked for.
    package func next(of names: [String]) -> [String]? {
        guard !isFull, count < names.count else { return nil }
        let rest = bytes - min(sum, bytes)
        let likely = contents.isEmpty ? Self.first : rest / max(sum / contents.count, 1)
        return Array(names[count..<min(count + min(max(likely, 1), Self.most), names.count)])
    }

    /// - Parameters:
    ///   - found: of the names that were asked for.
    ///   - names: those.
    package mutating func add(_ found: [String: Data], for names: [String]) {
        for name in names {
            if let content = found[name] {
                // With the bytes that a message has besides of an item.
                sum += content.count + name.utf8.count + 16
                guard contents.isEmpty || sum <= bytes else {
                    isFull = true
                    return
                }
                contents[name] = content
            }
            count += 1
        }
    }
}
