import BatonCore
import Foundation
import UniformTypes

/// The values of a program's `Info.plist` that continuity needs.
struct AppBundle: Sendable, Hashable {
    var bundleIdentifier: String?
    var displayName: String?
    var bundleVersion: String?
    var activityTypes: [String] = []
    /// As written: a profile of ``KeyValueLimits``.
    var keyValueLimits: String?
    var declaredTypes = DeclaredTypes()
    var documentTypes = DocumentTypes(infoDictionary: [:])
    /// `LSApplicationQueriesSchemes`, in lower case; the first 50 count.
    var queriedSchemes: Set<String> = []
    /// Nil for an app without scenes.
    var sceneManifest: SceneManifest?

    var extensions = AppExtensions()

    init() {}

    init(infoDictionary: [String: Any]) {
        bundleIdentifier = infoDictionary["CFBundleIdentifier"] as? String
        displayName = infoDictionary["CFBundleDisplayName"] as? String ?? infoDictionary["CFBundleName"] as? String
        bundleVersion = infoDictionary["CFBundleVersion"] as? String
        documentTypes = DocumentTypes(infoDictionary: infoDictionary)
        let types = infoDictionary["NSUserActivityTypes"] as? [String] ?? []
        // Types of documents need not be repeated (H-59).
        activityTypes = types + documentTypes.activityTypes.subtracting(types).sorted()
        keyValueLimits = infoDictionary[KeyValueLimits.infoKey] as? String
        declaredTypes = DeclaredTypes(infoDictionary: infoDictionary)
        let schemes = infoDictionary["LSApplicationQueriesSchemes"] as? [String] ?? []
        queriedSchemes = Set(schemes.prefix(50).map { $0.lowercased() })
        // SwiftPM names the module of a program after it.
        let program = infoDictionary["CFBundleExecutable"] as? String ?? ""
        let module = String(program.map { $0.isLetter || $0.isNumber ? $0 : "_" })
        sceneManifest = SceneManifest(infoDictionary: infoDictionary, module: module)
        extensions = AppExtensions(infoDictionary: infoDictionary, module: module)
    }

    /// A bundle of Baton is flat, `Name.app/{Info.plist,executable}`, a layout that Foundation's `Bundle` does not know
    /// on Linux: the plist beside the executable is read first.
    ///
    /// Then the one beside `Package.swift`, for a program that `swift run` has built.
    static func containing(executable: String) -> AppBundle? {
        let folder = URL(fileURLWithPath: executable).deletingLastPathComponent()
        return [folder, package(of: folder)].lazy.compactMap { $0.flatMap { read($0, executable) } }.first
    }

    /// The folder of the package whose build folder this is in.
    private static func package(of folder: URL) -> URL? {
        var folder = folder
        // `.build/x86_64-unknown-linux-gnu/debug`, or `.build/debug`.
        for _ in 0..<3 {
            let parent = folder.deletingLastPathComponent()
            if folder.lastPathComponent == ".build" { return parent }
            folder = parent
        }
        return nil
    }

    private static func read(_ folder: URL, _ executable: String) -> AppBundle? {
        let plist = folder.appendingPathComponent("Info.plist")
        guard let data = try? Data(contentsOf: plist),
            let content = try? PropertyListSerialization.propertyList(from: data, options: [], format: nil),
            let dictionary = content as? [String: Any]
        else { return nil }
        // Another program's plist may lie in the same directory, e.g. in /usr/bin.
        let name = URL(fileURLWithPath: executable).lastPathComponent
        if let declared = dictionary["CFBundleExecutable"] as? String, declared != name { return nil }
        return AppBundle(infoDictionary: dictionary)
    }

    /// The bundle of this process: read once.
    static let main: AppBundle = {
        if let bundle = containing(executable: executablePath) { return bundle }
        return AppBundle(infoDictionary: Bundle.main.infoDictionary ?? [:])
    }()

    /// The kernel's word, since `argv[0]` is the caller's choice.
    static let executablePath: String = {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return link ?? Bundle.main.executablePath ?? CommandLine.arguments.first ?? "unknown"
    }()

    /// `development.` and the executable's name, with `-` for what an identifier cannot hold.
    static func developmentIdentifier(executable: String) -> String {
        let name = URL(fileURLWithPath: executable).lastPathComponent
        let allowed = name.prefix(100).map { character -> Character in
            let isAllowed = character.isASCII && (character.isLetter || character.isNumber || "-_".contains(character))
            return isAllowed ? character : "-"
        }
        return "development." + (allowed.isEmpty ? "unknown" : String(allowed))
    }
}
