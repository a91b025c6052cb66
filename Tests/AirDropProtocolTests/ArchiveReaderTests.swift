import AirDropProtocol
import BatonCore
import BatonTestSupport
import Testing

/// archives as other programs write them, and as no program should.
@Suite("Archives")
struct ArchiveReaderTests {
    @Test("OpenDrop's archive is read, in pieces of any size", arguments: [1, 2, 3, 7, 64, Int.max])
    func openDrop(pieces: Int) throws {
        let contents = try Contents.read(ArchiveFixtures.openDropArchive, pieces: pieces)
        #expect(contents.paths == ["./note.txt"])
        #expect(contents.entries.first?.data == Array("A note.\n".utf8))
        #expect(contents.entries.first?.entry.modified == 1_700_000_000)
        #expect(contents.hasEnded)
    }

    @Test(
        "Archives of GNU cpio and bsdcpio are read, in pieces of any size",
        arguments: [
            ArchiveFixtures.gnuODC, ArchiveFixtures.gnuNEWC, ArchiveFixtures.bsdODC, ArchiveFixtures.bsdNEWC,
        ], [1, 5, Int.max])
    func others(archive: [UInt8], pieces: Int) throws {
        let contents = try Contents.read(archive, pieces: pieces)
        let byPath = Dictionary(uniqueKeysWithValues: zip(contents.paths.map(Self.plain), contents.entries))
        #expect(
            Set(byPath.keys) == [
                ".", "note.txt", "Photos", "Photos/a.txt", "Photos/empty", "Photos/link.txt", "Photos/zero",
                "Photos/Ü ber.txt",
            ])
        #expect(byPath["Photos"]?.entry.kind == .directory)
        #expect(byPath["Photos/link.txt"]?.entry.kind == .symbolicLink)
        #expect(byPath["Photos/link.txt"]?.data == Array("a.txt".utf8))
        #expect(byPath["Photos/a.txt"]?.data == Array("alpha\n".utf8))
        #expect(byPath["Photos/zero"]?.entry.kind == .file)
        #expect(byPath["Photos/zero"]?.data == [])
        #expect(byPath["Photos/Ü ber.txt"]?.data.count == 280)
    }

    private static func plain(_ path: String) -> String { path.hasPrefix("./") ? String(path.dropFirst(2)) : path }

    @Test("What is written is read, in pieces of any size", arguments: [1000, 10_000, Int.max])
    func roundTrip(pieces: Int) throws {
        var random = SeededGenerator(seed: Schedules.oneSeed)
        let data = (0..<300_000).map { _ in UInt8.random(in: 0..<64, using: &random) }
        let entries: [(entry: ArchiveEntry, data: [UInt8])] = [
            (ArchiveEntry(path: Array("./d".utf8), kind: .directory, modified: 7), []),
            (ArchiveEntry(path: Array("./d/ä".utf8), kind: .file, size: UInt64(data.count), modified: 8), data),
            (ArchiveEntry(path: Array("./d/l".utf8), kind: .symbolicLink, size: 1), [0x61]),
            (ArchiveEntry(path: Array("./d/e".utf8), kind: .file), []),
        ]
        var writer = ArchiveWriter()
        var bytes: [UInt8] = []
        for (entry, data) in entries {
            try writer.begin(entry) { bytes += $0 }
            try feed(data, pieces: pieces) { piece throws(BatonError) in try writer.write(piece) { bytes += $0 } }
            try writer.end()
        }
        try writer.finish { bytes += $0 }
        let contents = try Contents.read(bytes, pieces: 4096)
        #expect(contents.entries.map(\.data) == entries.map(\.data))
        #expect(contents.entries.map(\.entry.path) == entries.map(\.entry.path))
        #expect(contents.entries.map(\.entry.kind) == entries.map(\.entry.kind))
        #expect(contents.entries.map(\.entry.modified) == entries.map(\.entry.modified))
        // Nothing of the sender: owner, group and device are 0.
        #expect(contents.entries.allSatisfy { $0.entry.device == 0 && $0.entry.links == 1 })
    }

    @Test("What compresses is compressed, what does not is stored, in one archive")
    func compressing() throws {
        var random = SeededGenerator(seed: Schedules.oneSeed)
        let text = [UInt8](repeating: 0x61, count: 1 << 20)
        let noise = (0..<(1 << 17)).flatMap { _ in
            withUnsafeBytes(of: random.next()) { Array($0) }
        }
        var writer = ArchiveWriter()
        var bytes: [UInt8] = []
        var sizes: [Int] = []
        let parts = [text, noise, text, noise + text + noise]
        for (number, part) in parts.enumerated() {
            let entry = ArchiveEntry(path: Array("./\(number)".utf8), kind: .file, size: UInt64(part.count))
            try writer.begin(entry) { bytes += $0 }
            try feed(part, pieces: 100_000) { piece throws(BatonError) in try writer.write(piece) { bytes += $0 } }
            try writer.end()
            sizes.append(bytes.count)
        }
        try writer.finish { bytes += $0 }
        #expect(sizes[0] < 50_000)
        // Stored: five bytes for each block of at most 64 KiB.
        #expect(sizes[1] - sizes[0] > noise.count && sizes[1] - sizes[0] < noise.count + 20_000)
        #expect(sizes[2] - sizes[1] < 50_000)
        let contents = try Contents.read(bytes, pieces: 65536, limits: .init(bytes: 1 << 30))
        #expect(contents.entries.map(\.data) == parts)
    }

    @Test("A file that changes while it is sent, or is too large, is not sent")
    func writerMistakes() throws {
        let entry = ArchiveEntry(path: Array("./a".utf8), kind: .file, size: 3)
        func write(_ count: Int) throws(BatonError) {
            var writer = ArchiveWriter()
            try writer.begin(entry) { _ in }
            try feed([UInt8](repeating: 0, count: count), pieces: .max) { piece throws(BatonError) in
                try writer.write(piece) { _ in }
            }
            try writer.end()
        }
        try write(3)
        for count in [2, 4] {
            let error = #expect(throws: BatonError.self) { try write(count) }
            #expect(error?.reason == "archive_source_changed")
        }
        var writer = CPIOWriter()
        let large = ArchiveEntry(path: [0x61], kind: .file, size: CPIOWriter.maximumFileSize + 1)
        let error = #expect(throws: BatonError.self) { try writer.header(large) }
        #expect(error?.reason == "archive_file_too_large")
    }

    // MARK: Hostile ones

    private static func reason(_ archive: OldArchive, limits: ArchiveLimits = .init(bytes: 1 << 20)) -> String? {
        Contents.reason { () throws(BatonError) in try Contents.readPlain(archive.bytes, limits: limits) }
    }

    @Test("Damaged archives are refused")
    func damaged() {
        let damaged = "archive_damaged"
        let empty = OldArchive()
        let zeros = { (count: Int) in [UInt8](repeating: 0, count: count) }
        #expect(Self.reason(empty.ended()) == nil)
        #expect(Self.reason(empty) == damaged)
        #expect(Self.reason(empty.adding("./a", "data")) == damaged)
        #expect(Self.reason(empty.adding("./a", magic: "070703")) == damaged)
        #expect(Self.reason(empty.adding("./a", magic: "070702")) == damaged)
        #expect(Self.reason(empty.adding("./a\0b").ended()) == damaged)
        #expect(Self.reason(empty.adding("").ended()) == damaged)
        #expect(Self.reason(empty.adding("./d", "data", mode: 0o040755).ended()) == damaged)
        #expect(Self.reason(empty.ended().adding("./a")) == damaged)
        #expect(Self.reason(empty.adding("TRAILER!!!", "data")) == damaged)
        #expect(Self.reason(empty.adding("./a", "x", size: 0).ended()) == damaged)
        #expect(Self.reason(empty.adding(String(repeating: "a", count: 4000)).ended()) == damaged)
        #expect(Self.reason(empty.ended().adding(bytes: zeros(512))) == nil)
        #expect(Self.reason(empty.ended().adding(bytes: zeros(70_000))) == damaged)
        var wrongDigit = empty.ended()
        wrongDigit.bytes[20] = UInt8(ascii: "8")
        #expect(Self.reason(wrongDigit) == damaged)
    }

    @Test("Devices, pipes and sockets are refused", arguments: [0o020000, 0o060000, 0o010000, 0o140000, 0, 0o170000])
    func special(kind: UInt64) {
        #expect(Self.reason(OldArchive().adding("./a", mode: kind | 0o644).ended()) == "archive_special_file")
    }

    @Test("Too much is refused before it comes")
    func limits() {
        let empty = OldArchive()
        var limits = ArchiveLimits(bytes: 10)
        let tooLarge = "archive_too_large"
        #expect(Self.reason(empty.adding("./a", "1234567890").ended(), limits: limits) == nil)
        #expect(Self.reason(empty.adding("./a", size: 11), limits: limits) == tooLarge)
        #expect(Self.reason(empty.adding("./a", "123456").adding("./b", size: 5), limits: limits) == tooLarge)
        #expect(Self.reason(empty.adding("./a", size: CPIOWriter.maximumFileSize), limits: limits) == tooLarge)
        limits.entries = 2
        #expect(Self.reason(empty.adding("./a").adding("./b").adding("./c"), limits: limits) == tooLarge)
    }

    @Test("Damage of the compressed stream is found")
    func compression() throws {
        let archive = OldArchive().adding("./a", String(repeating: "text ", count: 500)).ended()
        let good = try compressed(archive.bytes)
        #expect(try Contents.read(good).hasEnded)
        func reason(_ bytes: [UInt8]) -> String? {
            Contents.reason { () throws(BatonError) in try Contents.read(bytes) }
        }
        for count in 0..<good.count { #expect(reason(Array(good.prefix(count))) == "archive_damaged") }
        #expect(reason(archive.bytes) == "archive_damaged")
        var wrongSum = good
        wrongSum[good.count - 8] ^= 1
        #expect(reason(wrongSum) == "archive_damaged")
        var wrongSize = good
        wrongSize[good.count - 1] ^= 1
        #expect(reason(wrongSize) == "archive_damaged")
        #expect(reason(good + [0, 0, 0]) == nil)
        #expect(reason(good + [1]) == "archive_damaged")
        #expect(reason(good + [0, 1]) == "archive_damaged")
        #expect(reason(good + good) == "archive_damaged")
        #expect(reason(good + [UInt8](repeating: 0, count: 70_000)) == "archive_damaged")
        // RFC 1952: a file may have several members.
        let half = archive.bytes.count / 2
        let members = try compressed(Array(archive.bytes[..<half])) + compressed(Array(archive.bytes[half...]))
        for pieces in [1, 100, Int.max] { #expect(try Contents.read(members, pieces: pieces).hasEnded) }
    }

    @Test("A bomb is stopped at the limit")
    func bomb() throws {
        let archive = OldArchive().adding("./a", size: 1 << 33 - 1)
        let zeros = [UInt8](repeating: 0, count: 4 << 20)
        let bytes = try compressed(archive.bytes + zeros)
        #expect(bytes.count < 100_000)
        #expect(Contents.reason { () throws(BatonError) in try Contents.read(bytes) } == "archive_too_large")
    }

    @Test("Mutated archives are read or refused, the same way in any pieces")
    func mutations() throws {
        var random = SeededGenerator(seed: Schedules.oneSeed)
        let fixtures = [ArchiveFixtures.gnuODC, ArchiveFixtures.bsdNEWC]
        let plain = try fixtures.map { bytes throws(BatonError) in
            var decoder = GzipDecoder()
            var output: [UInt8] = []
            try feed(bytes, pieces: .max) { piece throws(BatonError) in try decoder.push(piece) { output += $0 } }
            return output
        }
        func mutate(_ bytes: inout [UInt8]) {
            let index = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes[index] = UInt8(ascii: "7")
            case 2: bytes.remove(at: index)
            case 3: bytes.insert(UInt8(ascii: "0"), at: index)
            default: bytes.removeLast(bytes.count - max(1, index))
            }
        }
        for round in 0..<Schedules.count(1500, soak: 300_000) {
            var bytes = plain[round % 2]
            for _ in 0..<Int.random(in: 1...3, using: &random) { mutate(&bytes) }
            let pieces = Int.random(in: 1...200, using: &random)
            let whole = Result { () throws(BatonError) in try Contents.readPlain(bytes) }
            let parts = Result { () throws(BatonError) in try Contents.readPlain(bytes, pieces: pieces) }
            switch (whole, parts) {
            case (.success(let one), .success(let other)): try #require(one == other)
            case (.failure(let one), .failure(let other)): try #require(one.reason == other.reason)
            default: Issue.record("pieces of \(pieces) bytes are read otherwise")
            }
            var packed = fixtures[round % 2]
            mutate(&packed)
            _ = try? Contents.read(packed)
        }
    }
}
