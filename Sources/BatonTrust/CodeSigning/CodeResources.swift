package import BatonCore
import Crypto
import Files
import Foundation

/// The manifest of a bundle, `_CodeSignature/CodeResources`: all of its contents, with the hash of each file.
///
/// Entries that are not listed are not allowed, directories and links included. Paths use `/`, their names have no
/// invisible characters, and no two of them differ in case alone.
package struct CodeResources: Sendable, Equatable {
    package enum Entry: Sendable, Hashable {
        case directory
        case file(hash: [UInt8], size: Int64, isExecutable: Bool)
        /// Relative, and to an entry of this manifest by way of directories of this manifest only: so it cannot lead
        /// out of the bundle.
        case symlink(target: String)
    }

    package let entries: [String: Entry]

    package init(entries: [String: Entry]) throws(BatonError) {
        self.entries = entries
        try check()
    }

    /// Parents before their contents, since a beginning sorts before what it begins.
    package var sortedPaths: [String] {
        entries.keys.sorted { left, right in
            left.utf8.lexicographicallyPrecedes(right.utf8)
        }
    }
}

// MARK: - Validation

extension CodeResources {
    private func check() throws(BatonError) {
        guard entries.count <= BundleLimits.entries else { throw Self.malformed("it lists too many files") }
        var caseKeys: Set<String> = []
        var total: Int64 = 0
        for (path, entry) in entries {
            try checkPath(path)
            guard caseKeys.insert(PrintableName.caseKey(path)).inserted else {
                throw Self.malformed("two paths differ only in case from “\(PrintableName.escaped(path))”")
            }
            switch entry {
            case .directory: break
            case .file(let hash, let size, _):
                guard hash.count == 32, (0...BundleLimits.fileSize).contains(size) else {
                    throw Self.malformed("“\(PrintableName.escaped(path))” has an impossible hash or size")
                }
                total += size
                guard total <= BundleLimits.totalSize else { throw Self.malformed("its files are too large") }
            case .symlink(let target):
                guard leadsInside(target, from: path) else {
                    throw BatonError(
                        .failedPrecondition, reason: "bundle_link_escapes",
                        "The link “\(PrintableName.escaped(path))” to “\(PrintableName.escaped(target))” does not lead "
                            + "to something in the bundle. Replace it by its target.")
                }
            }
        }
    }

    private func checkPath(_ path: String) throws(BatonError) {
        let components = path.split(separator: "/", omittingEmptySubsequences: false)
        guard path.utf8.count <= BundleLimits.pathLength, components.count <= BundleLimits.depth else {
            throw Self.malformed("the path “\(PrintableName.escaped(path))” is too long or too deep")
        }
        for component in components {
            if let problem = PrintableName.problem(Array(component.utf8)) {
                throw Self.malformed("a name in “\(PrintableName.escaped(path))” \(problem)")
            }
        }
        guard PrintableName.caseKey(String(components[0])) != PrintableName.caseKey(BundleFile.signatureDirectory)
        else {
            throw Self.malformed("it lists the signature itself")
        }
        if components.count > 1 {
            guard entries[components.dropLast().joined(separator: "/")] == .directory else {
                throw Self.malformed("the directory of “\(PrintableName.escaped(path))” is not listed")
            }
        }
    }

    private func leadsInside(_ target: String, from path: String) -> Bool {
        guard !target.isEmpty, target.utf8.count <= BundleLimits.pathLength else { return false }
        var place = path.split(separator: "/").dropLast().map(String.init)
        let steps = target.split(separator: "/", omittingEmptySubsequences: false)
        for (index, step) in steps.enumerated() {
            switch step {
            case "", ".": return false
            case "..":
                guard place.popLast() != nil else { return false }
            default:
                place.append(String(step))
                let reached = entries[place.joined(separator: "/")]
                guard index == steps.count - 1 ? reached != nil : reached == .directory else { return false }
            }
        }
        return !place.isEmpty
    }
}

// MARK: - The file

extension CodeResources {
    /// - Parameter bytes: signed ones: checked all the same, since anybody can make a key.
    package init(bytes: [UInt8]) throws(BatonError) {
        let plist = try PropertyListGuard.dictionary(
            bytes, name: "CodeResources", limits: .codeResources, formats: [.xml])
        guard (plist["version"] as? Int) == 1 else {
            throw Self.malformed("it is of a version that this Baton does not know")
        }
        guard let files = plist["files"] as? [String: Any] else { throw Self.malformed("it lists no files") }
        var entries: [String: Entry] = [:]
        entries.reserveCapacity(files.count)
        for (path, value) in files {
            guard let entry = (value as? [String: Any]).flatMap(Entry.init) else {
                throw Self.malformed("the entry of “\(PrintableName.escaped(path))” is not understood")
            }
            entries[path] = entry
        }
        try self.init(entries: entries)
    }

    /// XML, the same bytes for the same bundle.
    package var bytes: [UInt8] {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
            <key>files</key>
            <dict>

            """
        for path in sortedPaths {
            guard let entry = entries[path] else { continue }
            text += "<key>\(Self.xml(path))</key>\n<dict>\(entry.xml)</dict>\n"
        }
        text += "</dict>\n<key>version</key>\n<integer>1</integer>\n</dict>\n</plist>\n"
        return Array(text.utf8)
    }

    fileprivate static func xml(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    private static func malformed(_ why: String) -> BatonError {
        BatonError(
            .failedPrecondition, reason: "bundle_manifest_invalid",
            "The bundle's list of files is not valid: \(why). Sign the bundle again with “baton sign”.")
    }
}

extension CodeResources.Entry {
    fileprivate init?(_ plist: [String: Any]) {
        if let target = plist["symlink"] as? String, plist.count == 1 {
            self = .symlink(target: target)
        } else if plist["directory"] as? Bool == true, plist.count == 1 {
            self = .directory
        } else if let hash = plist["hash"] as? Data, let size = plist["size"] as? Int,
            let isExecutable = plist["executable"] as? Bool, plist.count == 3
        {
            self = .file(hash: Array(hash), size: Int64(size), isExecutable: isExecutable)
        } else {
            return nil
        }
    }

    fileprivate var xml: String {
        switch self {
        case .directory: "<key>directory</key><true/>"
        case .symlink(let target): "<key>symlink</key><string>\(CodeResources.xml(target))</string>"
        case .file(let hash, let size, let isExecutable):
            "<key>executable</key><\(isExecutable)/><key>hash</key><data>\(Data(hash).base64EncodedString())</data>"
                + "<key>size</key><integer>\(size)</integer>"
        }
    }
}
