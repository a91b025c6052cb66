import BatonCore
import FileSync
import Testing

/// D-5: names that this disk cannot have.
@Suite("Local names")
struct LocalNameTests {
    private let id = EntryID(high: 0x1234, low: 0xABCDEF)

    private func local(
        _ name: String, _ traits: FileSystemTraits = FileSystemTraits(), isPlaceholder: Bool = false,
        isAtRoot: Bool = false,
        taken: Set<String> = []
    ) throws -> String {
        LocalName.name(
            for: try EntryName(name), id: id, isPlaceholder: isPlaceholder, isAtRoot: isAtRoot, traits: traits
        ) { taken.contains($0.description) }.description
    }

    @Test("A name stays where it can")
    func stays() throws {
        for name in ["a", "Makefile", "a:b?", "con", String(repeating: "x", count: 255)] {
            #expect(try local(name) == name)
        }
        #expect(try local("f.txt", isPlaceholder: true) == ".f.txt.icloud")
    }

    @Test("A name that is taken, too long, reserved or forbidden gets a safe one with a part of the identifier")
    func safe() throws {
        #expect(try local("f.txt", taken: ["f.txt"]) == "f~abcdef.txt")
        #expect(try local("f.txt", taken: ["f.txt", "f~abcdef.txt"]).contains(id.description))
        #expect(
            try local(".baton", FileSystemTraits(reservedAtRoot: [try EntryName(".baton")]), isAtRoot: true)
                == ".baton~abcdef")
        let portable = FileSystemTraits(isPortable: true)
        for (name, expected) in ["a:b": "a_b", "con": "_con", "Com1.txt": "_Com1.txt", "x.": "x_", "a\u{1}": "a_"] {
            #expect(try local(name, portable) == expected)
        }
        let long = try local(String(repeating: "\u{E4}", count: 130), isPlaceholder: true)
        #expect(long.utf8.count <= 255 && long.hasSuffix("~abcdef.icloud") && !long.contains("\u{FFFD}"))
        let longest = try local(String(repeating: "x", count: 760) + ".txt")
        #expect(longest.utf8.count == 255 && longest.hasSuffix("~abcdef.txt"))
    }

    @Test("A placeholder's name tells the name, and nothing else does")
    func placeholders() throws {
        let name = try EntryName("a b.txt")
        #expect(PlaceholderName.original(of: PlaceholderName.placeholder(for: name)) == name)
        for other in ["a.icloud", ".icloud", ".x", "..icloud"] {
            #expect(PlaceholderName.original(of: try EntryName(other)) == nil)
        }
        #expect(PlaceholderName.original(of: EntryName(unchecked: Array("....icloud".utf8))) == nil)
    }

    @Test("A placeholder is told by all of its bytes from a file that has such a name")
    func placeholderTexts() {
        for size in [0, 1, UInt64.max] {
            for id in [id, EntryID(high: 0, low: 7), EntryID(high: .max, low: .max)] {
                let bytes = PlaceholderText.bytes(size: size, id: id)
                #expect(PlaceholderText.matches(bytes) && bytes.count <= PlaceholderText.maximumBytes)
                for cut in 0..<bytes.count { #expect(!PlaceholderText.matches(Array(bytes.prefix(cut)))) }
                #expect(!PlaceholderText.matches(bytes + [0x0A]) && !PlaceholderText.matches([0x20] + bytes))
            }
        }
        #expect(!PlaceholderText.matches([UInt8](repeating: 0xFF, count: 100)))
    }

    @Test("Conflict names say when and where, and are cut between characters")
    func conflictNames() throws {
        func conflict(_ name: String) throws -> EntryName {
            ConflictName.name(
                for: try EntryName(name), kind: .file,
                time: HybridTimestamp(milliseconds: 1_773_446_400_000, counter: 0),
                device: "Kitchen/2", id: id)
        }
        #expect(try conflict("f.txt").description == "f (conflict 2026-03-14 Kitchen-2 abcdef).txt")
        #expect(try conflict(conflict("f.txt").description).description.contains(id.description))
        let long = try conflict(String(repeating: "\u{E4}", count: 127) + ".t")
        #expect(long.bytes.count <= 255 && String(validating: long.bytes, as: UTF8.self) != nil)
        #expect(ConflictName.day(of: .zero) == "1970-01-01")
        #expect(ConflictName.day(of: HybridTimestamp(milliseconds: 1_709_164_800_000, counter: 0)) == "2024-02-29")
    }
}
