import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Handoff
import SwiftProtobuf
import Testing

@Suite(.timeLimit(.minutes(1))) struct DocumentRootsTests {
    private let folder: TemporaryDirectory
    private static let team = TeamIdentity(fingerprint: [UInt8](repeating: 7, count: 32))

    init() throws {
        folder = try TemporaryDirectory()
        for name in ["here/Notes", "there", "outside"] {
            try FileManager.default.createDirectory(
                atPath: folder.file(name), withIntermediateDirectories: true)
        }
    }

    private func roots(_ name: String = "docs", at directory: String, team: TeamIdentity? = nil) throws -> DocumentRoots
    {
        DocumentRoots([try DocumentRoot(name: name, directory: folder.file(directory), team: team)])
    }

    private func payload(_ value: PropertyValue) -> Baton_Value_V1_ActivityPayload {
        .with { $0.userInfo = .init(.dictionary([.string("v"): value])) }
    }

    private func url(_ text: String) throws -> PropertyValue { .url(try #require(URL(string: text))) }

    /// The URL at the receiver; nil when the origin sent it unchanged.
    private func journey(_ url: String, from origin: DocumentRoots, to receiver: DocumentRoots) async throws -> String?
    {
        var message = Baton_Value_V1_ActivityPayload()
        message.userInfo.url = url
        let sent = await origin.outgoing(message, of: Self.team)
        guard case .document = sent.userInfo.kind else {
            #expect(sent.userInfo.url == url)
            return nil
        }
        return await receiver.incoming(sent, for: Self.team).userInfo.url
    }

    @Test("a file below a root is the same file below the other device's root, whatever its name is (H-24)")
    func rewrites() async throws {
        let (here, there) = (try roots(at: "here"), try roots(at: "there"))
        // Escaped as RFC 3986 would have it.
        for path in [
            "/a.txt", "/Notes/deep/b", "/Notes/", "", "/%C3%BC%2520%20%3F%23%2525", "/%F0%9F%90%92", "/...", "/a..b",
            "/~",
            "/%252e.x", "/a%2Bb%26c",
        ] {
            #expect(
                try await journey("file://\(folder.file("here"))\(path)", from: here, to: there)
                    == "file://\(folder.file("there"))\(path)", "\(path)")
        }
        // However the URL is spelt.
        for prefix in ["file:", "FILE://", "file://localhost"] {
            #expect(
                try await journey(prefix + folder.file("here") + "/x", from: here, to: there)
                    == "file://\(folder.file("there"))/x")
        }
    }

    @Test("every other URL travels as it is (H-24)")
    func others() async throws {
        let (here, there) = (try roots(at: "here"), try roots(at: "there"))
        let root = folder.file("here")
        for url in [
            "https://example.org\(root)/a", "file://\(folder.file("outside"))/a", "file://\(root)er/a", "file:///",
            "file://\(root)/../outside/a", "file://\(root)/%2e%2e/a", "file://\(root)/.%2E/a", "file://\(root)/./a",
            "file://\(root)//a", "file://\(root)/a%2Fb", "file://\(root)/a%00b", "file://\(root)/%FF%FE",
            "file://\(root)/%4", "file://\(root)/%", "file://\(root)/a?q", "file://\(root)/a#f",
            "file://host\(root)/a", "file:a", "file:", "", "mailto:a@b", "x-baton-document://docs/a",
            "file://\(root)/" + String(repeating: "n", count: 10_000),
        ] {
            #expect(try await journey(url, from: here, to: there) == nil, "\(url.prefix(100))")
        }
    }

    @Test("a link that leads out of the root is not followed, on either device; one that stays inside is fine (H-24)")
    func symbolicLinks() async throws {
        let (here, there) = (try roots(at: "here"), try roots(at: "there"))
        let manager = FileManager.default
        let links = [
            "here/out": folder.file("outside"), "here/in": folder.file("here/Notes"), "here/dangling": "/nowhere",
            "here/circle": folder.file("here/circle"), "there/trap": folder.file("outside"), "there/up": "..",
        ]
        for (name, target) in links {
            try manager.createSymbolicLink(atPath: folder.file(name), withDestinationPath: target)
        }
        let root = "file://\(folder.file("here"))"
        for name in ["out", "out/a", "out/deep/er", "dangling", "dangling/a", "circle", "circle/a"] {
            #expect(try await journey("\(root)/\(name)", from: here, to: there) == nil, "\(name)")
        }
        #expect(try await journey("\(root)/in/a", from: here, to: there) == "file://\(folder.file("there"))/in/a")
        for name in ["trap", "trap/a", "up/outside/a"] {
            #expect(
                try await journey("\(root)/\(name)", from: here, to: there) == "x-baton-document://docs/\(name)",
                "\(name)")
        }
        // The root itself may be reached by a link.
        try manager.createSymbolicLink(atPath: folder.file("alias"), withDestinationPath: folder.file("there"))
        #expect(
            try await journey("\(root)/a", from: here, to: roots(at: "alias")) == "file://\(folder.file("alias"))/a")
    }

    @Test("a root that is not known on the receiver gives a URL that no program takes for a file (H-24)")
    func unknownRoot() async throws {
        let here = try roots(at: "here")
        #expect(
            try await journey("file://\(folder.file("here"))/N%20x/", from: here, to: DocumentRoots())
                == "x-baton-document://docs/N%20x/")
        #expect(
            try await journey("file://\(folder.file("here"))/x", from: here, to: roots("other", at: "there"))
                == "x-baton-document://docs/x")
    }

    @Test("whatever another device sends as a document, what comes out lies below the root or is no file (H-24)")
    func hostileReferences() async throws {
        let there = try roots(at: "there")
        let paths = [
            "..", "../outside", "a/../../outside", "/etc/passwd", "a//b", ".", "a/.", "a\u{0}b", "a/",
            String(repeating: "n", count: 10_000), String(repeating: "d/", count: 3000) + "x",
        ]
        for root in ["docs", "", "..", "/", "a/b", "d\u{0}", "docs\n", String(repeating: "r", count: 300), "unknown"] {
            for path in paths {
                let message = Baton_Value_V1_ActivityPayload.with {
                    $0.userInfo.document = .with {
                        $0.root = root
                        $0.path = path
                    }
                }
                let url = await there.incoming(message, for: Self.team).userInfo.url
                #expect(
                    url.hasPrefix("x-baton-document:") && URL(string: url) != nil, "\(root.prefix(9)) \(path.prefix(9))"
                )
                #expect(!url.contains("..") && !url.hasPrefix("file:"))
            }
        }
    }

    @Test("URLs are rewritten wherever they are: nested, in sets, as keys; two names of one document are one (H-24)")
    func nested() async throws {
        let (here, there) = (try roots(at: "here"), try roots(at: "there"))
        let (root, other) = ("file://\(folder.file("here"))", "file://\(folder.file("there"))")
        let value: PropertyValue = .array([
            .dictionary([try url("\(root)/key"): .set([try url("\(root)/a"), try url("\(root)/%61"), .integer(1)])]),
            .dictionary([try url("\(root)/k"): .string("x"), try url("\(root)/%6B"): .string("x")]),
            .string("\(root)/text"), .null,
        ])
        let sent = await here.outgoing(payload(value), of: Self.team)
        // The sent form cannot be taken for values.
        #expect(throws: BatonError.self) { try PropertyValue(sent.userInfo) }
        let arrived = try PropertyValue(await there.incoming(sent, for: Self.team).userInfo)
        #expect(
            arrived
                == .dictionary([
                    .string("v"): .array([
                        .dictionary([try url("\(other)/key"): .set([try url("\(other)/a"), .integer(1)])]),
                        .dictionary([try url("\(other)/k"): .string("x")]), .string("\(root)/text"), .null,
                    ])
                ]))
    }

    @Test("a value nested without end is left for whoever reads it to refuse")
    func deep() async throws {
        let here = try roots(at: "here")
        var value = Baton_Value_V1_PropertyValue.with { $0.url = "file://\(folder.file("here"))/a" }
        for _ in 0..<1000 {
            let inner = value
            value = .with { $0.array.values = [inner] }
        }
        let message = Baton_Value_V1_ActivityPayload.with { $0.userInfo = value }
        let sent = await here.outgoing(message, of: Self.team)
        #expect(throws: BatonError.self) { try PropertyValue(sent.userInfo) }
    }

    @Test("a team's root is its own, the deepest root counts, and a root that is removed is none (H-3, H-24)")
    func scope() async throws {
        let here = try roots(at: "here", team: Self.team)
        let stranger = TeamIdentity(fingerprint: [UInt8](repeating: 8, count: 32))
        let value = payload(try url("file://\(folder.file("here"))/Notes/a"))
        #expect(await here.outgoing(value, of: stranger) == value)
        here.register(try DocumentRoot(name: "notes", directory: folder.file("here/Notes") + "/", team: nil))
        let sent = await here.outgoing(value, of: Self.team)
        #expect(sent.userInfo.dictionary.entries.first?.value.document.root == "notes")
        // A reference to another team's root is one to a root that is not known.
        let reference = Baton_Value_V1_ActivityPayload.with {
            $0.userInfo.document = .with {
                $0.root = "docs"
                $0.path = "a"
            }
        }
        #expect(await here.incoming(reference, for: stranger).userInfo.url == "x-baton-document://docs/a")
        here.remove("notes")
        here.remove("docs", team: Self.team)
        #expect(await here.outgoing(value, of: Self.team) == value)
    }

    @Test("the containers of this moment count: a document in one is the same document on the other device (H-24)")
    func sources() async throws {
        let (here, there) = (DocumentRoots(), DocumentRoots())
        let container = try DocumentRoot(
            name: "iCloud.com.example.App", directory: folder.file("here/Notes"), team: Self.team)
        let url = "file://\(folder.file("here/Notes"))/Documents/a%20b.rtfd/"
        #expect(try await journey(url, from: here, to: there) == nil)
        here.add { [container] }
        #expect(
            try await journey(url, from: here, to: there)
                == "x-baton-document://iCloud.com.example.App/Documents/a%20b.rtfd/")
        let directory = folder.file("there")
        there.add {
            [try? DocumentRoot(name: "iCloud.com.example.App", directory: directory, team: Self.team)].compactMap { $0 }
        }
        #expect(
            try await journey(url, from: here, to: there) == "file://\(directory)/Documents/a%20b.rtfd/")
    }

    @Test("a root has a plain name and an absolute directory")
    func validation() throws {
        for (name, directory) in [
            ("", "/a"), ("a b", "/a"), ("a/b", "/a"), ("ü", "/a"), ("..", "/a"), (".a", "/a"), ("-a", "/a"), ("a", "a"),
            ("a", "/"), ("a", ""), ("a", "/a/../b"),
            ("a", "/a\u{0}"), (String(repeating: "a", count: 256), "/a"),
        ] {
            #expect(throws: BatonError.self, "\(name) \(directory)") {
                try DocumentRoot(name: name, directory: directory)
            }
        }
        #expect(try DocumentRoot(name: "iCloud.com.example-1_x", directory: "//a//b/").directory == "/a/b")
    }
}
