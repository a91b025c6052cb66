import BatonCore
import BatonWire

/// Finds the app that a person means: by bundle identifier, or by its name when only one has it.
enum AppReference {
    static func bundleID(_ text: String, _ session: CommandSession) async throws -> String {
        let apps = try await session.call(ControlMethods.listApps, .init()).apps
        return try resolve(text, among: apps)
    }

    /// - Throws: `not_found`, or `invalid_argument` when several have the name.
    static func resolve(_ text: String, among apps: [Baton_Control_V1_App]) throws(BatonError) -> String {
        if apps.contains(where: { $0.identity.bundleID == text }) { return text }
        let named = apps.filter { $0.name.lowercased() == text.lowercased() }
        guard named.count <= 1 else {
            let identifiers = named.map(\.identity.bundleID).sorted().joined(separator: ", ")
            throw BatonError(
                .invalidArgument, reason: "ambiguous_app",
                "Several apps are called “\(text.shortened(toBytes: 80))”. Name one by its bundle identifier: \(identifiers)."
            )
        }
        if let app = named.first { return app.identity.bundleID }
        throw BatonError(
            .notFound, reason: "app_not_found",
            "No app “\(text.shortened(toBytes: 80))” is installed or running here. “baton apps” lists them.")
    }
}
