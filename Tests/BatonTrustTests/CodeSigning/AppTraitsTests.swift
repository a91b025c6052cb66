import BatonCore
import BatonTestSupport
import Foundation
import Testing

@testable import BatonTrust

/// Traits of a bundle beyond its claims: localised names of schemes, launch images, entitlements of the sandbox.
@Suite struct AppTraitsTests {
    private func read(_ text: String) throws -> [String: String] { try StringsFile.read(Array(text.utf8), name: "x") }

    @Test("U-6: a strings file is read in the old style, in XML and in binary, in UTF-8 and in UTF-16")
    func encodings() throws {
        let text = """
            /* Comment */ "com.acme.todo" = "Aufgaben \\"für\\" heute\\n\\U00e4";  // another
            plain.key = 'text'; alone;
            "two" = "\\101\\ud83d\\ude00";
            """
        let expected = [
            "com.acme.todo": "Aufgaben \"für\" heute\nä", "plain.key": "text", "alone": "alone", "two": "A😀",
        ]
        #expect(try read(text) == expected)
        #expect(try read("\u{FEFF}" + text) == expected)
        for little in [true, false] {
            let bytes = ("\u{FEFF}" + text).utf16.flatMap { unit in
                let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
                return little ? [low, high] : [high, low]
            }
            #expect(try StringsFile.read(bytes, name: "x") == expected)
        }
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            let data = try PropertyListSerialization.data(fromPropertyList: expected, format: format, options: 0)
            #expect(try StringsFile.read(Array(data), name: "x") == expected)
        }
        #expect(try read("").isEmpty)
    }

    @Test(arguments: [
        "\"a\" = \"b\"", "\"a\" = ", "\"a", "a = b c;", "/* open", "= b;", "\"a\" = {b = c;};", "\"a\" = (1, 2);",
        "\"a\" = <00>;", "\"\\ud800\" = \"x\";", "\"\\Uzz\" = \"x\";", "\"a\\",
        String(repeating: "\"a\" = (", count: 100_000),
    ])
    func `a strings file that is damaged is refused whole`(_ text: String) {
        #expect(throws: BatonError.self) { try read(text) }
    }

    @Test func `bytes by chance, and texts with a byte changed, never crash the reader`() throws {
        var generator = SeededGenerator(seed: 6)
        let text = Array("/* c */ \"com.acme\" = \"t\\U00e4\\101\"; plain = 'x'; // end\n".utf8)
        for _ in 0..<5_000 {
            var bytes = text
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            if Bool.random(using: &generator) { bytes = [0xFF, 0xFE] + bytes }
            _ = try? StringsFile.read(bytes, name: "x")
        }
    }

    @Test("U-6, U-24: a bundle's traits come from its files, its Info.plist and its entitlements")
    func bundle() throws {
        let directory = try TemporaryDirectory()
        let team = try TeamKey(name: "Team")
        let fixture = try BundleFixture(
            in: directory.path,
            info: [
                "CFBundleURLTypes": [["CFBundleURLName": "com.acme.todo", "CFBundleURLSchemes": ["todolist"]]],
                "CFBundleDevelopmentRegion": "fr", "UILaunchImageFile": "Start.png",
            ],
            entitlements: [
                "com.apple.security.app-sandbox": false,
                "com.apple.security.temporary-exception.files.absolute-path.read-only": ["/srv/a"],
                "com.apple.security.temporary-exception.files.home-relative-path.read-write": ["/Music"],
            ],
            resources: [
                "de.lproj/InfoPlist.strings": "\"com.acme.todo\" = \"Aufgaben\"; \"other\" = \"x\";",
                "fr.lproj/InfoPlist.strings": "\"com.acme.todo\" = \"Tâches\";",
                "pt-BR.lproj/InfoPlist.strings": "\"com.acme.todo\" = \"Tarefas\";",
                "Sub/de.lproj/InfoPlist.strings": "broken", "Start.png": "", "Start-todolist@2x.PNG": "",
                "Sub/Other.png": "",
            ]
        ).signed(by: team)
        let traits = try AppTraits(of: try CodeVerifier.verify(fixture.path), at: fixture.path)
        #expect(traits.schemeNames["de"] == ["com.acme.todo": "Aufgaben"])
        #expect(traits.schemeName("com.acme.todo", in: ["de_AT.UTF-8"]) == "Aufgaben")
        #expect(traits.schemeName("com.acme.todo", in: ["nl", "pt_BR"]) == "Tarefas")
        #expect(traits.schemeName("com.acme.todo", in: ["nl"]) == "Tâches")
        #expect(traits.schemeName("other", in: ["de"]) == nil)
        #expect(traits.launchImages.basename == "Start")
        #expect(traits.launchImages.files == ["Start-todolist@2x.PNG", "Start.png"])
        #expect(traits.sandbox.isUnconfined)
        #expect(traits.sandbox.readOnlyPaths == ["/srv/a"])
        #expect(traits.sandbox.homeReadWritePaths == ["/Music"])
        #expect(try JSONDecoder().decode(AppTraits.self, from: JSONEncoder().encode(traits)) == traits)
    }

    @Test(
        arguments: [
            ["app-sandbox": "false"], ["app-sandbox": 0], [paths + "absolute-path.read-only": "/srv"],
            [paths + "absolute-path.read-only": [3]], [paths + "absolute-path.read-only": ["/srv", "relative"]],
            [paths + "absolute-path.read-write": ["/a/../b"]], [paths + "absolute-path.read-write": ["/"]],
            [paths + "absolute-path.read-write": ["//."]], [paths + "absolute-path.read-only": ["/proc/1"]],
            [paths + "home-relative-path.read-only": ["/"]], [paths + "home-relative-path.read-write": ["/.."]],
            [paths + "home-relative-path.read-write": [""]],
            [paths + "absolute-path.read-only": (0...64).map { "/\($0)" }],
        ] as [[String: any Sendable]])
    func `an entitlement that nobody can be asked about is refused, not left out`(
        _ entitlements: [String: any Sendable]
    ) throws {
        let directory = try TemporaryDirectory()
        let pairs = entitlements.map { ("com.apple.security." + $0.key, $0.value) }
        let fixture = try BundleFixture(
            in: directory.path, entitlements: Dictionary(uniqueKeysWithValues: pairs)
        ).signed(by: try TeamKey(name: "Team"))
        let bundle = try CodeVerifier.verify(fixture.path)
        let error = #expect(throws: BatonError.self) { try AppTraits(of: bundle, at: fixture.path) }
        #expect(error?.reason == "invalid_entitlement")
    }

    private static let paths = "temporary-exception.files."

    @Test func `an app's access is what the person is asked for, and an upgrade asks for what is new`() {
        var old = SandboxEntitlements()
        old.readOnlyPaths = ["/srv"]
        var new = old
        new.homeReadWritePaths = ["/Music"]
        #expect(new.access == ["read /srv", "write ~/Music"])
        #expect(new.access(beyond: old) == ["write ~/Music"])
        #expect(old.access(beyond: new).isEmpty)
        new.isUnconfined = true
        #expect(new.access(beyond: old) == ["unconfined"])
        #expect(old.access(beyond: new).isEmpty)
    }

    @Test(
        arguments: [
            ["UILaunchImages": "text"], ["UILaunchImages": [["UILaunchImageOrientation": "Portrait"]]],
            ["UILaunchImageFile": 3],
        ] as [[String: any Sendable]])
    func `keys of launch images with wrong types are refused`(_ info: [String: any Sendable]) throws {
        let directory = try TemporaryDirectory()
        let fixture = try BundleFixture(in: directory.path, info: info).signed(by: try TeamKey(name: "Team"))
        let bundle = try CodeVerifier.verify(fixture.path)
        #expect(throws: BatonError.self) { try AppTraits(of: bundle, at: fixture.path) }
    }
}
