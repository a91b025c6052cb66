package import BatonCore
import BatonTrust
package import UniformTypes

/// The `.desktop` file of an installed app: by it every program of the desktop can open the app, and the app's URLs and
/// files (freedesktop.org's Desktop Entry Specification).
package struct DesktopEntry: Sendable, Hashable {
    /// MIME types of one app.
    static let maximumTypes = 500
    /// Types to which nearly every other one conforms. An app that opens “any file” is offered where Baton chooses, but does
    /// not become the desktop's program for PDF.
    private static let roots: Set = [
        "public.item", "public.content", "public.composite-content", "public.data", "public.directory",
    ]

    package let bundleID: BundleID
    package let text: String
    /// An app that the bus can call has an entry of its name, by which the desktop finds it there.
    package let fileName: String

    /// - Parameters:
    ///   - icon: the path of its picture; nil for the desktop's usual one.
    ///   - command: the program `baton`, and the options that lead to this device's daemon.
    ///   - isNameFree: whether the app may have its name on the bus: see ``ForeignNames``.
    package init(
        app: OpeningClaimant, icon: String?, types: TypeRegistry, command: [String], isNameFree: Bool = true
    ) {
        bundleID = app.bundleID
        let busName = isNameFree ? BusName(app.bundleID) : nil
        fileName = busName.map { "\($0).desktop" } ?? "baton-\(app.bundleID).desktop"
        let arguments = command + ["open", "--with", app.bundleID.rawValue]
        var lines = [
            "[Desktop Entry]", "Type=Application", "Name=\(Self.escape(app.name))",
            "Exec=\(arguments.map(Self.quote).joined(separator: " ")) %U",
            "Icon=\(Self.escape(icon ?? "application-x-executable"))", "Terminal=false", "StartupNotify=false",
        ]
        let mimeTypes = Self.mimeTypes(app.claims, types)
        if busName != nil { lines.append("DBusActivatable=true") }
        if !mimeTypes.isEmpty { lines.append("MimeType=\(mimeTypes.map { $0 + ";" }.joined())") }
        lines.append("\(MarkedFiles.marker)=\(app.bundleID)")
        text = lines.joined(separator: "\n") + "\n"
    }

    /// Schemes first, then the MIME types of everything that conforms to a type that the app opens.
    private static func mimeTypes(_ claims: AppClaims, _ types: TypeRegistry) -> [String] {
        var result: [String] = []
        for type in claims.urlTypes where type.role != .none {
            for scheme in type.schemes where URLScheme(scheme)?.isReserved == false {
                result.append("x-scheme-handler/\(scheme)")
            }
        }
        let claimed = Set(
            claims.documentTypes.filter { $0.role != .none && $0.rank != .none }.flatMap(\.contentTypes)
                .map { $0.lowercased() }
        ).subtracting(roots)
        guard !claimed.isEmpty else { return unique(result) }
        for identifier in types.identifiers {
            let chain = [identifier] + types.supertypes(of: identifier)
            guard chain.contains(where: { claimed.contains($0.lowercased()) }) else { continue }
            result += (types.declaration(of: identifier)?.tags[.mimeType] ?? []).filter { !$0.contains(";") }
        }
        return Array(unique(result).prefix(maximumTypes))
    }

    private static func unique(_ types: [String]) -> [String] {
        var seen: Set<String> = []
        return types.filter { seen.insert($0).inserted }
    }

    /// A value of type string.
    private static func escape(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n").replacing("\t", with: "\\t")
            .replacing("\r", with: "\\r")
    }

    /// An argument of `Exec`: in quotes, with what a shell would expand escaped, and `%` doubled; then escaped as a string.
    private static func quote(_ argument: String) -> String {
        let doubled = argument.replacing("%", with: "%%")
        let isPlain = doubled.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                || "-_./%+,@:".utf8.contains(byte)
        }
        guard !isPlain || doubled.isEmpty else { return doubled }
        var quoted = ""
        for character in doubled {
            if "\"`$\\".contains(character) { quoted += "\\" }
            quoted.append(character)
        }
        return escape("\"\(quoted)\"")
    }
}
