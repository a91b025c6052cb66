/// Which symbolic links are taken from another device: those that stay in the folder that was announced.
package enum SafeLink {
    /// Bytes.
    package static let maximumTarget = 1024

    /// `..` may only come first. There the folders are real ones, so each step goes up one of them; after a name, which may
    /// be that of another link, it could lead anywhere.
    /// - Parameter path: of the link: its first component is what was announced.
    package static func stays(_ target: String, at path: String) -> Bool {
        guard !target.isEmpty, !target.hasPrefix("/"), target.utf8.count <= maximumTarget, !target.utf8.contains(0)
        else {
            return false
        }
        var steps = path.split(separator: "/").count - 2
        var isClimbing = true
        for component in target.split(separator: "/") {
            switch component {
            case ".": continue
            case "..":
                steps -= 1
                guard isClimbing, steps >= 0 else { return false }
            default: isClimbing = false
            }
        }
        return true
    }
}
