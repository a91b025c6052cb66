import Foundation
import Testing

@testable import FileSync

/// The rules that git documents for `.gitignore` (issue 30: folders).
@Suite struct IgnoreFileTests {
    private static func ignores(_ rules: String, _ path: String) -> Bool {
        let isDirectory = path.hasSuffix("/")
        return IgnoreFile(Array(rules.utf8)).ignores(
            path.split(separator: "/").map { Array($0.utf8) }, isDirectory: isDirectory)
    }

    @Test(
        "patterns match as git documents",
        arguments: [
            ("*.log", "a.log", true), ("*.log", "deep/er/a.log", true), ("*.log", "a.logs", false),
            ("/todo.txt", "todo.txt", true), ("/todo.txt", "sub/todo.txt", false),
            ("doc/frotz", "doc/frotz", true), ("doc/frotz", "a/doc/frotz", false),
            ("frotz/", "frotz/", true), ("frotz/", "a/frotz/", true), ("frotz/", "frotz", false),
            ("frotz/", "frotz/in/it", true), ("doc/frotz/", "a/doc/frotz/", false),
            ("**/foo", "foo", true), ("**/foo", "a/b/foo", true), ("**/foo/bar", "x/foo/bar", true),
            ("abc/**", "abc/x/y", true), ("abc/**", "abc/", false), ("a/**/b", "a/b", true),
            ("a/**/b", "a/x/y/b", true), ("a/**/b", "ab", false), ("a**b", "axxb", true), ("a**b/c", "ax/xb/c", false),
            ("foo/*", "foo/test.json", true), ("foo/*", "foo/", false), ("foo/*", "foo/bar/hello.c", true),
            ("a?c", "abc", true), ("d/a?c", "d/a/c", false), ("[a-c]x", "bx", true), ("[!a-c]x", "bx", false),
            ("[^a-c]x", "dx", true), ("[]x]", "]", true), ("[a-]", "-", true), ("[[:digit:]]*", "7up", true),
            ("[[:nothing:]]", "a", false), ("[a", "a", false), ("[a", "[a", false), ("[\\]]", "]", true),
            ("\\#a", "#a", true), ("#a", "#a", false), ("\\!a", "!a", true), ("a\\", "a\\", false),
            ("\\*", "*", true), ("\\*", "x", false), ("a ", "a", true), ("a\\ ", "a ", true), ("a b", "a b", true),
            ("a\r", "a", true), ("", "a", false), ("/", "a", false), ("!", "a", false), ("*", "a/b", true),
            ("A", "a", false), ("\u{FEFF}a", "a", true),
        ])
    func patterns(rules: String, path: String, isIgnored: Bool) {
        #expect(Self.ignores(rules, path) == isIgnored, "\(rules) \(path)")
    }

    @Test("the last rule counts, and nothing comes back out of a directory that is ignored")
    func negation() {
        #expect(!Self.ignores("*.log\n!keep.log", "keep.log"))
        #expect(Self.ignores("!keep.log\n*.log", "keep.log"))
        #expect(Self.ignores("build/\n!build/keep", "build/keep"))
        #expect(!Self.ignores("/*\n!/foo\n/foo/*\n!/foo/bar", "foo/bar/x"))
        #expect(Self.ignores("/*\n!/foo\n/foo/*\n!/foo/bar", "foo/baz"))
    }

    @Test("the file itself is never ignored, and what is too much does not count")
    func bounds() {
        #expect(!Self.ignores("*", ".batonignore"))
        #expect(Self.ignores("*", "sub/.batonignore"))
        let many = (0...IgnoreFile.maximumRules).map { "n\($0)" }.joined(separator: "\n")
        #expect(IgnoreFile(Array(many.utf8)).isCut)
        #expect(Self.ignores(many, "n\(IgnoreFile.maximumRules - 1)"))
        #expect(!Self.ignores(many, "n\(IgnoreFile.maximumRules)"))
        let long = IgnoreFile(Array(repeating: UInt8(ascii: "a"), count: IgnoreFile.maximumBytes + 1))
        #expect(long.isCut && long.isEmpty)
    }

    @Test("a deep tree with many rules takes time by its names, however long its paths are", .timeLimit(.minutes(1)))
    func deep() {
        let rules = IgnoreFile(Array((0..<300).map { "/**/a*a\($0)/x\n" }.joined().utf8))
        let path = Array(repeating: [UInt8](repeating: UInt8(ascii: "a"), count: 20), count: 300)
        let time = ContinuousClock().measure { #expect(!rules.ignores(path, isDirectory: false)) }
        #expect(time < .seconds(20), "\(time)")
    }

    @Test("a tree that is gone through name by name is judged as its whole paths are")
    func stepwise() {
        let rules = IgnoreFile(Array("*.log\n/*/b\n!x.log\nd/**/e\n/f/\n**/g/h\n.batonignore".utf8))
        let names = ["a.log", "x.log", "b", "d", "e", "f", "g", "h", ".batonignore"].map { Array($0.utf8) }
        for first in names {
            let outer = rules.directory(first, in: rules.root)
            #expect(
                rules.ignores(first, in: rules.root, isDirectory: true) == rules.ignores([first], isDirectory: true))
            for second in names {
                let inner = rules.directory(second, in: outer)
                for isDirectory in [false, true] {
                    #expect(
                        rules.ignores(second, in: outer, isDirectory: isDirectory)
                            == rules.ignores([first, second], isDirectory: isDirectory))
                    for third in names {
                        #expect(
                            rules.ignores(third, in: inner, isDirectory: isDirectory)
                                == rules.ignores([first, second, third], isDirectory: isDirectory))
                    }
                }
            }
        }
    }

    @Test("a pattern that is made to take long does not", .timeLimit(.minutes(1)))
    func hostile() {
        let rules = String(repeating: "*a", count: 100) + "b"
        #expect(!Self.ignores(rules, String(repeating: "a", count: 255)))
        #expect(
            !Self.ignores("x/" + String(repeating: "**/", count: 100) + "b", String(repeating: "x/", count: 100) + "a"))
        // As much of it as a file of rules can have.
        let line = "/" + String(repeating: "**/a*", count: 200) + "b"
        let many = IgnoreFile(Array(Array(repeating: line, count: 64).joined(separator: "\n").utf8))
        let path = Array(repeating: [UInt8](repeating: UInt8(ascii: "a"), count: 255), count: 4)
        let time = ContinuousClock().measure { #expect(!many.ignores(path, isDirectory: false)) }
        #expect(time < .seconds(20), "\(time)")
    }

    @Test("a pattern as long as a file of rules can be takes as much time as its text can come in it")
    func longest() throws {
        let name = Array("name of a file".utf8)
        let patterns = [String(repeating: "a", count: 65_000), String(repeating: "?*", count: 1000)]
        for text in patterns + patterns.map({ "name of a file/**/" + $0 }) {
            let pattern = try #require(IgnorePattern(Array(text.utf8)))
            #expect(pattern.start.count == 1)
            #expect(pattern.follow(name, from: pattern.start).map { $0.count == 1 } ?? true)
            #expect(!pattern.matches(name))
        }
    }

    @Test("patterns that have more than 64 parts, and what is at the borders of these")
    func long() {
        for count in [30, 31, 32, 33, 60, 61, 62, 63, 64, 65, 126, 127, 128, 129, 200] {
            let name = String(repeating: "a", count: count)
            #expect(Self.ignores(name, name) && !Self.ignores(name, name + "a"))
            #expect(!Self.ignores(name, name.dropLast() + "b"))
            #expect(Self.ignores(name + "*", name + "xyz") && Self.ignores(name + "*", name))
            #expect(Self.ignores(name + "*b", name + "xyzb") && !Self.ignores(name + "*b", name + "xyz"))
            #expect(Self.ignores(name + "/**/b", name + "/b") && Self.ignores(name + "/**/b", name + "/x/y/b"))
            #expect(!Self.ignores(name + "/**/b", name + "b") && Self.ignores(name + "/**/**/b*", name + "/x/bc"))
            #expect(Self.ignores(name + "/**", name + "/x/y") && !Self.ignores(name + "/**", name + "x"))
            #expect(Self.ignores(name + "[b-d]", name + "c") && !Self.ignores(name + "[b-d]", name + "e"))
        }
    }

    @Test("git says the same of random rules and paths")
    func git() throws {
        guard let git = ["/usr/bin/git", "/bin/git"].first(where: FileManager.default.isExecutableFile) else { return }
        let folder = FileManager.default.temporaryDirectory.appending(path: "ignore-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func run(_ arguments: [String], _ input: Data = Data()) throws -> Data {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: git)
            process.arguments = ["-C", folder.path, "-c", "core.ignoreCase=false"] + arguments
            process.environment = ["HOME": folder.path, "PATH": "/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM": "1"]
            let (stdin, stdout) = (Pipe(), Pipe())
            (process.standardInput, process.standardOutput, process.standardError) =
                (stdin, stdout, FileHandle.nullDevice)
            try process.run()
            try stdin.fileHandleForWriting.write(contentsOf: input)
            try stdin.fileHandleForWriting.close()
            let output = stdout.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return output
        }
        _ = try run(["init", "-q"])
        var random = Seeded(state: 7)
        let pieces = [
            "a", "b", "*", "**", "?", "/", "/", "[ab]", "[!a]", "[a-c", "]", "\\", " ", "!", "#", "ab", "[[:alpha:]]",
            "-", "[]a]",
        ]
        let names = ["a", "b", "ab", "ba", "c", "a b", "aab", "[a", "-"]
        for _ in 0..<40 {
            let rules = (0..<4).map { _ in
                (0..<Int.random(in: 1...6, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
                    .joined()
            }.joined(separator: "\n")
            let file = IgnoreFile(Array(rules.utf8))
            try FileManager.default.removeItem(at: folder)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            _ = try run(["init", "-q"])
            try Data((rules + "\n").utf8).write(to: folder.appending(path: ".git/info/exclude"))
            var expected: Set<String> = []
            var paths: Set<String> = []
            for _ in 0..<60 {
                let depth = Int.random(in: 1...4, using: &random)
                paths.insert((0..<depth).map { _ in names.randomElement(using: &random) ?? "" }.joined(separator: "/"))
            }
            // Nothing is a directory but what is in the way.
            for path in paths {
                let parent = path.split(separator: "/").dropLast().joined(separator: "/")
                try? FileManager.default.createDirectory(
                    at: folder.appending(path: parent), withIntermediateDirectories: true)
            }
            let asked = paths.sorted()
            let output = try run(
                ["check-ignore", "--no-index", "-z", "--stdin"], Data(asked.joined(separator: "\0").utf8))
            for part in output.split(separator: 0) { expected.insert(String(decoding: part, as: UTF8.self)) }
            for path in asked {
                var isDirectory: ObjCBool = false
                _ = FileManager.default.fileExists(
                    atPath: folder.appending(path: path).path, isDirectory: &isDirectory)
                let own = file.ignores(
                    path.split(separator: "/").map { Array($0.utf8) }, isDirectory: isDirectory.boolValue)
                #expect(own == expected.contains(path), "\(rules.debugDescription) \(path)")
            }
        }
    }

    private struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }
}
