import Foundation
import Glibc

/// The pages of the program and its libraries that only starting needs: half of what an idle daemon would have in memory.
enum StartupMemory {
    /// Gives them back to the system. Pages that are needed again come back from the page cache, or from the disk.
    /// - Returns: the number of bytes in memory before, of the mappings that were given back.
    @discardableResult
    static func release() -> Int {
        guard let text = try? String(contentsOfFile: "/proc/self/smaps", encoding: .utf8) else { return 0 }
        var sum = 0
        for mapping in mappings(text) where mapping.isUnchangedFile {
            guard let start = UnsafeMutableRawPointer(bitPattern: mapping.range.lowerBound),
                madvise(start, mapping.range.count, MADV_DONTNEED) == 0
            else { continue }
            sum += mapping.resident
        }
        return sum
    }

    struct Mapping: Equatable {
        var range: Range<Int>
        var permissions: Substring
        var path: String
        var resident = 0
        /// Bytes that are not the file's: their only copy is in memory.
        var anonymous = 0

        /// Whether the file has everything that is in memory: nothing was or can be written there.
        var isUnchangedFile: Bool {
            path.hasPrefix("/") && permissions.hasPrefix("r") && permissions.hasSuffix("p")
                && !permissions.contains("w") && anonymous == 0
        }
    }

    /// As proc(5) describes `smaps`.
    static func mappings(_ text: String) -> [Mapping] {
        var mappings: [Mapping] = []
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
            guard let first = words.first else { continue }
            if first.hasSuffix(":") {
                guard !mappings.isEmpty, words.count >= 2, let size = Int(words[1]) else { continue }
                switch first {
                case "Rss:": mappings[mappings.count - 1].resident = size << 10
                case "Anonymous:": mappings[mappings.count - 1].anonymous = size << 10
                default: break
                }
                continue
            }
            let ends = first.split(separator: "-").compactMap { Int($0, radix: 16) }
            guard ends.count == 2, ends[0] < ends[1], words.count >= 5 else { continue }
            let path = words.count == 6 ? String(words[5].drop { $0 == " " }) : ""
            mappings.append(Mapping(range: ends[0]..<ends[1], permissions: words[1], path: path))
        }
        return mappings
    }
}
