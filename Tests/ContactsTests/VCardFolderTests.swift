import BatonCore
import BatonTestSupport
import Contacts
import Foundation
import Testing
import VCard

/// A folder of vCards that is watched (P-48).
@Suite(.timeLimit(.minutes(1))) struct VCardFolderTests {
    @Test("What is written here and by other programs is seen, in new folders too, and pictures stay in the files")
    func watching() async throws {
        let directory = try TemporaryDirectory()
        let root = directory.path + "/contacts"
        let (paths, tell) = AsyncStream.makeStream(of: String.self)
        let folder = VCardFolder(paths: { paths }, recorder: NullEventRecorder())
        tell.yield(root)
        let (seen, tellSeen) = AsyncStream.makeStream(of: [String].self)
        let task = Task { await folder.run { cards in tellSeen.yield(cards.map(\.card.formattedName)) } }
        func until(_ names: [String]) async {
            for await found in seen where found == names { return }
            Issue.record("never \(names)")
        }
        await until([])
        #expect(folder.problem != nil)
        var card = ContactCard(identifier: "new")
        card.formattedName = "New"
        card.image = [0x89, 0x50, 0x4E, 0x47, 1]
        try await folder.write([.add(card)])
        await until(["New"])
        try FileManager.default.createDirectory(atPath: root + "/sub", withIntermediateDirectories: true)
        try Data("BEGIN:VCARD\nFN:Sub\nEND:VCARD\n".utf8).write(to: URL(fileURLWithPath: root + "/sub/zsub.vcf"))
        await until(["New", "Sub"])
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: root).first { $0.hasSuffix(".vcf") })
        let key = name + "#0"
        #expect(await folder.card(key: key)?.image == card.image)
        var changed = card
        changed.givenName = "Changed"
        changed.image = nil
        var old = card
        old.image = nil
        try await folder.write([.replace(key: key, old: old, new: changed, [.givenName])])
        await until(["Changed", "Sub"])
        #expect(await folder.card(key: key)?.image == card.image)
        try await folder.write([.delete(key: key, old: changed)])
        await until(["Sub"])
        try FileManager.default.removeItem(atPath: root)
        await until([])
        task.cancel()
        await task.value
    }
}
