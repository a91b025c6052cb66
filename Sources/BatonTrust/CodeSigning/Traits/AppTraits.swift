package import BatonCore
import Files
import Foundation

/// Traits of a bundle beyond its claims: how it is launched and shown. Kept with the installed app.
package struct AppTraits: Sendable, Hashable, Codable {
    package var sandbox = SandboxEntitlements()
    package var launchImages = LaunchImageDeclarations()
    /// Localised texts of `InfoPlist.strings` for the names of URL types (U-6): by language, as in `de` or `pt-BR`, then
    /// by `CFBundleURLName`.
    package var schemeNames: [String: [String: String]] = [:]
    /// `CFBundleDevelopmentRegion`: the language that counts where the person's is missing.
    package var developmentLanguage = ""
    /// Its iCloud containers, the default one first. Nil for what an older Baton kept.
    package var documentContainers: [String]?
    /// How the person sees them, by identifier. Nil for what an older Baton kept.
    package var ubiquitousContainers: [String: UbiquitousContainerTraits]?
    /// The containers whose databases of records it may use, the default one first. Nil for what an older Baton kept.
    package var recordContainers: [String]?

    package init() {}
}

extension AppTraits {
    static let maximumLanguages = 200
    /// Limit of one `InfoPlist.strings`.
    static let maximumStringsSize = 256 * 1024

    /// Reads them from a bundle that was verified and lies where no other program writes. Blocks.
    ///
    /// - Throws: `invalid_argument` for a property list that is malformed; no app fails for what is only left out.
    package init(of bundle: VerifiedBundle, at path: String) throws(BatonError) {
        let root = try DirectoryHandle(path: path)
        let bytes = try root.file(BundleFile.info).contents(limit: BundleLimits.plistSize)
        let plist = PropertyListReader(
            file: BundleFile.info, values: try PropertyListGuard.dictionary(bytes, name: BundleFile.info))
        sandbox = try SandboxEntitlements(bundle.info.entitlements)
        documentContainers = try bundle.info.entitlements.documentContainers(of: bundle.identity)
        ubiquitousContainers = try UbiquitousContainerTraits.all(plist, of: documentContainers ?? [])
        recordContainers = bundle.info.entitlements.recordContainers(of: bundle.identity)
        launchImages = try LaunchImageDeclarations(plist, files: bundle.resources)
        developmentLanguage = try plist.string("CFBundleDevelopmentRegion", maximumLength: 64) ?? ""
        let keys = Set(bundle.info.claims.urlTypes.map(\.name)).subtracting([""])
        guard !keys.isEmpty else { return }
        let suffix = ".lproj/InfoPlist.strings"
        let files = bundle.resources.entries.filter { path, entry in
            guard case .file = entry else { return false }
            return path.hasSuffix(suffix) && !path.dropLast(suffix.count).contains("/")
        }
        for file in files.keys.sorted().prefix(Self.maximumLanguages) {
            let language = String(file.dropLast(suffix.count))
            let directory = try root.directory(language + ".lproj")
            let bytes = try directory.file("InfoPlist.strings").contents(limit: Self.maximumStringsSize)
            let names = try StringsFile.read(bytes, name: file).filter { keys.contains($0.key) }
            if !names.isEmpty { schemeNames[language] = names }
        }
    }

    /// The human-readable name of a URL type in one of the person's languages (U-6).
    /// - Parameters:
    ///   - name: its `CFBundleURLName`.
    ///   - languages: as in `de_DE.UTF-8` or `pt-BR`, the most wanted first.
    /// - Returns: nil where the bundle has none.
    package func schemeName(_ name: String, in languages: [String]) -> String? {
        let known = Dictionary(
            schemeNames.map { ($0.key.lowercased().replacing("_", with: "-"), $0.value) }.sorted { $0.0 < $1.0 },
            uniquingKeysWith: { first, _ in first })
        var wanted: [String] = []
        for language in languages + [developmentLanguage, "Base", "en"] where !language.isEmpty {
            let plain = language.prefix { $0 != "." && $0 != "@" }.lowercased().replacing("_", with: "-")
            let parts = plain.split(separator: "-")
            for count in stride(from: parts.count, to: 0, by: -1) {
                wanted.append(parts.prefix(count).joined(separator: "-"))
            }
        }
        return wanted.lazy.compactMap { known[$0]?[name] }.first
    }
}
