public import Foundation
import Synchronization

/// An item in one or several types, each made when it is asked for.
///
/// May be used from any thread; handlers are called off the main thread.
///
/// Apple: <https://developer.apple.com/documentation/foundation/nsitemprovider>
open class NSItemProvider: NSObject, @unchecked Sendable {
    /// Gives the data of one type, or an error; called once for each request.
    public typealias DataHandler = @Sendable (@escaping @Sendable (Data?, (any Error)?) -> Void) -> Progress?

    private struct Representation: Sendable {
        var type: String
        var file: URL?
        var load: DataHandler
    }

    private struct State {
        var representations: [Representation] = []
        var suggestedName: String?
    }

    private let state = Mutex(State())

    /// A provider of nothing.
    public override init() { super.init() }

    /// A provider of a file, in the type that its name says.
    /// - Returns: nil for what is no file URL.
    public convenience init?(contentsOf fileURL: URL) {
        guard fileURL.isFileURL else { return nil }
        self.init()
        suggestedName = fileURL.deletingPathExtension().lastPathComponent
        let type = UTType(filenameExtension: fileURL.pathExtension) ?? .data
        register(type.identifier, file: fileURL) { completion in
            do { completion(try Data(contentsOf: fileURL), nil) } catch { completion(nil, error) }
            return nil
        }
    }

    /// A provider of a text, a URL, a picture or data.
    /// - Parameter typeIdentifier: of the data; nil for the type that the item's class says.
    public convenience init(item: Any?, typeIdentifier: String?) {
        self.init()
        guard let item, let shared = SharedItem(item, dataType: typeIdentifier) else { return }
        let type = typeIdentifier ?? shared.type.identifier
        register(type, file: shared.fileURL) { completion in
            do { completion(try shared.data(), nil) } catch { completion(nil, error) }
            return nil
        }
    }

    /// What the item may be called, without extension.
    open var suggestedName: String? {
        get { state.withLock { $0.suggestedName } }
        set { state.withLock { $0.suggestedName = newValue } }
    }

    /// In the order of registration, the best first.
    open var registeredTypeIdentifiers: [String] { state.withLock { $0.representations.map(\.type) } }

    /// Adds a type, in which the item can be had as data.
    /// - Parameter visibility: ignored: an item leaves the process only in the share sheet.
    open func registerDataRepresentation(
        forTypeIdentifier typeIdentifier: String, visibility: NSItemProviderRepresentationVisibility = .all,
        loadHandler: @escaping DataHandler
    ) {
        register(typeIdentifier, file: nil, loadHandler)
    }

    private func register(_ type: String, file: URL?, _ load: @escaping DataHandler) {
        state.withLock { $0.representations.append(Representation(type: type, file: file, load: load)) }
    }

    /// Whether a registered type is this one or conforms to it.
    open func hasItemConformingToTypeIdentifier(_ typeIdentifier: String) -> Bool { best(typeIdentifier) != nil }

    private func best(_ type: String) -> Representation? {
        let representations = state.withLock { $0.representations }
        return representations.first { $0.type == type }
            ?? representations.first { (UTType($0.type)?.conforms(to: UTType(known: type)) ?? false) }
    }

    /// Gives the item's data in a type, or one that conforms to it.
    /// - Parameter completionHandler: called once, off the main thread.
    /// - Returns: the progress, where whoever makes the data tells it.
    @discardableResult
    open func loadDataRepresentation(
        forTypeIdentifier typeIdentifier: String,
        completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress {
        let progress = Progress(totalUnitCount: 1)
        guard let found = best(typeIdentifier) else {
            DispatchQueue.global().async { completionHandler(nil, Self.unavailable(typeIdentifier)) }
            return progress
        }
        DispatchQueue.global().async {
            let once = Once(completionHandler)
            _ = found.load { data, error in
                progress.completedUnitCount = 1
                once.call(data, error)
            }
        }
        return progress
    }

    /// Gives a copy of the item in a temporary file, which is deleted when the handler returns.
    @discardableResult
    open func loadFileRepresentation(
        forTypeIdentifier typeIdentifier: String,
        completionHandler: @escaping @Sendable (URL?, (any Error)?) -> Void
    ) -> Progress {
        let name = suggestedName
        return loadDataRepresentation(forTypeIdentifier: typeIdentifier) { data, error in
            guard let data else { return completionHandler(nil, error) }
            do {
                let type = UTType(typeIdentifier) ?? .data
                let url = try TemporaryFiles.make(data, named: name, type: type)
                defer { TemporaryFiles.remove(url) }
                completionHandler(url, nil)
            } catch {
                completionHandler(nil, error)
            }
        }
    }

    /// The best type, and its data or file.
    func loadShared() async throws -> SharedItem? {
        guard let best = state.withLock({ $0.representations.first }) else { return nil }
        let type = UTType(best.type) ?? .data
        if let file = best.file { return SharedItem(content: .file(file), type: type, name: nil) }
        let data = try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Data, any Error>) in
            loadDataRepresentation(forTypeIdentifier: best.type) { data, error in
                if let data {
                    waiter.resume(returning: data)
                } else {
                    waiter.resume(throwing: error ?? Self.unavailable(best.type))
                }
            }
        }
        return SharedItem(data: data, type: type, name: suggestedName)
    }

    private static func unavailable(_ type: String) -> NSError {
        // The code of Apple's `itemUnavailableError`.
        NSError(
            domain: "NSItemProviderErrorDomain", code: -1000,
            userInfo: [NSLocalizedDescriptionKey: "The item is not available as \(type)."])
    }
}

/// Who may see a type of an item.
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

/// Calls a handler of Apple's form at most once, whatever the app's own code does.
private final class Once: Sendable {
    private let handler: Mutex<(@Sendable (Data?, (any Error)?) -> Void)?>

    init(_ handler: @escaping @Sendable (Data?, (any Error)?) -> Void) { self.handler = Mutex(handler) }

    func call(_ data: Data?, _ error: (any Error)?) {
        let handler = handler.withLock { handler in
            defer { handler = nil }
            return handler
        }
        handler?(data, error)
    }
}
