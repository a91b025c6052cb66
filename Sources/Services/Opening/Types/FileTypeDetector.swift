import CGIO
package import UniformTypes

/// The type that a file's content suggests, by the desktop's database of types (shared-mime-info).
///
/// A file's name comes first: the content decides only where the name says nothing.
package enum FileTypeDetector {
    /// As many bytes as the database's rules look at.
    package static let sampleSize = 16 * 1024

    /// - Parameter sample: the beginning of the content.
    /// - Returns: nil where nothing more than "bytes" is known.
    package static func mimeType(ofContent sample: [UInt8]) -> String? {
        guard !sample.isEmpty else { return nil }
        var isUncertain: CInt = 0
        guard let type = g_content_type_guess(nil, sample, UInt(sample.count), &isUncertain) else { return nil }
        defer { g_free(type) }
        guard let mimeType = g_content_type_get_mime_type(type) else { return nil }
        defer { g_free(mimeType) }
        let text = String(cString: mimeType)
        return text == "application/octet-stream" ? nil : text
    }

    /// The type of a file: by its name where an app declares its extension, else by its content, else a dynamic one.
    package static func type(
        ofFileName name: String, isDirectory: Bool, sample: [UInt8], in registry: TypeRegistry
    ) -> String {
        let named = registry.type(ofFileName: name, isDirectory: isDirectory)
        guard !isDirectory, registry.origin(of: named) == nil || named == "public.data" else { return named }
        guard let mimeType = mimeType(ofContent: sample),
            let type = registry.type(tag: mimeType, of: .mimeType, conformingTo: "public.data")
        else { return named }
        // Plain text under an unknown extension keeps its extension.
        guard type == "public.plain-text", let dynamic = DynamicType(identifier: named) else { return type }
        return registry.type(tag: dynamic.tag, of: .filenameExtension, conformingTo: "public.plain-text") ?? type
    }
}
