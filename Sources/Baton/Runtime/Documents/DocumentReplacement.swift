import Foundation

/// Puts what was written beside a file in its place.
enum DocumentReplacement {
    /// A regular file keeps the mode of the one that it replaces.
    static func put(_ temporary: URL, at target: URL, attributes: [AnyHashable: Any]?) throws {
        var given: [FileAttributeKey: Any] = [:]
        for (key, value) in attributes ?? [:] {
            if let key = key as? FileAttributeKey { given[key] = value }
            if let key = key as? String { given[FileAttributeKey(rawValue: key)] = value }
        }
        let previous = try? FileManager.default.attributesOfItem(atPath: target.path)
        if given[.posixPermissions] == nil, previous?[.type] as? FileAttributeType == .typeRegular,
            DocumentFingerprint(path: temporary.path)?.isDirectory == false
        {
            given[.posixPermissions] = previous?[.posixPermissions]
        }
        if !given.isEmpty { try FileManager.default.setAttributes(given, ofItemAtPath: temporary.path) }
        do throws(DurableFile.Failure) {
            _ = try DurableFile.replace(target.path, with: temporary.path)
        } catch {
            throw DocumentErrors.file(error, isWriting: true)
        }
    }
}
