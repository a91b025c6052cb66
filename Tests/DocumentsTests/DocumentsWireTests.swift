import BatonTestSupport
import BatonWire
import FileSync
import Foundation
import Testing

@testable import Documents

/// The messages to apps about an item.
@Suite struct DocumentsWireTests {
    @Test("how much of a content the cloud has, and when the file was made here (D-27)")
    func standing() throws {
        var item = ContainerItem(id: EntryID(high: 1, low: 2), path: "Documents/a.txt", kind: .file)
        (item.isUploaded, item.isUploading, item.uploaded) = (false, true, 0.25)
        let message = DocumentsWire.message(item, created: 5)
        #expect(message.uploadedPercent == 25 && message.uploading && message.created == 5)
        item.isUploaded = true
        #expect(DocumentsWire.message(item).uploadedPercent == 100)

        let folder = try TemporaryDirectory()
        let before = Int64((Date().timeIntervalSince1970 - 5) * 1_000_000_000)
        try Data("x".utf8).write(to: URL(fileURLWithPath: folder.file("a.txt")))
        let time = FileBirth.time(folder.file("a.txt"))
        // Not every file system knows.
        #expect(time == 0 || time > before)
        #expect(FileBirth.time(folder.file("missing")) == 0 && FileBirth.time("relative") == 0)
    }
}
