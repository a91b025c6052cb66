public import Foundation

/// Names of files that fit a type of data. UniformTypeIdentifiers'.
extension URL {
    /// The URL with another path component that is named for a type.
    ///
    /// - Parameters:
    ///   - partialName: a name. It gets the type's preferred extension, unless it has one that fits the type: "puppy.jpg" is a picture's, and
    ///     a plain text's would be "puppy.jpg.txt".
    ///   - contentType: the type. One without an extension leaves the name as it is; a directory's URL ends with a slash.
    /// - Returns: the URL itself for an empty name.
    public func appendingPathComponent(_ partialName: String, conformingTo contentType: UTType) -> URL {
        guard !partialName.isEmpty else { return self }
        return appendingPathComponent(
            contentType.filename(partialName), isDirectory: contentType.conforms(to: .directory))
    }

    /// As ``appendingPathComponent(_:conformingTo:)``, in place.
    public mutating func appendPathComponent(_ partialName: String, conformingTo contentType: UTType) {
        self = appendingPathComponent(partialName, conformingTo: contentType)
    }

    /// The URL with the preferred extension of a type, unless it has one that fits the type.
    public func appendingPathExtension(for contentType: UTType) -> URL {
        contentType.missingExtension(of: lastPathComponent).map { appendingPathExtension($0) } ?? self
    }

    /// As ``appendingPathExtension(for:)``, in place.
    public mutating func appendPathExtension(for contentType: UTType) {
        self = appendingPathExtension(for: contentType)
    }
}

extension NSString {
    /// The path with another component that is named for a type, as `URL.appendingPathComponent(_:conformingTo:)` names it.
    public func appendingPathComponent(_ partialName: String, conformingTo contentType: UTType) -> String {
        appendingPathComponent(contentType.filename(partialName))
    }

    /// The path with the preferred extension of a type, unless it has one that fits the type.
    public func appendingPathExtension(for contentType: UTType) -> String {
        let path = substring(from: 0)
        return contentType.missingExtension(of: lastPathComponent).flatMap { appendingPathExtension($0) } ?? path
    }
}

extension UTType {
    fileprivate func filename(_ partialName: String) -> String {
        guard !partialName.isEmpty, let missing = missingExtension(of: partialName) else { return partialName }
        return "\(partialName).\(missing)"
    }

    /// Nil where the name fits, or nothing is known that would.
    fileprivate func missingExtension(of name: String) -> String? {
        let given = NSString(string: name).pathExtension
        let fits =
            !given.isEmpty
            && UTType.types(tag: given, tagClass: .filenameExtension, conformingTo: nil).contains {
                $0.conforms(to: self)
            }
        return fits ? nil : preferredFilenameExtension
    }
}
