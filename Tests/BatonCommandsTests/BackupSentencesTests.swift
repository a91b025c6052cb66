import BatonWire
import SwiftProtobuf
import Testing

@testable import BatonCommands

@Suite("Paths and sentences of backups")
struct BackupSentencesTests {
    @Test("A typed path is a name of the snapshot first, and then relative to the working directory (B-1)")
    func paths() {
        #expect(BackupPath.inSnapshot("data/docs", in: "/home/anna") == ["data/docs", "/home/anna/data/docs"])
        #expect(BackupPath.inSnapshot("settings", in: "/home/anna") == ["settings", "/home/anna/settings"])
        #expect(BackupPath.inSnapshot("../docs", in: "/home/anna") == ["/home/docs"])
        #expect(BackupPath.inSnapshot(".", in: "/home/anna") == ["/home/anna"])
        #expect(BackupPath.inSnapshot("/data", in: "/home/anna") == ["/data"])
        #expect(BackupPath.inSnapshot("", in: "/home/anna") == [""])
    }

    @Test("A path that is no UTF-8 names nothing, and never the place that it looks like (B-1)")
    func noText() throws {
        #expect(throws: CommandFailure.self) { try BackupPath.typed("new", in: "/nowhere/\u{FFFD}") }
        #expect(throws: CommandFailure.self) { try BackupPath.target("/nowhere/\u{FFFD}") }
        #expect(throws: CommandFailure.self) { try BackupPath.typed("", in: "/") }
        #expect(try BackupPath.typed("new", in: "/nowhere") == "/nowhere/new")
        #expect(try BackupPath.target("cloud") == "cloud")
    }

    @Test("A target with backups announces no first one, and nothing is promised of none (B-1)")
    func sentences() {
        #expect(BackupSentences.target("/disk", hasBackup: false).contains("The first one"))
        #expect(!BackupSentences.target("/disk", hasBackup: true).contains("first"))
        func verified(
            _ snapshots: UInt64, _ isWhole: Bool, _ newest: String, isRead: Bool = true, lacksNothing: Bool = false
        ) -> String {
            BackupSentences.verified(
                snapshots: snapshots, isRead: isRead, isWhole: isWhole, lacksNothing: lacksNothing || isWhole,
                newestWhole: newest)
        }
        #expect(BackupSentences.noLargeApp(hasSnapshots: true).contains("100 MB"))
        #expect(!BackupSentences.noLargeApp(hasSnapshots: false).contains("100 MB"), "nothing was looked at")
        #expect(BackupSentences.notMarked("It is read-only.").contains("what is damaged. It is read-only. "))
        #expect(BackupSentences.lost(0).isEmpty && BackupSentences.lost(1)[0].contains("that snapshot is forgotten"))
        #expect(BackupSentences.lost(2)[0].contains("those snapshots are forgotten"))
        let unread = BackupSentences.unusable(
            bad: ["A.1", "A.2"],
            unreadable: [
                .with {
                    $0.snapshotID = "A.2"
                    $0.why = "Its device is not known\u{1B}."
                }
            ], unchained: [], missing: [])
        #expect(unread.count == 3 && unread[0].contains("A.1 is damaged"))
        #expect(unread[1].contains("A.2 cannot be read on this device, and may be whole. Its device is not known"))
        #expect(!unread[1].contains("\u{1B}") && unread[2].contains("--unreadable"))
        #expect(!BackupSentences.lost(1)[0].contains("--unreadable"), "it is not needed")
        #expect(BackupSentences.bad("A.1").contains("A.1") && BackupSentences.missing(["A.1"])[0].contains("A.1"))
        let missing = BackupSentences.missing((1...22).map { "A.\($0)" })
        #expect(missing.count == 21 && missing[20].hasPrefix("2 more are missing"))
        #expect(BackupSentences.refused(1).contains("1 mode, time or attribute."))
        #expect(BackupSentences.refused(2).contains("2 modes, times or attributes."))
        #expect(BackupSentences.restoring(1).hasPrefix("1 app or folder "))
        #expect(BackupSentences.restoring(2).hasPrefix("2 apps and folders "))
        #expect(BackupSentences.done(files: 0, "2 MiB") == "2 MiB", "verifying counts no files")
        #expect(BackupSentences.done(files: 1, "2 MiB") == "1 file, 2 MiB")
        #expect(BackupSentences.forgotten(0, notCollected: "") == "No snapshot is forgotten.")
        #expect(BackupSentences.forgotten(1, notCollected: "").hasPrefix("1 snapshot is forgotten. Room"))
        #expect(BackupSentences.forgotten(2, notCollected: "It is away.").hasPrefix("2 snapshots are forgotten. "))
        #expect(BackupSentences.forgotten(2, notCollected: "It is away.").hasSuffix("It is away."))
        #expect(verified(2, true, "A.2") == "Everything can be restored.")
        #expect(!verified(2, true, "A.2", isRead: false).contains("restored"), "what the chunks hold was not read")
        #expect(verified(2, false, "A.2", lacksNothing: true).hasPrefix("No snapshot needs what is damaged."))
        #expect(!verified(0, true, "").contains("can be restored"))
        #expect(verified(2, false, "A.1").hasPrefix("The newest snapshot that is whole is A.1. "))
        #expect(verified(2, false, "").hasPrefix("No snapshot is whole. "))
    }
}
