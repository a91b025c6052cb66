import BatonWire
import SwiftProtobuf
import Testing

@testable import BatonCommands

/// Issue 30, folders: what `baton folder status` says.
@Suite struct FolderReportTests {
    @Test("rate, time left, what waits, and what was done in a folder that only receives")
    func status() {
        let folder = Baton_Control_V1_Folder.with {
            $0.name = "photos"
            $0.path = "/home/ada/photos"
            $0.state = .here
            $0.container.items = 3
            $0.container.read = true
            $0.container.enabled = true
            $0.container.findings = ["“a.txt” waits: a program has it open for writing"]
            $0.transfer.down = 2048
            $0.transfer.downLeft = 1 << 20
            $0.transfer.secondsLeft = 512
            $0.readOnly = true
            $0.changed = 3
            $0.changes = [
                .with {
                    $0.path = "b\u{1B}.txt"
                    $0.kind = .created
                },
                .with {
                    $0.path = "c"
                    $0.kind = .moved
                },
            ]
        }
        let text = FolderReport.status(folder)
        for part in [
            "a second", "about 9 minutes", "waits: “a.txt”", "new here: b", "moved here: c", "1 more", "revert photos",
        ] {
            #expect(text.contains(part), "\(part): \(text)")
        }
        #expect(!text.contains("\u{1B}"))
    }

    @Test(
        "times are told in the unit that fits",
        arguments: [(1, "a second"), (600, "10 minutes"), (7200, "2 hours"), (259_200, "3 days")])
    func times(seconds: UInt64, text: String) { #expect(FolderReport.time(seconds) == text) }

    @Test("a state is a few words, and what there is to say of a container stands below its row")
    func findings() {
        var container = Baton_Control_V1_DocumentContainer.with {
            $0.enabled = true
            $0.read = true
        }
        #expect(DocumentReport.state(container) == "up to date")
        container.toUpload = 2
        container.toDownload = 1
        container.findings = ["It waits. Close the file.", "3 files are left out"]
        #expect(DocumentReport.state(container) == "2 to send, 1 to fetch")
        #expect(DocumentReport.sentences(container) == container.findings)
        (container.toUpload, container.toDownload) = (0, 0)
        #expect(DocumentReport.state(container) == "see below")
        container.problemMessage = "The folder is missing."
        #expect(DocumentReport.state(container) == "does not sync")
        #expect(DocumentReport.sentences(container).first == "The folder is missing.")
    }
}
