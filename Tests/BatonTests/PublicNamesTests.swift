import Baton
import Foundation
import Testing

/// The names that apps see.
@Suite struct PublicNamesTests {
    /// Names of other bindings, and slips of the pen, where Apple's name is another one.
    private static let misspelled = [
        "CSSearchableItemAttributesSet", "upportsPhoneCalls", "Activitiy", "ebPageUrl", "ebPageURL", "ebpageUrl",
        "UserActivityReceivedData", "ddUserInfoEntriesFrom", "BecomeCurrentActivity",
    ]

    @Test("no declaration has one of the documentation's misspelled names, and Apple's are there (X-4)")
    func spelling() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/Baton")
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        let sources = files.filter { $0.hasSuffix(".swift") }
        #expect(sources.count > 40)
        var declared = ""
        for file in sources {
            let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
            for line in text.split(separator: "\n") where !line.drop(while: { $0 == " " }).hasPrefix("//") {
                declared += line + "\n"
                for name in Self.misspelled {
                    #expect(!line.contains(name), "\(file): \(line)")
                }
            }
        }
        for name in [
            "class CSSearchableItemAttributeSet", "var supportsPhoneCall: ", "didFailToContinueUserActivityWithType",
            "var webpageURL: ", "func addUserInfoEntries(from", "didReceive inputStream", "func becomeCurrent()",
        ] {
            #expect(declared.contains(name), "\(name)")
        }
    }
}
