import BatonCore
import BatonTestSupport
import Foundation
import Testing

@testable import AirDrop

@Suite("Folders for what is received")
struct ReceivedItemsTests {
    @Test("A folder that cannot be written to is refused, and one that can stays as it was (A-1)")
    func check() throws {
        let temporary = try TemporaryDirectory()
        let folder = temporary.file("new/folder")
        try ReceivedItems.check(folder)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        try Data("x".utf8).write(to: URL(fileURLWithPath: temporary.file("file")))
        // In /proc the superuser makes no folder either.
        for unusable in [temporary.file("file"), temporary.file("file/below"), "/proc"] {
            let error = #expect(throws: BatonError.self, "\(unusable)") { try ReceivedItems.check(unusable) }
            #expect(error?.reason == "folder_unusable")
        }
    }
}
