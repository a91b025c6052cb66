import BatonCore
import BatonTestSupport
import Foundation
import Testing

@testable import BatonCommands

struct BuiltVersionTests {
    @Test(
        "The version has the commit that a package put beside the program, and nothing else that stands there",
        arguments: [
            ("0123456789ab\n", true), ("0123456789ab-changed\n", true), ("", false), ("a b", false),
            ("\u{1B}[31m", false),
        ])
    func commit(text: String, isShown: Bool) throws {
        let prefix = try TemporaryDirectory()
        #expect(BuiltVersion.text(executable: prefix.file("bin/baton")) == BatonVersion.current)
        try FileManager.default.createDirectory(atPath: prefix.file("lib/baton"), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: prefix.file("lib/baton/commit")))
        let commit = text.trimmingCharacters(in: .newlines)
        let expected = isShown ? "\(BatonVersion.current) (\(commit))" : BatonVersion.current
        #expect(BuiltVersion.text(executable: prefix.file("bin/baton")) == expected)
    }
}
