import BatonCore
import BatonTestSupport
import Files
import Foundation
import Glibc
import Testing

@testable import BatonTrust

@Suite struct CodeVerifierTests {
    let temporary: TemporaryDirectory
    let team: TeamKey
    init() throws {
        temporary = try TemporaryDirectory()
        team = try TeamKey(name: "Example")
    }

    func bundle(
        resources: [String: String] = ["Resources/de/a.txt": "a", "Resources/b.txt": "b"]
    ) throws -> BundleFixture {
        try BundleFixture(in: temporary.path, resources: resources)
    }

    func reason(_ bundle: BundleFixture) -> String? {
        #expect(throws: BatonError.self) { try CodeVerifier.verify(bundle.path) }?.reason
    }

    func message(_ bundle: BundleFixture) -> String {
        #expect(throws: BatonError.self) { try CodeVerifier.verify(bundle.path) }?.message ?? ""
    }

    @Test("H-4, H-91: a signed bundle verifies as its team's app")
    func signed() throws {
        let bundle = try bundle().signed(by: team)
        let verified = try CodeVerifier.verify(bundle.path)
        #expect(verified.identity.team == team.identity)
        #expect(verified.identity.description == "\(team.identity.id).com.example.Example")
        #expect(verified.info.executable == "Example")
        #expect(verified.resources.entries["Resources/de"] == .directory)
        #expect(try CodeVerifier.verify(bundle.path + "//").digest == verified.digest)
    }

    @Test("H-4: a bundle that nobody signed is refused")
    func unsigned() throws {
        #expect(reason(try bundle()) == "bundle_unsigned")
        let bundle = try bundle().signed(by: team)
        try FileManager.default.removeItem(atPath: bundle.file("_CodeSignature/CodeSignature"))
        #expect(reason(bundle) == "bundle_unsigned")
    }

    @Test("H-3: two teams' signatures of the same bundle make two identities")
    func twoTeams() throws {
        let bundle = try bundle().signed(by: team)
        let first = try CodeVerifier.verify(bundle.path)
        try bundle.signed(by: try TeamKey(name: "Other"))
        let second = try CodeVerifier.verify(bundle.path)
        #expect(first.digest == second.digest)
        #expect(first.identity != second.identity)
    }

    @Test("H-4: a signature by one key is not another's, and not another bundle's")
    func swappedSignatures() throws {
        let bundle = try bundle().signed(by: team)
        let path = bundle.file("_CodeSignature/CodeSignature")
        let other = try BundleFixture(in: temporary.path, name: "Other", resources: ["x": "y"]).signed(by: team)
        let own = try Data(contentsOf: URL(fileURLWithPath: path))
        try Data(contentsOf: URL(fileURLWithPath: other.file("_CodeSignature/CodeSignature")))
            .write(to: URL(fileURLWithPath: path))
        #expect(reason(bundle) == "bundle_signature_invalid")
        // The key of another team with this team's signature.
        let forged = try BundleSignature(bytes: Array(own))
        let key = Data(try TeamKey(name: "B").publicKey).base64EncodedString()
        let text = String(decoding: forged.bytes, as: UTF8.self)
            .replacing(Data(forged.publicKey).base64EncodedString(), with: key)
        try bundle.write(text, to: "_CodeSignature/CodeSignature")
        #expect(reason(bundle) == "bundle_signature_invalid")
        // A signature of the bare list, made for some other purpose.
        let resources = try Data(contentsOf: URL(fileURLWithPath: bundle.file("_CodeSignature/CodeResources")))
        let bare = String(decoding: forged.bytes, as: UTF8.self).replacing(
            Data(forged.signature).base64EncodedString(),
            with: Data(try team.signature(of: Array(resources))).base64EncodedString())
        try bundle.write(bare, to: "_CodeSignature/CodeSignature")
        #expect(reason(bundle) == "bundle_signature_invalid")
    }

    @Test func `each way to tamper with a bundle is found and named`() throws {
        let manager = FileManager.default
        typealias Tampering = (name: String, expected: [String], change: (BundleFixture) throws -> Void)
        let tamperings: [Tampering] = [
            ("changed", ["“Resources/b.txt” was changed"], { try $0.write("B", to: "Resources/b.txt") }),
            ("appended", ["“Resources/b.txt” was changed"], { try $0.write("bb", to: "Resources/b.txt") }),
            ("executable changed", ["“Example” was changed"], { try $0.write("#!/bin/sh\nexit 1\n", to: "Example") }),
            ("info", ["“Info.plist” was changed"], { try $0.writePropertyList(["a": "b"], to: "Info.plist") }),
            ("added", ["“Resources/c.txt” was added"], { try $0.write("c", to: "Resources/c.txt") }),
            ("added at the top", ["“.hidden” was added"], { try $0.write("c", to: ".hidden") }),
            (
                "added directory", ["“Empty” was added"],
                { try manager.createDirectory(atPath: $0.file("Empty"), withIntermediateDirectories: false) }
            ),
            ("added to signature", ["“_CodeSignature/x” was added"], { try $0.write("c", to: "_CodeSignature/x") }),
            (
                "removed", ["“Resources/b.txt” was removed"],
                { try manager.removeItem(atPath: $0.file("Resources/b.txt")) }
            ),
            (
                "removed tree", ["“Resources/de” was removed", "“Resources/de/a.txt” was removed"],
                { try manager.removeItem(atPath: $0.file("Resources/de")) }
            ),
            (
                "renamed", ["“Resources/b.txt” was removed", "“Resources/c.txt” was added"],
                { rename($0.file("Resources/b.txt"), $0.file("Resources/c.txt")) }
            ),
            (
                "other case", ["“Resources/b.txt” was removed", "“Resources/B.txt” was added"],
                { rename($0.file("Resources/b.txt"), $0.file("Resources/B.txt")) }
            ),
            ("not executable", ["“Example” is not executable any more"], { chmod($0.file("Example"), 0o644) }),
            ("executable", ["“Resources/b.txt” was made executable"], { chmod($0.file("Resources/b.txt"), 0o755) }),
            ("set-user-ID", ["“Example” runs with the rights of its owner"], { chmod($0.file("Example"), 0o4755) }),
            (
                "file to link", ["“Resources/b.txt” was replaced by a symbolic link"],
                {
                    try manager.removeItem(atPath: $0.file("Resources/b.txt"))
                    symlink("de/a.txt", $0.file("Resources/b.txt"))
                }
            ),
            (
                "directory to link",
                ["“Resources/de” was replaced by a symbolic link", "“Resources/de/a.txt” was removed"],
                {
                    rename($0.file("Resources/de"), $0.path + "/../moved")
                    symlink("../../moved", $0.file("Resources/de"))
                }
            ),
            (
                "file to fifo", ["“Resources/b.txt” is a named pipe"],
                {
                    try manager.removeItem(atPath: $0.file("Resources/b.txt"))
                    mkfifo($0.file("Resources/b.txt"), 0o644)
                }
            ),
            ("added fifo", ["“pipe” is a named pipe"], { mkfifo($0.file("pipe"), 0o644) }),
            (
                "file to directory", ["“Resources/b.txt” was replaced by a directory"],
                {
                    try manager.removeItem(atPath: $0.file("Resources/b.txt"))
                    mkdir($0.file("Resources/b.txt"), 0o755)
                }
            ),
            (
                "invisible character", ["Resources/b\\u{200B}.txt” contains a character that cannot be seen"],
                { try $0.write("b", to: "Resources/b\u{200B}.txt") }
            ),
            (
                "right-to-left override", ["\\u{202E}", "cannot be seen"],
                { try $0.write("b", to: "Resources/txt\u{202E}b") }
            ),
            ("decomposed", ["normalization form"], { try $0.write("b", to: "Resources/u\u{308}.txt") }),
            ("trailing space", ["begins or ends with a space"], { try $0.write("b", to: "Resources/b.txt ") }),
        ]
        for tampering in tamperings {
            let bundle = try bundle().signed(by: team)
            try tampering.change(bundle)
            let error = #expect(throws: BatonError.self, "\(tampering.name)") { try CodeVerifier.verify(bundle.path) }
            #expect(error?.reason == "bundle_tampered", "\(tampering.name): \(String(describing: error))")
            for text in tampering.expected {
                #expect(error?.message.contains(text) == true, "\(tampering.name): \(error?.message ?? "")")
            }
        }
    }

    @Test func `names that are not UTF-8, sockets and devices are found`() throws {
        let bundle = try bundle().signed(by: team)
        let name = bundle.file("Resources/").utf8CString.dropLast() + [CChar(bitPattern: 0xFF), 0]
        close(open(Array(name), O_CREAT | O_WRONLY, 0o644))
        #expect(message(bundle).contains("\\xff” is not UTF-8"))

        let second = try self.bundle().signed(by: team)
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: second.file("s").utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(bound == 0)
        #expect(message(second).contains("“s” is a socket"))
        if geteuid() == 0 {
            let third = try self.bundle().signed(by: team)
            // Where a container forbids devices there is nothing to test.
            if mknod(third.file("null"), mode_t(S_IFCHR) | 0o666, 0x103) == 0 {
                #expect(message(third).contains("“null” is a device"))
            }
        }
    }

    @Test func `many differences are counted, and the first are told`() throws {
        let bundle = try bundle().signed(by: team)
        for number in 0..<20 { try bundle.write("x", to: "extra\(number)") }
        #expect(message(bundle).contains("and 15 more"))
    }

    @Test func `links that stay in the bundle are kept, and swapped ones found`() throws {
        let bundle = try bundle(resources: ["lib/libx.so.1.2": "x", "lib/other": "y"])
        symlink("libx.so.1.2", bundle.file("lib/libx.so.1"))
        symlink("libx.so.1", bundle.file("lib/libx.so"))
        symlink("../lib", bundle.file("lib/self"))
        symlink("lib", bundle.file("Libraries"))
        try bundle.signed(by: team)
        unlink(bundle.file("lib/libx.so.1"))
        symlink("other", bundle.file("lib/libx.so.1"))
        #expect(message(bundle).contains("“lib/libx.so.1” is a link to somewhere else"))
        // Even to somewhere outside, which is not followed.
        unlink(bundle.file("lib/libx.so.1"))
        symlink("/etc/passwd", bundle.file("lib/libx.so.1"))
        #expect(message(bundle).contains("“lib/libx.so.1” is a link to somewhere else"))
    }

    @Test(arguments: [
        "/etc/passwd", "../../../etc/passwd", "..", "../Example.app/Example", "missing", ".", "./Example",
        "Resources//b.txt", "Link/b.txt", "_CodeSignature/CodeResources", "Resources/../../x", "Example/../Info.plist",
    ])
    func `a path that leaves its folder: links out of the bundle are not signed`(target: String) throws {
        let bundle = try bundle()
        symlink("Resources", bundle.file("Link"))
        try #require(symlink(target, bundle.file("out")) == 0)
        let error = #expect(throws: BatonError.self) { try CodeSigner.sign(bundle.path, with: team) }
        #expect(error?.reason == "bundle_link_escapes")
        #expect(!FileManager.default.fileExists(atPath: bundle.file("_CodeSignature")))
    }

    /// A team can sign any list of files with its own key, so the list is not to be believed.
    @Test(arguments: [
        "../outside", "..", ".", "a/../../b", "/etc/passwd", "a//b", "a/", "", "Resources/\u{200B}", "x\u{0}y",
        "_CodeSignature/CodeResources", "_codesignature", "e\u{301}", "unlisted/file",
        String(repeating: "d/", count: 40) + "f", String(repeating: "n", count: 256),
    ])
    func `a path that leaves its folder: a signed list that names it is refused`(path: String) throws {
        let bundle = try bundle(resources: [:]).signed(by: team)
        let text = """
            <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>version</key><integer>1</integer>
            <key>files</key><dict><key>\(path)</key><dict><key>executable</key><true/><key>hash</key>
            <data>\(Data(repeating: 0, count: 32).base64EncodedString())</data><key>size</key><integer>0</integer></dict>
            </dict></dict></plist>
            """
        try bundle.write(text, to: "_CodeSignature/CodeResources")
        try bundle.write(
            String(decoding: try BundleSignature(of: Array(text.utf8), by: team).bytes, as: UTF8.self),
            to: "_CodeSignature/CodeSignature")
        let error = #expect(throws: BatonError.self) { try CodeVerifier.verify(bundle.path) }
        #expect(["bundle_manifest_invalid", "invalid_property_list"].contains(error?.reason))
    }

    @Test func `a list with odd entries is refused`() throws {
        let hash = "<data>\(Data(repeating: 0, count: 32).base64EncodedString())</data>"
        let entries = [
            "<string>x</string>", "<dict/>", "<dict><key>directory</key><false/></dict>",
            "<dict><key>symlink</key><string>/etc</string></dict>",
            "<dict><key>symlink</key><string>x</string><key>directory</key><true/></dict>",
            "<dict><key>executable</key><true/><key>hash</key><data>AAAA</data><key>size</key><integer>0</integer></dict>",
            "<dict><key>executable</key><true/><key>hash</key>\(hash)<key>size</key><integer>-1</integer></dict>",
            "<dict><key>executable</key><true/><key>hash</key>\(hash)<key>size</key><integer>99999999999999</integer></dict>",
            "<dict><key>executable</key><true/><key>hash</key>\(hash)<key>size</key><real>1.5</real></dict>",
            "<dict><key>executable</key><string>yes</string><key>hash</key>\(hash)<key>size</key><integer>0</integer></dict>",
        ]
        for entry in entries {
            let text = """
                <plist><dict><key>version</key><integer>1</integer><key>files</key><dict><key>f</key>\(entry)</dict></dict>
                </plist>
                """
            #expect(throws: BatonError.self, "\(entry)") { try CodeResources(bytes: Array(text.utf8)) }
        }
        for text in [
            "<plist><dict/></plist>", "<plist><array/></plist>",
            "<plist><dict><key>version</key><integer>2</integer></dict></plist>",
        ] {
            #expect(throws: BatonError.self) { try CodeResources(bytes: Array(text.utf8)) }
        }
    }

    @Test func `two names that differ in case alone are not signed`() throws {
        let bundle = try bundle(resources: ["Read": "1", "read": "2"])
        #expect(
            #expect(throws: BatonError.self) { try CodeSigner.sign(bundle.path, with: team) }?.message
                .contains("differ only in case") == true)
    }

    @Test func `a list of files reads back as it was written, and is written the same each time`() throws {
        let entries: [String: CodeResources.Entry] = [
            "a": .directory, "a/b & <c>": .file(hash: .init(repeating: 7, count: 32), size: 5, isExecutable: true),
            "a-b": .file(hash: .init(repeating: 8, count: 32), size: 0, isExecutable: false),
            "l": .symlink(target: "a/b & <c>"), "猫": .directory,
        ]
        let resources = try CodeResources(entries: entries)
        #expect(try CodeResources(bytes: resources.bytes) == resources)
        #expect(resources.bytes == (try CodeResources(entries: entries)).bytes)
    }

    @Test func `signing again replaces the signature, and what an interrupted signing left`() throws {
        let bundle = try bundle().signed(by: team)
        try bundle.write("x", to: "_CodeSignature/.CodeResources.abc")
        try bundle.write("new", to: "Resources/b.txt")
        try bundle.signed(by: team)
        #expect(throws: Never.self) { try CodeVerifier.verify(bundle.path) }
    }

    @Test func `what is no bundle is told so`() throws {
        #expect(reason(try bundle()) == "bundle_unsigned")
        for path in ["/nonexistent/X.app", temporary.path, "/etc/passwd", "", "/", "X", temporary.file(".app")] {
            #expect(throws: BatonError.self) { try CodeVerifier.verify(path) }
        }
        // The bundle itself may not be a link.
        let bundle = try bundle().signed(by: team)
        symlink(bundle.path, temporary.file("Link.app"))
        #expect(throws: BatonError.self) { try CodeVerifier.verify(temporary.file("Link.app")) }
    }

    @Test func `hashing follows the descriptor, not the name`() throws {
        // A name that leads somewhere else between two looks must not be followed.
        let bundle = try bundle().signed(by: team)
        let root = try DirectoryHandle(path: bundle.path)
        symlink("/etc/passwd", bundle.file("p"))
        symlink("/etc", bundle.file("d"))
        #expect(#expect(throws: BatonError.self) { try root.file("p") }?.reason == "unexpected_symlink")
        #expect(throws: BatonError.self) { try root.directory("d") }
        mkfifo(bundle.file("f"), 0o644)
        #expect(#expect(throws: BatonError.self) { try root.file("f") }?.reason == "not_a_file")
    }
}

@Suite struct BundleSealTests {
    let temporary: TemporaryDirectory
    init() throws { temporary = try TemporaryDirectory() }

    /// A seal that is as good as one of files that have lain there for a while.
    func seal(_ bundle: BundleFixture) throws -> BundleSeal {
        let root = try DirectoryHandle(path: bundle.path)
        var stamps: [(path: String, stamp: FileStamp)] = []
        let resources = try CodeVerifier.verify(bundle.path).resources
        for path in resources.sortedPaths + [
            "_CodeSignature", "_CodeSignature/CodeResources", "_CodeSignature/CodeSignature",
        ] {
            stamps.append((path, try #require(try root.stamp(of: path))))
        }
        return BundleSeal(
            root: bundle.path, rootStamp: try root.stamp(), stamps: stamps, showsEveryChange: true, started: .max)
    }

    @Test func `a seal breaks with every change to the bundle`() throws {
        let team = try TeamKey(name: "A")
        let changes: [(BundleFixture) throws -> Void] = [
            { try $0.write("x", to: "Resources/a.txt") },
            { try $0.write("x", to: "Resources/new.txt") },
            { try $0.write("x", to: "_CodeSignature/new") },
            { unlink($0.file("Resources/a.txt")) },
            { chmod($0.file("Example"), 0o700) },
            { rename($0.file("Resources"), $0.file("Moved")) },
            {
                // The same contents, time and size in another file.
                rename($0.file("Resources"), $0.file("../Elsewhere"))
                symlink("../Elsewhere", $0.file("Resources"))
            },
            {
                try $0.write("b", to: "Resources/a.txt")
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: $0.file("Resources/a.txt"))
            },
        ]
        for (number, change) in changes.enumerated() {
            let bundle = try BundleFixture(in: temporary.path, resources: ["Resources/a.txt": "a"]).signed(by: team)
            let seal = try seal(bundle)
            #expect(seal.isUnbroken())
            try change(bundle)
            #expect(!seal.isUnbroken(), "change \(number)")
            try? FileManager.default.removeItem(atPath: temporary.file("Elsewhere"))
        }
    }

    @Test func `files that were written a moment ago are not trusted to show their next change`() throws {
        let bundle = try BundleFixture(in: temporary.path).signed(by: try TeamKey(name: "A"))
        let verified = try CodeVerifier.verify(bundle.path)
        #expect(!verified.seal.isConclusive)
        #expect(!verified.seal.isUnbroken())
    }
}
