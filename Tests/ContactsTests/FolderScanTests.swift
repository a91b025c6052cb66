import BatonCore
import BatonTestSupport
import Foundation
import Glibc
import Testing
import VCard

@testable import Contacts

/// A folder of vCards on the disk (P-48).
@Suite struct FolderScanTests {
    private func card(_ name: String, _ uid: String = "") -> String {
        "BEGIN:VCARD\r\nVERSION:3.0\r\n\(uid.isEmpty ? "" : "UID:\(uid)\r\n")FN:\(name)\r\nX-A:b\r\nEND:VCARD\r\n"
    }

    private func write(_ text: String, _ path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    @Test("Files below the folder are read, hidden ones, links and lists of cards are not, and unchanged ones once")
    func scan() throws {
        let directory = try TemporaryDirectory()
        let root = directory.path
        try FileManager.default.createDirectory(atPath: root + "/sub", withIntermediateDirectories: true)
        try write(card("A", "a") + card("B"), root + "/two.vcf")
        try write(card("C", "c"), root + "/sub/c.VCF")
        try write(card("D", "d"), root + "/.hidden.vcf")
        try write("BEGIN:VCARD\nKIND:group\nFN:G\nEND:VCARD\n", root + "/group.vcf")
        try FileManager.default.createSymbolicLink(atPath: root + "/link.vcf", withDestinationPath: root + "/two.vcf")
        var scan = FolderScan(root: root, known: [:])
        var entered: [String] = []
        scan.run { entered.append($0) }
        #expect(scan.isThere && entered == [root, root + "/sub"])
        #expect(scan.cards.map(\.card.identifier).prefix(2) == ["c", "a"])
        #expect(try #require(scan.cards.last).card.identifier.hasPrefix("file:"))
        var again = FolderScan(root: root, known: scan.files)
        again.run { _ in }
        #expect(again.cards == scan.cards)
        var missing = FolderScan(root: root + "/missing", known: [:])
        missing.run { _ in }
        #expect(!missing.isThere && missing.cards.isEmpty)
    }

    @Test("A file of a year that nanoseconds do not reach is read as any other")
    func distantTime() throws {
        let directory = try TemporaryDirectory()
        try write(card("A", "a"), directory.path + "/a.vcf")
        // 2400-01-01
        let times = [timespec](repeating: timespec(tv_sec: 13_569_465_600, tv_nsec: 0), count: 2)
        #expect(utimensat(AT_FDCWD, directory.path + "/a.vcf", times, 0) == 0)
        var scan = FolderScan(root: directory.path, known: [:])
        scan.run { _ in }
        #expect(scan.cards.map(\.card.identifier) == ["a"])
        var again = FolderScan(root: directory.path, known: scan.files)
        again.run { _ in }
        #expect(again.cards == scan.cards)
    }

    @Test("A file that is no vCard is told of by name, also when it is not read again, and one of groups is none")
    func broken() throws {
        let directory = try TemporaryDirectory()
        let root = directory.path
        try write(card("A", "a"), root + "/a.vcf")
        try write("BEGIN:VCARD\nKIND:group\nFN:G\nEND:VCARD\n", root + "/group.vcf")
        try write("", root + "/empty.vcf")
        var scan = FolderScan(root: root, known: [:])
        scan.run { _ in }
        #expect(scan.problem == nil)
        try write("garbage", root + "/bad.vcf")
        var again = FolderScan(root: root, known: scan.files)
        again.run { _ in }
        let problem = try #require(again.problem)
        #expect(problem.hasPrefix("No card can be read in “bad.vcf”, in the folder “\(root)”."))
        var third = FolderScan(root: root, known: again.files)
        third.run { _ in }
        #expect(third.problem == problem && third.cards.count == 1)
        for number in 1...4 { try write("x", root + "/b\(number).vcf") }
        third.run { _ in }
        #expect(try #require(third.problem).contains("“b1.vcf”, “b2.vcf”, “b3.vcf” and 2 more, in"))
    }

    private func cards(_ root: String) -> [ContactCard] {
        var scan = FolderScan(root: root, known: [:])
        scan.run { _ in }
        return scan.cards.map(\.card)
    }

    @Test("A change of one card leaves the other cards of its file, and a card that is gone is another's never")
    func edit() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/two.vcf"
        try write(card("A", "a") + card("B", "b"), path)
        func change(_ number: Int, _ old: ContactCard, _ change: (ContactCard, Set<CardKey>)?) throws {
            try ContactFileEdit(
                root: directory.path, relative: "two.vcf", edits: [.init(number: number, old: old, change: change)]
            ).apply()
        }
        let old = cards(directory.path)
        var new = old[1]
        new.nickname = "Bea"
        try change(1, old[1], (new, [.nickname]))
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.hasPrefix(card("A", "a")) && text.contains("X-A:b\r\nNICKNAME:Bea\r\n"))
        var other = old[1]
        other.identifier = "c"
        #expect(throws: BatonError.self) { try change(1, other, (new, [.nickname])) }
        #expect(throws: BatonError.self) { try change(1, other, nil) }
        try change(1, old[1], nil)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == card("A", "a"))
        try change(0, old[0], nil)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test(
        "Changes that were worked out from an old look at a file go to the cards that they are of (P-48)",
        arguments: [true, false])
    func stale(hasIdentifiers: Bool) throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/three.vcf"
        try write(["A", "B", "C"].map { card($0, hasIdentifiers ? $0 : "") }.joined(), path)
        let old = cards(directory.path)
        func change(_ edits: ContactFileEdit.Edit...) throws {
            try ContactFileEdit(root: directory.path, relative: "three.vcf", edits: edits).apply()
        }
        try change(.init(number: 0, old: old[0]))
        try change(.init(number: 1, old: old[1]))
        #expect(cards(directory.path).map(\.formattedName) == ["C"])
        #expect(throws: BatonError.self) { try change(.init(number: 0, old: old[0])) }
        // Two changes of one card, and one that another program has made in between.
        var (title, number) = (old[2], old[2])
        title.jobTitle = "Cook"
        number.telephones = [.init(value: "1")]
        try change(.init(number: 2, old: old[2], change: (title, [.jobTitle, .note])))
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try write(text.replacing("END:", with: "NOTE:by hand\r\nTEL:2\r\nEND:"), path)
        try change(.init(number: 2, old: old[2], change: (number, [.phoneNumbers, .note, .jobTitle])))
        let found = try #require(cards(directory.path).first)
        #expect(found.identifier == old[2].identifier)
        #expect(found.jobTitle == "Cook" && found.note == "by hand")
        #expect(found.telephones.map(\.value) == ["2", "1"])
    }

    @Test("The name of an enabled address book is found in its key file")
    func evolution() {
        #expect(EvolutionBus.bookName("[Data Source]\nDisplayName=Mine\nEnabled=true\n[Address Book]\n") == "Mine")
        #expect(EvolutionBus.bookName("[Data Source]\nDisplayName=Mine\nEnabled=false\n[Address Book]\n") == nil)
        #expect(EvolutionBus.bookName("[Data Source]\nDisplayName=Mine\n[Calendar]\n") == nil)
    }

    @Test("A file of 4 TB is not read, is told of by name, and costs the others nothing (P-48)")
    func enormous() throws {
        let directory = try TemporaryDirectory()
        let root = directory.path
        try write(card("A", "a"), root + "/a.vcf")
        try write(card("Huge", "h"), root + "/huge.vcf")
        // It takes no room on the disk, and more time to read than a test has.
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: root + "/huge.vcf"))
        try file.truncate(atOffset: 1 << 42)
        try file.close()
        var scan = FolderScan(root: root, known: [:])
        scan.run { _ in }
        #expect(scan.cards.map(\.card.identifier) == ["a"])
        #expect(scan.problem?.hasPrefix("No card can be read in “huge.vcf”") == true)
    }
}
