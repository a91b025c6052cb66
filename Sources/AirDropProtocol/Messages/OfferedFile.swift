package import BatonCore
import Files

/// One file or folder that a sender offers: an element of `Files` of `/Ask`.
package struct OfferedFile: Hashable, Sendable {
    /// As the person is asked about it, and as it is stored.
    package let name: String
    /// A uniform type identifier, as in `public.jpeg`. The sender's claim; it proves nothing.
    package let type: String?
    /// The name in the archive, where it comes after `./`.
    package let archiveName: String
    package let isDirectory: Bool
    /// Whether the receiver may be sent another format of the picture or film.
    package let convertsMedia: Bool

    /// The type of a text that is sent as a file.
    package static let plainText = "public.plain-text"
    /// The name of a text that is sent as a file.
    package static let textName = "Text.txt"

    /// - Parameter name: one component of a path, which is its name in the archive too.
    /// - Throws: `airdrop_invalid_file_name` if it is invalid.
    package init(name: String, type: String?, isDirectory: Bool = false) throws(BatonError) {
        guard Self.isComponent(name), name.utf8.count <= SafeName.maximumSize else {
            throw BatonError(
                .invalidArgument, reason: "airdrop_invalid_file_name",
                "“\(SafeName.display(name))” cannot be sent under this name. Rename it.")
        }
        self.name = name
        self.type = type
        archiveName = name
        self.isDirectory = isDirectory
        convertsMedia = false
    }

    init(_ value: PropertyListValue, _ location: String) throws(BatonError) {
        let fields = try PropertyListFields(value, location)
        let fileName = try fields.require(try fields.text("FileName"), "FileName")
        guard !fileName.isEmpty else { throw PropertyListFields.invalid("\(location).FileName is empty") }
        // One that the archive cannot have announces nothing, and is found out here rather than after the transfer.
        let path = try fields.text("FileBomPath", maximum: 4 * AirDropLimits.nameSize) ?? "./" + fileName
        let component = Self.component(ofPath: path)
        guard Self.isComponent(component) else {
            throw PropertyListFields.invalid("\(location).FileBomPath is not the path of an item in the archive")
        }
        name = SafeName(fileName).text
        type = try fields.displayedText("FileType")
        archiveName = component
        isDirectory = try fields.flag("FileIsDirectory") ?? false
        convertsMedia = try fields.flag("ConvertMediaFormats") ?? false
    }

    var value: PropertyListValue {
        var members: [String: PropertyListValue] = [
            "FileName": .string(name), "FileBomPath": .string("./" + archiveName),
            "FileIsDirectory": .boolean(isDirectory), "ConvertMediaFormats": .boolean(convertsMedia),
        ]
        members.set("FileType", text: type)
        return .dictionary(members)
    }

    /// `./name` and `./name/` are `name`.
    private static func component(ofPath path: String) -> String {
        var component = path[...]
        if component.hasPrefix("./") { component = component.dropFirst(2) }
        if component.hasSuffix("/") { component = component.dropLast() }
        return String(component)
    }

    private static func isComponent(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".." && !name.utf8.contains(UInt8(ascii: "/")) && !name.utf8.contains(0)
    }
}
