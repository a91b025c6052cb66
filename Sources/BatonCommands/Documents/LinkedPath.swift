import Files

/// Paths that lead through symbolic links.
enum LinkedPath {
    /// With the links of the directories resolved that are there, and the last name as it is: a document may be a link itself.
    static func withRealParents(_ path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        return below(real(parent(of: path)), name)
    }

    /// With the links of everything resolved that is there.
    static func real(_ path: String) -> String {
        var (existing, missing) = (path, [String]())
        while existing != "/", !existing.isEmpty {
            if let resolved = RealPath.resolved(existing) { return missing.reversed().reduce(resolved, below) }
            missing.append(existing.split(separator: "/").last.map(String.init) ?? "")
            existing = parent(of: existing)
        }
        return path
    }

    /// - Parameters:
    ///   - real: the path with real parents.
    ///   - target: the path with everything resolved.
    ///   - containers: as the daemon knows them, perhaps through links too.
    /// - Returns: the path by which the daemon knows the item; as it was given, where it is in none of the containers.
    static func place(_ path: String, real: String, target: String, among containers: [String]) -> String {
        func isBelow(_ item: String, _ folder: String) -> Bool { item == folder || item.hasPrefix(folder + "/") }
        let containers = containers.filter { !$0.isEmpty }
        if containers.contains(where: { isBelow(path, $0) }) { return path }
        for container in containers {
            let folder = Self.real(container)
            for item in [real, target] where isBelow(item, folder) { return container + item.dropFirst(folder.count) }
        }
        return path
    }

    private static func parent(of path: String) -> String {
        "/" + path.split(separator: "/").dropLast().joined(separator: "/")
    }

    private static func below(_ folder: String, _ name: String) -> String {
        folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }
}
