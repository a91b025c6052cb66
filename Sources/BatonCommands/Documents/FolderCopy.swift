import Foundation

/// Copies a person's folder as it is, but for what is no document: pipes and the like, which would be waited for, and what Baton keeps.
enum FolderCopy {
    private static let ownNames: Set<String> = [".baton-folder", ".baton-reverted"]

    /// - Parameter target: is made, and must not be there.
    static func copy(_ source: String, to target: String, isTop: Bool = true) throws {
        let files = FileManager.default
        try files.createDirectory(atPath: target, withIntermediateDirectories: isTop)
        for name in try files.contentsOfDirectory(atPath: source) where !isTop || !ownNames.contains(name) {
            let (from, to) = ("\(source)/\(name)", "\(target)/\(name)")
            switch try files.attributesOfItem(atPath: from)[.type] as? FileAttributeType {
            case .typeDirectory?: try copy(from, to: to, isTop: false)
            case .typeRegular?, .typeSymbolicLink?: try files.copyItem(atPath: from, toPath: to)
            default: break
            }
        }
        let attributes = try files.attributesOfItem(atPath: source)
        try files.setAttributes(
            attributes.filter { [.posixPermissions, .modificationDate].contains($0.key) }, ofItemAtPath: target)
    }
}
