import BatonTestSupport
import Foundation
import Testing

@testable import Sync

@Suite("Parts of a zone's names")
struct NameRangeTests {
    @Test("Every name is in one part, names that nobody has too; a part has no more than it may")
    func parts() {
        var random = SeededGenerator(seed: 7)
        for count in [0, 1, 2, 50, 500] {
            let names = (0..<count).map { _ in
                String(
                    String.UnicodeScalarView(
                        (0..<Int.random(in: 1...9, using: &random)).compactMap { _ in
                            Unicode.Scalar(UInt32.random(in: 1...0x2FF, using: &random))
                        }))
            }
            let stamps = Dictionary(names.map { ($0, Data(count: 34)) }) { first, _ in first }
            for bytes in [1, 200, 1 << 20] {
                let parts = NameRange.parts(of: stamps, bytes: bytes)
                for name in stamps.keys + ["", "a", "\u{10FFFF}"] {
                    #expect(parts.count { $0.contains(name) } == 1, "\(name.debugDescription)")
                }
                for part in parts {
                    let held = stamps.keys.filter(part.contains)
                    let sum = held.reduce(0) { $0 + $1.utf8.count + 50 }
                    #expect(sum <= bytes || held.count == 1)
                }
            }
        }
    }
}
