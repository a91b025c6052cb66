import BatonCore
import BatonTestSupport
import BatonTrust
import Opening
import Testing
import UniformTypes

/// Which app opens a scheme or a type: deterministic, and independent of the order of installation.
@Suite struct HandlerChoiceTests {
    private func app(
        _ bundleID: String, schemes: [(String, AppClaims.Role)] = [],
        types: [(String, AppClaims.Role, AppClaims.Rank)] = [], exporting: [TypeDeclaration] = []
    ) throws -> OpeningClaimant {
        var claims = AppClaims()
        claims.urlTypes = schemes.map { .init(name: "", schemes: [$0.0], role: $0.1) }
        claims.documentTypes = types.map {
            .init(name: "", contentTypes: [$0.0], role: $0.1, rank: $0.2, activityType: nil)
        }
        claims.exportedTypes = exporting
        return OpeningClaimant(bundleID: try BundleID(validating: bundleID), name: bundleID, claims: claims)
    }

    private func order(_ choice: HandlerChoice) -> [String] { choice.candidates.map(\.bundleID.rawValue) }

    @Test(
        "U-8: of several apps with one scheme the editor goes first, then the lowest identifier, then the person's choice"
    )
    func schemes() throws {
        let scheme = try #require(URLScheme("todolist"))
        let apps = [
            try app("com.d.viewer", schemes: [("todolist", .viewer)]),
            try app("com.c.editor", schemes: [("todolist", .editor)]),
            try app("com.b.editor", schemes: [("todolist", .editor)]),
            try app("com.a.other", schemes: [("other", .editor)]),
            try app("com.a.none", schemes: [("todolist", .none)]),
        ]
        let rule = ["com.b.editor", "com.c.editor", "com.d.viewer"]
        for apps in [apps, apps.reversed()] {
            let choice = HandlerChoice.handlers(of: scheme, among: apps, choice: nil)
            #expect(order(choice) == rule)
            #expect(choice.rejections.map(\.bundleID.rawValue) == ["com.a.none"])
            #expect(choice.lostChoice == nil)
        }
        let chosen = HandlerChoice.handlers(of: scheme, among: apps, choice: try BundleID(validating: "com.d.viewer"))
        #expect(order(chosen) == ["com.d.viewer", "com.b.editor", "com.c.editor"])
        #expect(chosen.candidates[0].isPersonsChoice)
        let lost = HandlerChoice.handlers(of: scheme, among: apps, choice: try BundleID(validating: "com.gone"))
        #expect(order(lost) == rule)
        #expect(lost.lostChoice?.rawValue == "com.gone")
    }

    @Test(arguments: ["http", "HTTPS", "mailto", "tel", "sms", "file", "javascript", "data"])
    func `no app can claim a scheme of the system`(_ name: String) throws {
        let scheme = try #require(URLScheme(name))
        let claimant = try app("com.a.all", schemes: [(scheme.rawValue, .editor)])
        let choice = HandlerChoice.handlers(of: scheme, among: [claimant], choice: claimant.bundleID)
        #expect(choice.candidates.isEmpty)
        #expect(choice.rejections.count == 1)
    }

    @Test("A-8, A-9: the nearest claim wins, then rank, role and identifier; None is never chosen")
    func types() throws {
        let note = TypeDeclaration(
            identifier: "com.note", conformsTo: ["public.plain-text"], tags: [.filenameExtension: ["note"]])
        let apps = [
            try app("com.text.owner", types: [("public.text", .editor, .owner)]),
            try app("com.note.alternate", types: [("com.note", .viewer, .alternate)]),
            try app("com.note.owner", types: [("com.note", .editor, .owner)], exporting: [note]),
            try app("com.note.default", types: [("com.note", .editor, .default)]),
            try app("com.note.viewer", types: [("com.note", .viewer, .default)]),
            try app("com.plain", types: [("public.plain-text", .viewer, .default)]),
            try app("com.data", types: [("public.data", .viewer, .owner)]),
            try app("com.image", types: [("public.image", .editor, .owner)]),
            try app("com.rank.none", types: [("com.note", .editor, .none)]),
            try app("com.role.none", types: [("com.note", .none, .owner)]),
        ]
        var generator = SeededGenerator(seed: 8)
        for _ in 0..<20 {
            let shuffled = apps.shuffled(using: &generator)
            let registry = TypeRegistry(apps: shuffled.map { ($0.bundleID.rawValue, $0.claims.declaredTypes) })
            let choice = HandlerChoice.handlers(of: "com.note", in: registry, among: shuffled, choice: nil)
            #expect(
                order(choice) == [
                    "com.note.owner", "com.note.default", "com.note.viewer", "com.note.alternate", "com.plain",
                    "com.text.owner", "com.data",
                ])
            #expect(choice.rejections.map(\.bundleID.rawValue) == ["com.rank.none", "com.role.none"])
        }
    }

    @Test func `random apps: the same order whatever the order of installation, and as before after an uninstall`()
        throws
    {
        var generator = SeededGenerator(seed: 1_981)
        let types = ["public.png", "public.image", "public.data", "public.text", "public.plain-text", "com.adobe.pdf"]
        for _ in 0..<300 {
            let apps = try (0..<Int.random(in: 1...12, using: &generator)).map { index in
                try app(
                    "com.app\(index)",
                    schemes: [
                        (
                            "s\(Int.random(in: 0...2, using: &generator))",
                            AppClaims.Role.allCases.randomElement(using: &generator) ?? .editor
                        )
                    ],
                    types: (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                        (
                            types.randomElement(using: &generator) ?? "public.data",
                            AppClaims.Role.allCases.randomElement(using: &generator) ?? .editor,
                            AppClaims.Rank.allCases.randomElement(using: &generator) ?? .default
                        )
                    })
            }
            let type = types.randomElement(using: &generator) ?? "public.png"
            let scheme = try #require(URLScheme("s1"))
            let extra = try app("com.aaa", schemes: [("s1", .editor)], types: [(type, .editor, .owner)])
            func decide(_ apps: [OpeningClaimant]) -> [HandlerChoice.Candidate] {
                HandlerChoice.handlers(of: type, in: .system, among: apps, choice: nil).candidates
                    + HandlerChoice.handlers(of: scheme, among: apps, choice: nil).candidates
            }
            let before = decide(apps)
            #expect(decide(apps.shuffled(using: &generator)) == before)
            let with = decide(apps + [extra])
            #expect(with.filter { $0.bundleID != extra.bundleID } == before)
            #expect(with.contains { $0.bundleID == extra.bundleID })
        }
    }
}
