import BatonCore
public import Foundation

/// A picture of a person, a group or a medium. Intents'.
///
/// In a donation, a picture that is given as data has at most 256 KiB.
public final class INImage: INIntentValue, @unchecked Sendable {
    static let dataName = "imageData"

    /// A picture of the app's bundle.
    public convenience init(named name: String) { self.init(values: ["name": .string(name)]) }

    /// A picture of the system. Here it is only a name.
    public class func systemImageNamed(_ systemImageName: String) -> Self {
        Self(values: ["systemName": .string(systemImageName)])
    }

    /// A picture as the bytes of its file.
    public convenience init(imageData: Data) { self.init(values: [Self.dataName: .data(imageData)]) }

    /// A picture at an address.
    public convenience init?(url: URL) { self.init(values: ["url": .url(url)]) }

    /// A picture at an address, with its size in points; nil for an invalid size.
    public convenience init?(url: URL, width: Double, height: Double) {
        guard width > 0, height > 0 else { return nil }
        self.init(values: ["url": .url(url), "width": .real(width), "height": .real(height)])
    }
}

/// A file that an intent refers to. Intents'.
public final class INFile: INIntentValue, @unchecked Sendable {
    /// The content.
    public var data: Data {
        if let data = store.data("data") { return data }
        return fileURL.flatMap { try? Data(contentsOf: $0) } ?? Data()
    }
    /// Its name.
    public var filename: String { store.string("filename") ?? "" }
    /// Its uniform type.
    public var typeIdentifier: String? { store.string("typeIdentifier") }
    /// Where it is; nil when it was given as data.
    public var fileURL: URL? { store.url("fileURL") }
    /// Whether it is deleted once it was handled.
    public var removedOnCompletion: Bool {
        get { store.boolean("removedOnCompletion") ?? false }
        set { store.set("removedOnCompletion", newValue) }
    }

    /// A file as its content.
    public convenience init(data: Data, filename: String, typeIdentifier: String?) {
        self.init(values: ["data": .data(data), "filename": .string(filename)])
        store.set("typeIdentifier", typeIdentifier)
    }

    /// A file on the disk.
    public convenience init(fileURL: URL, filename: String?, typeIdentifier: String?) {
        self.init(values: ["fileURL": .url(fileURL), "filename": .string(filename ?? fileURL.lastPathComponent)])
        store.set("typeIdentifier", typeIdentifier)
    }
}
