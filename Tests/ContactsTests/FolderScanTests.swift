import BatonCore
import BatonTestSupport
import Foundation
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
        #expect(scan.cards.map(\.card.identifier) == ["c", "a", "file:two.vcf#1"])
        var again = FolderScan(root: root, known: scan.files)
        again.run { _ in }
        #expect(again.cards == scan.cards)
        var missing = FolderScan(root: root + "/missing", known: [:])
        missing.run { _ in }
        #expect(!missing.isThere && missing.cards.isEmpty)
    }

    @Test("A change of one card leaves the other cards of its file, and a card that is another's by now is not touched")
    func edit() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/two.vcf"
        try write(card("A", "a") + card("B", "b"), path)
        var new = ContactCard(identifier: "b")
        new.formattedName = "Bea"
        try ContactFileEdit(path: path, edits: [1: .replace(new, setsImage: false)]).apply()
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.hasPrefix(card("A", "a")) && text.contains("FN:Bea\r\n") && text.contains("X-A:b\r\nFN:Bea"))
        new.identifier = "c"
        #expect(throws: BatonError.self) {
            try ContactFileEdit(path: path, edits: [1: .replace(new, setsImage: false)]).apply()
        }
        try ContactFileEdit(path: path, edits: [1: .delete]).apply()
        #expect(try String(contentsOfFile: path, encoding: .utf8) == card("A", "a"))
        try ContactFileEdit(path: path, edits: [0: .delete]).apply()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("The name of an enabled address book is found in its key file")
    func evolution() {
        #expect(EvolutionBus.bookName("[Data Source]\nDisplayName=Mine\nEnabled=true\n[Address Book]\n") == "Mine")
        #expect(EvolutionBus.bookName("[Data Source]\nDisplayName=Mine\nEnabled=false\n[Address Book]\n") == nil)
        #expect(EvolutionBus.bookName("[Data Source]\nDisplayName=Mine\n[Calendar]\n") == nil)
    }
}
