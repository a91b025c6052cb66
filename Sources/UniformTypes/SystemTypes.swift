/// The types that every device knows, without any app.
///
/// A line is a type: its identifier, the types it conforms to, its filename extensions, its MIME types, and what a
/// person calls it, separated by `|`. The first extension and the first MIME type are the preferred ones. The
/// identifiers are those that Apple's documentation and the formats' publishers use.
enum SystemTypes {
    static let declarations: [TypeDeclaration] = [documents, code, media].flatMap {
        $0.split(separator: "\n").compactMap(declaration)
    }

    private static func declaration(_ line: Substring) -> TypeDeclaration? {
        let fields = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 5, !fields[0].isEmpty else { return nil }
        var tags: [TypeTagClass: [String]] = [:]
        for (tagClass, field) in [(TypeTagClass.filenameExtension, fields[2]), (.mimeType, fields[3])] {
            let values = field.split(separator: " ").map(String.init)
            if !values.isEmpty { tags[tagClass] = values }
        }
        return TypeDeclaration(
            identifier: fields[0], conformsTo: fields[1].split(separator: " ").map(String.init), tags: tags,
            description: fields[4].isEmpty ? nil : fields[4])
    }
}
