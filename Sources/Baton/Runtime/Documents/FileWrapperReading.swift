import Foundation

/// Reads wrappers, and compares them with files.
enum FileWrapperReading {
    /// Deeper directories are refused.
    static let maximumDepth = 64

    /// Whether a file can have this name.
    static func isName(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".." && name.utf8.count <= 255
            && !name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
    }

    /// A name that is not taken: `NAME`, or `1__#$!@%!#__NAME` and so on, as Apple makes them.
    static func free(_ name: String, _ children: [String: FileWrapper]) -> String {
        guard children[name] != nil else { return name }
        var number = 1
        while children["\(number)__#$!@%!#__\(name)"] != nil { number += 1 }
        return "\(number)__#$!@%!#__\(name)"
    }

    static func read(_ path: String, depth: Int) throws -> FileWrapper {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        let kept = kept(attributes)
        switch attributes[.type] as? FileAttributeType {
        case .typeRegular?:
            return FileWrapper(
                content: .file(try Data(contentsOf: URL(fileURLWithPath: path))), attributes: kept)
        case .typeSymbolicLink?:
            return FileWrapper(
                content: .link(try FileManager.default.destinationOfSymbolicLink(atPath: path)), attributes: kept)
        case .typeDirectory? where depth < maximumDepth:
            var children: [String: FileWrapper] = [:]
            for name in try FileManager.default.contentsOfDirectory(atPath: path) {
                let child = try read(path + "/" + name, depth: depth + 1)
                child.filename = name
                child.preferredFilename = name
                children[name] = child
            }
            return FileWrapper(content: .directory(children), attributes: kept)
        default:
            let url = URL(fileURLWithPath: path)
            throw DocumentErrors.cocoa(
                .fileReadUnknown,
                "“\(url.lastPathComponent)” is neither a file, a directory nor a link, or lies too deep.", url)
        }
    }

    private static func kept(_ attributes: [FileAttributeKey: Any]) -> [String: Any] {
        var kept: [String: Any] = [:]
        for key in [FileAttributeKey.posixPermissions, .modificationDate] { kept[key.rawValue] = attributes[key] }
        return kept
    }

    static func matches(_ wrapper: FileWrapper, _ path: String, depth: Int) -> Bool {
        guard depth <= maximumDepth, let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
            return false
        }
        let date = wrapper.fileAttributes[FileAttributeKey.modificationDate.rawValue] as? Date
        let type = attributes[.type] as? FileAttributeType
        switch wrapper.content {
        case .file(let data):
            return type == .typeRegular && (attributes[.size] as? NSNumber)?.intValue == data.count
                && attributes[.modificationDate] as? Date == date
        case .link(let destination):
            return type == .typeSymbolicLink
                && (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) == destination
        case .directory(let children):
            guard type == .typeDirectory, let names = try? FileManager.default.contentsOfDirectory(atPath: path),
                Set(names) == Set(children.keys)
            else { return false }
            return children.allSatisfy { matches($0.value, path + "/" + $0.key, depth: depth + 1) }
        }
    }

    /// The wrapper was written to a path: it has the names and dates of what is there.
    static func takeOver(_ wrapper: FileWrapper, _ path: String, depth: Int) {
        guard depth <= maximumDepth, let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
            return
        }
        wrapper.fileAttributes = kept(attributes)
        for (name, child) in wrapper.fileWrappers ?? [:] {
            child.filename = name
            takeOver(child, path + "/" + name, depth: depth + 1)
        }
    }
}
