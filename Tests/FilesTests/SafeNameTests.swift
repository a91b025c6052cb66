import BatonTestSupport
import Files
import Testing

/// names of what arrives.
@Suite("Safe names")
struct SafeNameTests {
    @Test(
        "Names that are well stay as they are",
        arguments: [
            "photo.jpg", "Ünï cödé 🎉.txt", "👩‍👩‍👧.png", "What?.txt", "a:b", "a\\b", "कृपया.txt", "e\u{301}.txt",
            "archive.tar.gz",
            "COM10", "console.log", "-rf",
        ])
    func kept(name: String) {
        #expect(SafeName(name).text.utf8.elementsEqual(name.utf8))
    }

    @Test(
        "Others are made safe",
        arguments: [
            ("", "Untitled"), (".", "Untitled"), ("..", "Untitled"), (" . ", "Untitled"), ("\u{202E}", "Untitled"),
            ("a/b", "a_b"), ("../../etc/passwd", "_._.._etc_passwd"), ("a\0b", "a_b"), ("a\nb\u{7F}", "a_b_"),
            ("photo\u{202E}gpj.exe", "photogpj.exe"), ("a\u{2066}b\u{2069}", "ab"), ("a\u{200F}b\u{FEFF}", "ab"),
            ("a\u{2028}b", "a_b"), (" a ", "a"), ("a. .", "a"), (".bashrc", "_bashrc"), ("CON", "_CON"),
            ("nul.txt", "_nul.txt"), ("Com1.x", "_Com1.x"), ("a\u{FFFF}", "a"),
        ])
    func cleaned(name: String, expected: String) {
        #expect(SafeName(name).text == expected)
    }

    @Test("A point in front stays where it may")
    func hidden() {
        #expect(SafeName(".git", mayBeHidden: true).text == ".git")
        #expect(SafeName("..", mayBeHidden: true).text == "Untitled")
    }

    @Test("Bytes that are no text are shown as such")
    func bytes() {
        #expect(SafeName(bytes: [0x61, 0xFF, 0x2E, 0x74]).text == "a\u{FFFD}.t")
    }

    @Test("Long names are cut between characters, before the extension")
    func long() {
        let name = SafeName(String(repeating: "ä", count: 200) + ".jpeg").text
        #expect(name.utf8.count <= 255)
        #expect(name.hasPrefix("ää") && name.hasSuffix("ä.jpeg"))
        #expect(SafeName(String(repeating: "a", count: 255)).text.utf8.count == 255)
        #expect(SafeName(String(repeating: "a", count: 256)).text.utf8.count == 255)
        let numbered = SafeName(String(repeating: "a", count: 250) + ".jpeg").numbered(10)
        #expect(numbered.utf8.count == 255)
        #expect(numbered.hasSuffix("a 10.jpeg"))
        // One character of 600 bytes.
        #expect(SafeName("a" + String(repeating: "\u{301}", count: 300) + ".txt").text == "_.txt")
    }

    @Test("Numbers come before the extension")
    func numbers() {
        #expect(SafeName("photo.jpg").numbered(1) == "photo.jpg")
        #expect(SafeName("photo.jpg").numbered(2) == "photo 2.jpg")
        #expect(SafeName("a.tar.gz").numbered(2) == "a 2.tar.gz")
        #expect(SafeName("Folder").numbered(3) == "Folder 3")
        #expect(SafeName("v1. A sentence").numbered(2) == "v1. A sentence 2")
        #expect(SafeName(".git", mayBeHidden: true).numbered(2) == ".git 2")
    }

    @Test("Names of one folder differ in more than case and spelling")
    func collisions() {
        var names = SafeNames()
        let given = ["a.txt", "A.TXT", "a.txt", "a 2.txt", "é", "e\u{301}", "STRASSE", "straße"]
        #expect(
            given.map { names.add($0.utf8) } == [
                "a.txt", "A 2.TXT", "a 3.txt", "a 2 2.txt", "é", "e\u{301} 2", "STRASSE", "straße 2",
            ])
    }

    @Test("Many of one name cost little")
    func many() {
        var names = SafeNames()
        var all: Set<String> = []
        for _ in 0..<20_000 { all.insert(names.add("x".utf8)) }
        #expect(all.count == 20_000)
    }

    @Test("Any bytes become a name that is safe, and stays as it is")
    func fuzz() throws {
        var random = SeededGenerator(seed: Schedules.oneSeed)
        let parts: [[UInt8]] = [
            Array(".".utf8), Array("/".utf8), [0], [0xFF], Array(" ".utf8), Array("a".utf8), Array("CON".utf8),
            Array("\u{202E}".utf8), Array("\u{301}".utf8), Array("🎉".utf8), Array(".tar.gz".utf8), [0xE2, 0x80],
            Array(String(repeating: "ü", count: 120).utf8), Array("\u{200D}".utf8), [0x1B],
        ]
        for _ in 0..<Schedules.count(5000, soak: 500_000) {
            let count = Int.random(in: 0..<8, using: &random)
            let bytes = (0..<count).flatMap { _ in parts[Int.random(in: 0..<parts.count, using: &random)] }
            for mayBeHidden in [false, true] {
                let name = SafeName(bytes: bytes, mayBeHidden: mayBeHidden)
                for text in [name.text, name.numbered(77)] {
                    try #require((1...255).contains(text.utf8.count), "\(bytes)")
                    try #require(text != "." && text != ".." && !text.utf8.contains(0x2F) && !text.utf8.contains(0))
                    try #require(!text.unicodeScalars.contains { $0.properties.generalCategory == .control })
                    try #require(mayBeHidden || text.utf8.first != UInt8(ascii: "."))
                }
                try #require(SafeName(name.text, mayBeHidden: mayBeHidden).text.utf8.elementsEqual(name.text.utf8))
            }
        }
    }
}
