import BatonTestSupport
import Foundation
import Testing

extension Integration {
    /// Apps that import Apple's modules, with the package `Compatibility`.
    @Suite(.timeLimit(.minutes(5))) struct CompatibilityTests {
        private static let package = Products.package + "/Compatibility"
        private static let modules = [
            "AppKit", "Contacts", "CoreLocation", "CoreSpotlight", "MapKit", "MediaPlayer", "UIKit",
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
            for (app, imports) in [
                ("iCloudUIDoc", ["UIKit"]), ("ShareSheet", ["UIKit", "UniformTypeIdentifiers"]),
                ("Directions", ["UIKit", "MapKit", "CoreLocation", "Contacts"]), ("RichTextEditor", ["AppKit"]),
                ("Mail", ["UIKit", "CoreSpotlight"]), ("XamarinPlatform", ["UIKit", "CoreSpotlight"]),
                ("MonkeyChat", ["UIKit", "MapKit", "CoreLocation"]),
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
                let found = try await Self.compile(options + ["-typecheck", "-module-name", app] + sources)
                #expect(found == [], "\(app)")
            }
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
