import BatonCore
import BatonWire

/// Finds the app that a person means: by bundle identifier, or by its name when only one has it. A program that is run from
/// its build folder, which is called `development.NAME`, is found by `NAME`, too.
enum AppReference {
    static func bundleID(_ text: String, _ session: CommandSession) async throws -> String {
        let apps = try await session.call(ControlMethods.listApps, .init()).apps
        return try resolve(text, among: apps)
    }

    /// - Throws: `not_found`, or `invalid_argument` when several have the name.
    static func resolve(_ text: String, among apps: [Baton_Control_V1_App]) throws(BatonError) -> String {
        if apps.contains(where: { $0.identity.bundleID == text }) { return text }
        let named = SpokenName.best(text, among: apps, name: \.name)
        guard named.count <= 1 else {
            let identifiers = named.map(\.identity.bundleID).sorted().joined(separator: ", ")
            throw BatonError(
                .invalidArgument, reason: "ambiguous_app",
                "Several apps fit “\(text.shortened(toBytes: 80))”. Name one by its bundle identifier: \(identifiers)."
            )
        }
        if let app = named.first { return app.identity.bundleID }
        let identifier = developmentIdentifier(text).lowercased()
        let programs = Set(apps.map(\.identity.bundleID).filter { $0.lowercased() == identifier })
        if programs.count == 1, let program = programs.first { return program }
        let advice = closest(to: text, among: apps).map { "Did you mean “\($0)”?" } ?? "“baton apps” lists them."
        throw BatonError(
            .notFound, reason: "app_not_found",
            "No app “\(text.shortened(toBytes: 80))” is installed or running here. \(advice)")
    }

    /// The bundle identifier of a program that has none of its own.
    static func developmentIdentifier(_ name: String) -> String { "development.\(name)" }

    /// The name or bundle identifier that is most like an unknown text; nil when nothing is like it.
    static func closest(to text: String, among apps: [Baton_Control_V1_App]) -> String? {
        let names = apps.flatMap { [$0.name, $0.identity.bundleID] }
            .filter { !$0.isEmpty && $0.lowercased() != text.lowercased() }
        let closest = SpokenName.closest(to: key(text), among: names.map(key))
        return names.first { key($0) == closest }?.shortened(toBytes: 80)
    }

    /// In a bundle identifier the last part distinguishes apps: those of one company have the others alike.
    private static func key(_ name: String) -> String {
        let last = BundleID.isValid(name) ? name.split(separator: ".").last.map { String($0) } : nil
        return (last ?? name).lowercased()
    }
}
