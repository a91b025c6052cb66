public import Foundation
import Synchronization

extension NSItemProvider {
    /// Gives the item's data in a type, or one that conforms to it.
    /// - Parameter completionHandler: called once, off the main thread; with `CocoaError.userCancelled` when the progress is
    ///   cancelled.
    /// - Returns: the progress, if the maker of the data reports it.
    @discardableResult
    public func loadDataRepresentation(
        forTypeIdentifier typeIdentifier: String,
        completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress {
        guard let found = best(typeIdentifier) else {
            return run(Once(completionHandler)) { once in
                once.call(nil, ErrorCode.itemUnavailableError.error(typeIdentifier))
                return nil
            }
        }
        return loadData(of: found, completionHandler)
    }

    /// Gives a copy of the item in a temporary file, which is deleted when the handler returns.
    /// - Parameter completionHandler: called once, off the main thread.
    @discardableResult
    public func loadFileRepresentation(
        forTypeIdentifier typeIdentifier: String,
        completionHandler: @escaping @Sendable (URL?, (any Error)?) -> Void
    ) -> Progress {
        loadCopy(typeIdentifier) { url, error in
            defer { if let url { TemporaryFiles.remove(url) } }
            completionHandler(url, error)
        }
    }

    /// Gives the item's file itself where its provider lets others have it, else a copy in the app's `tmp`, which is the
    /// app's to remove.
    /// - Parameter completionHandler: called once, off the main thread, with the file, and whether it is the item's own.
    @discardableResult
    public func loadInPlaceFileRepresentation(
        forTypeIdentifier typeIdentifier: String,
        completionHandler: @escaping @Sendable (URL?, Bool, (any Error)?) -> Void
    ) -> Progress {
        guard let found = best(typeIdentifier, where: \.isInPlace), case .file(let load, _) = found.source else {
            return loadCopy(typeIdentifier) { completionHandler($0, false, $1) }
        }
        let once = Once<URL> { url, error in completionHandler(url, url != nil, error) }
        return run(once) { once in load { url, _, error in once.call(url, error ?? Self.missing(url, found.type)) } }
    }

    /// Gives the item as it was registered: an object that can be coded, data as `NSData`, a file as the `NSURL` of the item's
    /// own file or of a copy in the app's `tmp`.
    /// - Parameters:
    ///   - options: given to the handler that makes the item.
    ///   - completionHandler: called once, off the main thread.
    public func loadItem(
        forTypeIdentifier typeIdentifier: String, options: [AnyHashable: Any]? = nil,
        completionHandler: CompletionHandler? = nil
    ) {
        let once = Once<any NSSecureCoding> { item, error in completionHandler?(item, error) }
        guard let found = best(typeIdentifier) else {
            run(once) { once in
                once.call(nil, ErrorCode.itemUnavailableError.error(typeIdentifier))
                return nil
            }
            return
        }
        switch found.source {
        case .item(let load):
            let kept = UncheckedItem(value: options)
            run(once) { once in
                load({ once.call($0, $1 ?? Self.missing($0, found.type)) }, nil, kept.value)
                return nil
            }
        case .data:
            loadData(of: found) { once.call($0.map { NSData(data: $0) }, $1) }
        case .file:
            loadInPlaceFileRepresentation(forTypeIdentifier: found.type) { url, _, error in
                once.call(url.flatMap { NSURL(string: $0.absoluteString) }, error)
            }
        }
    }

    /// Gives the item as it was registered.
    /// - Throws: an error of ``errorDomain``, or the handler's.
    public func loadItem(
        forTypeIdentifier typeIdentifier: String, options: [AnyHashable: Any]? = nil
    ) async throws -> any NSSecureCoding {
        let loaded = try await withCheckedThrowingContinuation {
            (waiter: CheckedContinuation<UncheckedItem<any NSSecureCoding>, any Error>) in
            loadItem(forTypeIdentifier: typeIdentifier, options: options) { item, error in
                if let item {
                    waiter.resume(returning: UncheckedItem(value: item))
                } else {
                    waiter.resume(throwing: error ?? ErrorCode.unknownError.error(typeIdentifier))
                }
            }
        }
        return loaded.value
    }

    /// Gives what ``previewImageHandler`` makes; an error where there is none.
    /// - Parameter completionHandler: called once, off the main thread.
    public func loadPreviewImage(options: [AnyHashable: Any]? = nil, completionHandler: @escaping CompletionHandler) {
        let (load, kept) = (previewImageHandler, UncheckedItem(value: options))
        run(Once(completionHandler)) { once in
            guard let load else {
                once.call(nil, ErrorCode.itemUnavailableError.error("public.image"))
                return nil
            }
            load({ once.call($0, $1) }, nil, kept.value)
            return nil
        }
    }

    // MARK: From the source

    @discardableResult
    func loadData(
        of found: Representation, _ completion: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress {
        run(Once(completion)) { once in
            switch found.source {
            case .data(let load):
                return load { once.call($0, $1 ?? Self.missing($0, found.type)) }
            case .file(let load, _):
                return load { url, _, error in
                    guard let url else { return once.call(nil, error ?? Self.missing(url, found.type)) }
                    do { once.call(try Data(contentsOf: url), nil) } catch { once.call(nil, error) }
                }
            case .item(let load):
                load(
                    { item, error in
                        guard let item else { return once.call(nil, error ?? Self.missing(item, found.type)) }
                        do { once.call(try ItemCoding.data(of: item, found.type), nil) } catch { once.call(nil, error) }
                    }, nil, nil)
                return nil
            }
        }
    }

    /// A copy that its taker removes. A file may be a folder; data never is.
    private func loadCopy(
        _ typeIdentifier: String, _ completion: @escaping @Sendable (URL?, (any Error)?) -> Void
    ) -> Progress {
        let (name, found) = (suggestedName, best(typeIdentifier))
        if let found, case .file(let load, _) = found.source {
            return run(Once(completion)) { once in
                load { url, _, error in
                    guard let url else { return once.call(nil, error ?? Self.missing(url, found.type)) }
                    do { once.call(try TemporaryFiles.copy(url), nil) } catch { once.call(nil, error) }
                }
            }
        }
        return loadDataRepresentation(forTypeIdentifier: typeIdentifier) { data, error in
            guard let data else { return completion(nil, error) }
            let type = UTType(found?.type ?? typeIdentifier) ?? .data
            do { completion(try TemporaryFiles.make(data, named: name, type: type), nil) } catch {
                completion(nil, error)
            }
        }
    }

    private static func missing(_ value: Any?, _ type: String) -> NSError? {
        value == nil ? ErrorCode.itemUnavailableError.error(type) : nil
    }

    /// Runs a handler off the main thread. The progress is the handler's own if it reports one, and cancels the request.
    @discardableResult
    func run<Value>(_ once: Once<Value>, _ load: @escaping @Sendable (Once<Value>) -> Progress?) -> Progress {
        let progress = Progress(totalUnitCount: 1)
        once.attach(progress)
        progress.cancellationHandler = { once.call(nil, CocoaError(.userCancelled)) }
        DispatchQueue.global().async {
            guard !progress.isCancelled, let child = load(once), once.isWaiting else { return }
            progress.addChild(child, withPendingUnitCount: 1)
            once.detach()
        }
        return progress
    }
}

/// Calls a handler of Apple's form at most once, whatever the app's own code does.
final class Once<Value>: Sendable {
    typealias Handler = @Sendable (Value?, (any Error)?) -> Void

    private struct State: Sendable {
        var handler: Handler?
        var progress: Progress?
    }

    private let state: Mutex<State>

    init(_ handler: @escaping Handler) { state = Mutex(State(handler: handler)) }

    var isWaiting: Bool { state.withLock { $0.handler != nil } }

    /// Its progress is complete with the call.
    func attach(_ progress: Progress) { state.withLock { $0.progress = progress } }

    /// Another owner completes the progress.
    func detach() { state.withLock { $0.progress = nil } }

    /// A value makes the error void.
    func call(_ value: Value?, _ error: (any Error)?) {
        let taken = state.withLock { state in
            defer { state = State() }
            return state
        }
        if value != nil { taken.progress?.completedUnitCount = 1 }
        taken.handler?(value, value == nil ? error : nil)
    }
}

/// An app's object on its way through handlers, which Apple's form does not require to be `Sendable`. It is only handed on, so
/// whether several threads may use it is the app's own affair.
struct UncheckedItem<Value>: @unchecked Sendable {
    let value: Value
}

/// Items that can be coded, and their data.
enum ItemCoding {
    /// As an object that can be coded. A picture is its data.
    static func item(_ item: Any) -> (any NSSecureCoding)? {
        switch item {
        case let image as UIImage: image.data.isEmpty ? nil : NSData(data: image.data)
        case let text as String: NSString(string: text)
        case let text as AttributedString: NSString(string: String(text.characters))
        case let url as URL: NSURL(string: url.absoluteString)
        case let data as Data: NSData(data: data)
        default: item as? any NSSecureCoding
        }
    }

    static func data(of item: any NSSecureCoding, _ type: String) throws -> Data {
        switch item {
        case let data as NSData: return Data(bytes: data.bytes, count: data.length)
        case let text as NSString: return Data(text.substring(from: 0).utf8)
        case let text as NSAttributedString: return Data(text.string.utf8)
        case let url as NSURL:
            let text = url.absoluteString
            guard let file = URL(string: text), file.isFileURL, !NSItemProvider.conforms(type, to: "public.url") else {
                return Data(text.utf8)
            }
            return try Data(contentsOf: file)
        case is NSDictionary, is NSArray:
            if let data = try? PropertyListSerialization.data(fromPropertyList: item, format: .binary, options: 0) {
                return data
            }
            fallthrough
        default:
            guard let data = try? NSKeyedArchiver.archivedData(withRootObject: item, requiringSecureCoding: true) else {
                throw NSItemProvider.ErrorCode.unexpectedValueClassError.error(type)
            }
            return data
        }
    }
}
