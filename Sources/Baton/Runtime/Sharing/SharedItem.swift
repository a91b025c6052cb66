import Foundation

/// An item of a share sheet, as the system's activities see it: what it is was inferred from its class.
struct SharedItem: Sendable, Hashable {
    enum Content: Sendable, Hashable {
        case text(String)
        /// The URL of anything but a file.
        case url(URL)
        case file(URL)
        case data(Data)
    }

    var content: Content
    var type: UTType
    /// A suggested name; with or without extension.
    var name: String?

    init(content: Content, type: UTType, name: String?) {
        self.content = content
        self.type = type
        self.name = name
    }

    /// Makes an item of data in a type: text becomes text.
    init(data: Data, type: UTType, name: String?) {
        if type.conforms(to: .plainText), let text = String(data: data, encoding: .utf8) {
            self.init(content: .text(text), type: type, name: name)
        } else if type.conforms(to: .url), !type.conforms(to: .fileURL), let text = String(data: data, encoding: .utf8),
            let url = URL(string: text)
        {
            self.init(content: .url(url), type: .url, name: name)
        } else {
            self.init(content: .data(data), type: type, name: name)
        }
    }

    /// - Parameter dataType: the uniform type of an item that is data; nil or empty counts as `public.data`.
    /// - Returns: nil for what only an app's own activities understand.
    init?(_ item: Any, dataType: String? = nil) {
        switch item {
        case let text as String: self.init(content: .text(text), type: .plainText, name: nil)
        case let text as NSString: self.init(content: .text(text.substring(from: 0)), type: .plainText, name: nil)
        case let text as NSAttributedString: self.init(content: .text(text.string), type: .plainText, name: nil)
        case let text as AttributedString:
            self.init(content: .text(String(text.characters)), type: .plainText, name: nil)
        case let url as URL: self.init(url: url)
        case let url as NSURL:
            guard let url = URL(string: url.absoluteString) else { return nil }
            self.init(url: url)
        case let image as UIImage where image.data.isEmpty: return nil
        case let image as UIImage: self.init(content: .data(image.data), type: image.type, name: nil)
        case let data as Data: self.init(data: data, type: Self.type(dataType), name: nil)
        case let data as NSData:
            self.init(data: Data(bytes: data.bytes, count: data.length), type: Self.type(dataType), name: nil)
        default: return nil
        }
    }

    private init(url: URL) {
        guard url.isFileURL else {
            self.init(content: .url(url), type: .url, name: nil)
            return
        }
        let type = UTType(filenameExtension: url.pathExtension) ?? .data
        self.init(content: .file(url), type: type, name: url.lastPathComponent)
    }

    private static func type(_ identifier: String?) -> UTType { identifier.flatMap { UTType($0) } ?? .data }

    var fileURL: URL? { if case .file(let url) = content { url } else { nil } }

    /// A text, or a URL of no file, as text.
    var text: String? {
        switch content {
        case .text(let text): text
        case .url(let url): url.absoluteString
        case .file, .data: nil
        }
    }

    /// A file, or data that can become one.
    var isDocument: Bool { text == nil }

    /// Its content; a file is read.
    func data() throws -> Data {
        switch content {
        case .text(let text): Data(text.utf8)
        case .url(let url): Data(url.absoluteString.utf8)
        case .data(let data): data
        case .file(let url): try Data(contentsOf: url)
        }
    }

    /// As a file: the item itself, or a temporary one that its user removes with ``TemporaryFiles/remove(_:)``.
    func file() throws -> (url: URL, isTemporary: Bool) {
        if case .file(let url) = content { return (url, false) }
        return (try TemporaryFiles.make(try data(), named: name, type: type), true)
    }
}

/// Files that live as long as something is done with them, each in a folder of its own in the app's `tmp`.
enum TemporaryFiles {
    /// - Parameter name: with or without the type's extension; nil for a name of the type.
    static func make(_ data: Data, named name: String?, type: UTType) throws -> URL {
        let url = try folder().appendingPathComponent(fileName(name, type: type))
        try data.write(to: url, options: .withoutOverwriting)
        return url
    }

    static func copy(_ file: URL) throws -> URL {
        let url = try folder().appendingPathComponent(file.lastPathComponent)
        try FileManager.default.copyItem(at: file, to: url)
        return url
    }

    /// For a file that is yet to be written.
    static func place(_ name: String) throws -> URL { try folder().appendingPathComponent(name) }

    static func remove(_ url: URL) { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }

    /// The app's container where it has one: the daemon takes files from there only.
    static var directory: URL {
        if let container = ProcessInfo.processInfo.environment["BATON_CONTAINER"], !container.isEmpty {
            return URL(fileURLWithPath: container).appendingPathComponent("tmp", isDirectory: true)
        }
        return URL(fileURLWithPath: NSTemporaryDirectory(), isDirectory: true)
    }

    private static func folder() throws -> URL {
        let folder = directory.appendingPathComponent("baton-item-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return folder
    }

    /// A name that hides nothing and leads nowhere else.
    static func fileName(_ name: String?, type: UTType) -> String {
        var visible = String.UnicodeScalarView()
        for scalar in (name ?? "").unicodeScalars where ShownText.isVisible(scalar) && scalar != "/" {
            visible.append(scalar)
        }
        var stem = String(visible)
        while stem.hasPrefix(".") { stem.removeFirst() }
        if stem.isEmpty { stem = defaultName(type) }
        while stem.utf8.count > 200 { stem.removeLast() }
        guard let preferred = type.preferredFilenameExtension else { return stem }
        let given = UTType(filenameExtension: (stem as NSString).pathExtension)
        if !(stem as NSString).pathExtension.isEmpty, given?.conforms(to: type) == true { return stem }
        return "\(stem).\(preferred)"
    }

    private static func defaultName(_ type: UTType) -> String {
        if type.conforms(to: .image) { return "Image" }
        if type.conforms(to: .text) { return "Text" }
        return type.conforms(to: .url) ? "Link" : "Document"
    }
}

/// Text of apps and files that a terminal shows.
enum ShownText {
    /// Neither steers the terminal nor turns the direction of what follows.
    static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory != .control && !(0x202A...0x202E).contains(scalar.value)
            && !(0x2066...0x2069).contains(scalar.value)
    }

    static func safe(_ text: String, limit: Int = 120) -> String {
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(limit) { safe.append(isVisible(scalar) ? scalar : "\u{FFFD}") }
        return String(safe)
    }
}
