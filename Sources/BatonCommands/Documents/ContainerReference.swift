import BatonCore
import BatonWire

/// Finds the container that a person means: by its identifier, by an app that uses it, or by that app's name.
enum ContainerReference {
    /// - Throws: `not_found` with what may have been meant; `invalid_argument` when it is more than one.
    static func identifier(_ text: String, _ session: CommandSession) async throws -> String {
        let containers = try await session.call(DocumentsMethods.listContainers, .init()).containers
        // Without any the daemon says why there is none.
        return containers.isEmpty ? text : try resolve(text, among: containers)
    }

    static func resolve(
        _ text: String, among containers: [Baton_Control_V1_DocumentContainer]
    ) throws(BatonError) -> String {
        if containers.contains(where: { $0.identifier == text }) { return text }
        let used = containers.filter { $0.apps.contains { $0.lowercased() == text.lowercased() } }
        let named = used.isEmpty ? SpokenName.best(text, among: containers, name: \.name) : used
        guard named.count <= 1 else {
            let identifiers = named.map(\.identifier).sorted().joined(separator: ", ")
            throw BatonError(
                .invalidArgument, reason: "ambiguous_container",
                "“\(text.shortened(toBytes: 80))” is more than one container. Name one: \(identifiers).")
        }
        if let container = named.first { return container.identifier }
        let names = containers.flatMap { [$0.name, $0.identifier] + $0.apps }.filter { !$0.isEmpty }
        let advice =
            SpokenName.closest(to: text, among: names).map { "Did you mean “\($0.shortened(toBytes: 80))”?" }
            ?? "“baton documents” lists the containers."
        throw BatonError(
            .notFound, reason: "no_container",
            "No container and no app with one is called “\(text.shortened(toBytes: 80))” here. \(advice)")
    }

    /// The container in which an item is, and its path there.
    /// - Parameter path: absolute, or `CONTAINER/PATH`.
    static func place(
        of path: String, among containers: [Baton_Control_V1_DocumentContainer]
    ) -> (container: String, path: String)? {
        // By bytes, since names that look the same may be two.
        let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { Array($0) }.filter { $0 != [UInt8(ascii: ".")] }
        for container in containers {
            for root in [container.path.utf8, container.identifier.utf8] {
                let root = root.split(separator: UInt8(ascii: "/")).map { Array($0) }
                guard !root.isEmpty, parts.count > root.count, parts.starts(with: root) else { continue }
                let rest = parts.dropFirst(root.count).joined(separator: [UInt8(ascii: "/")])
                return (container.identifier, String(decoding: Array(rest), as: UTF8.self))
            }
        }
        return nil
    }

    /// Only by a whole name, since what is meant may be deleted.
    /// - Parameter path: begins with the name of a folder, or with a container's app.
    /// - Returns: nil where it names no container, or several.
    static func named(_ path: String, among containers: [Baton_Control_V1_DocumentContainer]) -> String? {
        guard let slash = path.firstIndex(of: "/") else { return nil }
        let (name, rest) = (path[..<slash], path[slash...])
        let folder = folderPrefix + FolderReport.name(of: String(name))
        let meant = containers.filter {
            $0.identifier == folder || $0.name == name || $0.apps.contains { $0.lowercased() == name.lowercased() }
        }
        guard meant.count == 1, let container = meant.first, !container.elsewhere else { return nil }
        return (container.path.isEmpty ? container.identifier : container.path) + rest
    }

    /// Before the name of a folder, in its identifier.
    private static let folderPrefix = "iCloud.baton.folder."

    /// The container in which a path is; nil for a path elsewhere.
    static func containing(
        _ path: String, among containers: [Baton_Control_V1_DocumentContainer]
    ) -> Baton_Control_V1_DocumentContainer? {
        func isBelow(_ folder: String) -> Bool {
            !folder.isEmpty && (path == folder || path.hasPrefix(folder + "/"))
        }
        return containers.first { isBelow($0.path) || isBelow($0.identifier) || isBelow($0.folder) }
    }
}
