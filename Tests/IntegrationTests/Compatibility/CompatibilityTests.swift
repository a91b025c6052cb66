import BatonTestSupport
import Foundation
import Testing

extension Integration {
    /// Apps that import Apple's modules, with the package `Compatibility`.
    @Suite(.timeLimit(.minutes(5))) struct CompatibilityTests {
        private static let package = Products.package + "/Compatibility"
        private static let modules = [
            "AppKit", "CloudKit", "Contacts", "CoreLocation", "CoreSpotlight", "Intents", "MapKit", "MediaPlayer",
            "UIKit",
            "UniformTypeIdentifiers",
        ]

        /// The modules that the tests were built with, and those of C libraries that they need.
        private static func options() throws -> [String] {
            let build = Products.package + "/.build"
            let files = FileManager.default
            var maps: [String] = []
            func add(_ folder: String) {
                if files.fileExists(atPath: folder + "/module.modulemap") {
                    maps += ["-Xcc", "-fmodule-map-file=\(folder)/module.modulemap"]
                }
            }
            for name in try files.contentsOfDirectory(atPath: Products.directory) where name.hasSuffix(".build") {
                add(Products.directory + "/" + name)
            }
            for checkout in try files.contentsOfDirectory(atPath: build + "/checkouts") {
                let sources = "\(build)/checkouts/\(checkout)/Sources"
                for target in (try? files.contentsOfDirectory(atPath: sources)) ?? [] {
                    add("\(sources)/\(target)")
                    add("\(sources)/\(target)/include")
                }
            }
            for target in try files.contentsOfDirectory(atPath: Products.package + "/Sources") {
                add("\(Products.package)/Sources/\(target)")
            }
            return ["-swift-version", "5", "-parse-as-library", "-I", Products.directory + "/Modules"] + maps
        }

        private static func compile(_ arguments: [String]) async throws -> [String] {
            let process = try ChildProcess(["/usr/bin/env", "swiftc"] + arguments, environment: [:])
            let status = try await within(.seconds(120), "swiftc") { try await process.status() }
            try await process.errors.waitForEnd()
            return status == 0 ? [] : process.errors.all + ["swiftc ended with \(status)"]
        }

        @Test("apps of Examples/ compile with Apple's imports in place of Baton's")
        func imports() async throws {
            let folder = try TemporaryDirectory()
            let directory = folder.path
            let options = try Self.options() + ["-I", directory]
            for module in Self.modules {
                let source = "\(Self.package)/Sources/\(module)/\(module).swift"
                let output = "\(directory)/\(module).swiftmodule"
                #expect(
                    try await Self.compile(
                        options + ["-emit-module", "-module-name", module, source, "-o", output]) == [])
            }
            // Modules of their own, which need nothing of Baton.
            for module in ["os", "OSLog"] {
                let folder = "\(Self.package)/Sources/\(module)"
                let sources = try FileManager.default.contentsOfDirectory(atPath: folder).map { "\(folder)/\($0)" }
                #expect(
                    try await Self.compile(
                        [
                            "-swift-version", "6", "-parse-as-library", "-I", directory, "-emit-module", "-module-name",
                            module, "-o", "\(directory)/\(module).swiftmodule",
                        ] + sources.sorted()) == [])
            }
            for (app, imports) in [
                ("iCloudUIDoc", ["UIKit"]), ("ShareSheet", ["UIKit", "UniformTypeIdentifiers"]),
                ("Directions", ["UIKit", "MapKit", "CoreLocation", "Contacts"]), ("RichTextEditor", ["AppKit"]),
                ("Mail", ["UIKit", "CoreSpotlight"]), ("Contacts", ["CloudKit", "OSLog"]),
                ("XamarinPlatform", ["UIKit", "CoreSpotlight"]),
                ("MonkeyChat", ["UIKit", "MapKit", "CoreLocation", "CoreSpotlight", "Intents"]),
                ("MonkeyPlayer", ["UIKit", "MediaPlayer"]),
                ("RestaurantReviews", ["UIKit", "CoreSpotlight", "MapKit", "CoreLocation", "Contacts"]),
            ] {
                let folder = Products.package + "/Examples/\(app)/Sources"
                var sources: [String] = []
                for file in try FileManager.default.contentsOfDirectory(atPath: folder) where file.hasSuffix(".swift") {
                    let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
                    let lines = imports.map { "import \($0)" }.joined(separator: "\n")
                    let path = "\(directory)/\(app)-\(file)"
                    try text.replacing("import Baton\n", with: lines + "\n").write(
                        toFile: path, atomically: true, encoding: .utf8)
                    sources.append(path)
                }
                let found = try await Self.compile(options + ["-typecheck", "-module-name", app + "App"] + sources)
                #expect(found == [], "\(app)")
            }
        }

        @Test(
            "an app can neither make an INIntent or INIntentResponse nor derive from one: only their subclasses (P-53)")
        func abstractIntents() async throws {
            let folder = try TemporaryDirectory()
            let options = try Self.options()
            func errors(_ line: String) async throws -> [String] {
                let path = folder.file("Intent.swift")
                try "import Baton\n\n\(line)\n".write(toFile: path, atomically: true, encoding: .utf8)
                return try await Self.compile(options + ["-typecheck", "-module-name", "Intent", path])
                    .filter { $0.contains("error: ") }
            }
            for line in ["let made = INIntent()", "let made = INIntentResponse()"] {
                #expect(
                    try await errors(line).contains { $0.contains("missing argument for parameter 'coder'") }, "\(line)"
                )
            }
            for line in ["final class Own: INIntent {}", "final class Own: INIntentResponse {}"] {
                #expect(
                    try await errors(line).contains { $0.contains("cannot inherit from non-open class") }, "\(line)")
            }
            #expect(try await errors("let made = INSendMessageIntentResponse(code: .success, userActivity: nil)") == [])
        }

        @Test("no dependency asks whether one of these modules is there, so none behaves otherwise with them")
        func dependencies() throws {
            let checkouts = Products.package + "/.build/checkouts"
            let questions = Self.modules.map { "canImport(\($0))" }
            var looked = 0
            for path in try FileManager.default.subpathsOfDirectory(atPath: checkouts) {
                // Their tests are not built, and manifests are read without modules.
                guard path.hasSuffix(".swift"), path.contains("/Sources/"), !path.contains("/Tests/") else { continue }
                looked += 1
                let text = (try? String(contentsOfFile: "\(checkouts)/\(path)", encoding: .utf8)) ?? ""
                guard text.contains("canImport(") else { continue }
                #expect(!questions.contains { text.contains($0) }, "\(path)")
            }
            #expect(looked > 1000)
        }
    }
}
