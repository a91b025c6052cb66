public import Foundation
import Synchronization

/// An item in one or several types, each made when it is asked for.
///
/// Types are registered with the best first. An object's class says its types (``NSItemProviderWriting``), or the app registers
/// data, files and items itself. May be used from any thread; handlers are called off the main thread.
///
/// Apple: <https://developer.apple.com/documentation/foundation/nsitemprovider>
open class NSItemProvider: NSObject, NSCopying, @unchecked Sendable {
    /// Gives the data of one type, or an error; called once for each request.
    public typealias DataHandler = @Sendable (@escaping @Sendable (Data?, (any Error)?) -> Void) -> Progress?

    /// Gives a file of one type, and whether its readers are to coordinate; or an error. Called once for each request.
    public typealias FileHandler = @Sendable (@escaping @Sendable (URL?, Bool, (any Error)?) -> Void) -> Progress?

    /// Takes an item, or an error.
    public typealias CompletionHandler = @Sendable ((any NSSecureCoding)?, (any Error)?) -> Void

    /// Gives an item. The class that is expected is always nil here; the options are those of the request.
    public typealias LoadHandler = @Sendable (CompletionHandler?, AnyClass?, [AnyHashable: Any]?) -> Void

    enum Source: Sendable {
        case data(DataHandler)
        case file(FileHandler, isInPlace: Bool)
        case item(LoadHandler)
    }

    struct Representation: Sendable {
        var type: String
        var visibility: NSItemProviderRepresentationVisibility = .all
        var source: Source
        /// The file that it is, where it is one.
        var file: URL?

        var isInPlace: Bool { if case .file(_, let isInPlace) = source { isInPlace } else { false } }
    }

    private struct State {
        var representations: [Representation] = []
        var suggestedName: String?
        var preview: LoadHandler?
    }

    private let state = Mutex(State())

    /// A provider of nothing.
    public override init() { super.init() }

    /// A provider of a file, in the type that its name says.
    /// - Returns: nil for what is no file URL.
    public convenience init?(contentsOf fileURL: URL) {
        guard fileURL.isFileURL else { return nil }
        self.init(contentsOf: fileURL, contentType: nil)
    }

    /// A provider of a file.
    /// - Parameters:
    ///   - contentType: nil for the type that the file's name says.
    ///   - openInPlace: whether others may have the file itself, and not only a copy.
    ///   - coordinated: whether they are to read it with a file coordinator.
    public convenience init(
        contentsOf fileURL: URL, contentType: UTType?, openInPlace: Bool = false, coordinated: Bool = false,
        visibility: NSItemProviderRepresentationVisibility = .all
    ) {
        self.init()
        suggestedName = fileURL.deletingPathExtension().lastPathComponent
        let type = contentType ?? UTType(filenameExtension: fileURL.pathExtension) ?? .data
        let source = Source.file(
            { completion in
                completion(fileURL, coordinated, nil)
                return nil
            }, isInPlace: openInPlace)
        add(Representation(type: type.identifier, visibility: visibility, source: source, file: fileURL))
    }

    /// A provider of a text, a URL, a picture, data, or any other item that can be coded.
    /// - Parameter typeIdentifier: of the item; nil for the type that its class says.
    public convenience init(item: Any?, typeIdentifier: String?) {
        self.init()
        guard let item else { return }
        let shared = SharedItem(item, dataType: typeIdentifier)
        guard let coded = ItemCoding.item(item), let type = typeIdentifier ?? shared?.type.identifier else { return }
        let kept = UncheckedItem(value: coded)
        add(
            Representation(
                type: type, source: .item({ completion, _, _ in completion?(kept.value, nil) }), file: shared?.fileURL))
    }

    /// A suggested name of the item, without extension.
    open var suggestedName: String? {
        get { state.withLock { $0.suggestedName } }
        set { state.withLock { $0.suggestedName = newValue } }
    }

    /// Makes a small picture of the item; nil for none.
    open var previewImageHandler: LoadHandler? {
        get { state.withLock { $0.preview } }
        set { state.withLock { $0.preview = newValue } }
    }

    /// Another provider of the same types. A type registered with one of the two later is not added to the other.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSItemProvider()
        let own = state.withLock { $0 }
        copy.state.withLock { $0 = own }
        return copy
    }

    // MARK: Types

    /// In the order of registration, the best first.
    open var registeredTypeIdentifiers: [String] { representations.map(\.type) }

    /// Those that can be had in this way.
    /// - Parameter fileOptions: with `openInPlace`, only the types whose file itself can be had.
    open func registeredTypeIdentifiers(fileOptions: NSItemProviderFileOptions) -> [String] {
        matching(fileOptions).map(\.type)
    }

    /// Whether a registered type is this one or conforms to it.
    open func hasItemConformingToTypeIdentifier(_ typeIdentifier: String) -> Bool { best(typeIdentifier) != nil }

    /// Whether a registered type is this one or conforms to it, and can be had in this way.
    open func hasRepresentationConforming(
        toTypeIdentifier typeIdentifier: String, fileOptions: NSItemProviderFileOptions = []
    ) -> Bool {
        matching(fileOptions).contains { Self.conforms($0.type, to: typeIdentifier) }
    }

    private func matching(_ options: NSItemProviderFileOptions) -> [Representation] {
        representations.filter { !options.contains(.openInPlace) || $0.isInPlace }
    }

    // MARK: Registering

    /// Adds a type, in which the item can be had as data.
    /// - Parameter visibility: anything but `all` stays in this process: the share sheet does not give it away.
    open func registerDataRepresentation(
        forTypeIdentifier typeIdentifier: String, visibility: NSItemProviderRepresentationVisibility = .all,
        loadHandler: @escaping DataHandler
    ) {
        add(Representation(type: typeIdentifier, visibility: visibility, source: .data(loadHandler)))
    }

    /// Adds a type, in which the item can be had as a file.
    /// - Parameters:
    ///   - fileOptions: with `openInPlace`, others may have the file itself; otherwise they get a copy.
    ///   - visibility: as for data.
    open func registerFileRepresentation(
        forTypeIdentifier typeIdentifier: String, fileOptions: NSItemProviderFileOptions = [],
        visibility: NSItemProviderRepresentationVisibility = .all, loadHandler: @escaping FileHandler
    ) {
        let source = Source.file(loadHandler, isInPlace: fileOptions.contains(.openInPlace))
        add(Representation(type: typeIdentifier, visibility: visibility, source: source))
    }

    /// Adds a type, in which the item can be had with `loadItem`.
    ///
    /// As data it is a data object's bytes, a text in UTF-8, the content of a file, a URL's text, a property list, or else a
    /// keyed archive.
    open func registerItem(forTypeIdentifier typeIdentifier: String, loadHandler: @escaping LoadHandler) {
        add(Representation(type: typeIdentifier, source: .item(loadHandler)))
    }

    func add(_ representation: Representation) { state.withLock { $0.representations.append(representation) } }

    // MARK: Finding

    var representations: [Representation] { state.withLock { $0.representations } }

    /// The type itself, or else the first that conforms to it.
    func best(_ type: String, where isWanted: (Representation) -> Bool = { _ in true }) -> Representation? {
        let wanted = representations.filter(isWanted)
        return wanted.first { UTType(known: $0.type) == UTType(known: type) }
            ?? wanted.first { Self.conforms($0.type, to: type) }
    }

    /// A type without a declaration conforms to itself alone.
    static func conforms(_ type: String, to other: String) -> Bool {
        UTType(known: type) == UTType(known: other) || UTType(type)?.conforms(to: UTType(known: other)) ?? false
    }

    // MARK: Sharing

    /// The best type that may leave this process.
    private var shareable: Representation? { representations.first { $0.visibility == .all } }

    var shareableType: UTType? { shareable.flatMap { UTType($0.type) } }

    /// The best type that may leave this process, and its data or file.
    func loadShared() async throws -> SharedItem? {
        guard let best = shareable else { return nil }
        let type = UTType(best.type) ?? .data
        if let file = best.file { return SharedItem(content: .file(file), type: type, name: nil) }
        let data = try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Data, any Error>) in
            loadData(of: best) { data, error in
                if let data {
                    waiter.resume(returning: data)
                } else {
                    waiter.resume(throwing: error ?? ErrorCode.itemUnavailableError.error(best.type))
                }
            }
        }
        return SharedItem(data: data, type: type, name: suggestedName)
    }
}

/// The processes that may see a type of an item.
public enum NSItemProviderRepresentationVisibility: Int, Sendable {
    /// Everybody.
    case all = 0
    /// Apps of the same team.
    case team = 1
    /// Apps of the same group.
    case group = 2
    /// The app itself.
    case ownProcess = 3
}

/// How a file of an item can be had.
public struct NSItemProviderFileOptions: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: Int

    /// The options of these bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The file itself can be had, and not only a copy.
    public static let openInPlace = NSItemProviderFileOptions(rawValue: 1)
}
