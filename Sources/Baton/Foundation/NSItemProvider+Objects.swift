public import Foundation

extension NSItemProvider {
    /// A provider of an object, in the types that it says.
    public convenience init(object: any NSItemProviderWriting) {
        self.init()
        registerObject(object, visibility: .all)
        if let url = object as? NSURL, let file = URL(string: url.absoluteString), file.isFileURL {
            suggestedName = file.deletingPathExtension().lastPathComponent
        }
    }

    /// Adds an object's types.
    /// - Parameter visibility: who may see them at most; the object may say less.
    public func registerObject(
        _ object: any NSItemProviderWriting, visibility: NSItemProviderRepresentationVisibility
    ) {
        let kept = UncheckedItem(value: object)
        for type in object.writableTypeIdentifiersForItemProvider {
            let own = object.itemProviderVisibilityForRepresentation(withTypeIdentifier: type)
            registerDataRepresentation(
                forTypeIdentifier: type, visibility: Self.narrower(own, visibility)
            ) { completion in
                kept.value.loadData(withTypeIdentifier: type, forItemProviderCompletionHandler: completion)
            }
        }
    }

    /// Adds the types of a class, whose object is made when it is asked for.
    /// - Parameters:
    ///   - visibility: who may see them at most; the class may say less.
    ///   - loadHandler: makes the object, or gives an error; called off the main thread, once for each request.
    public func registerObject(
        ofClass aClass: any NSItemProviderWriting.Type, visibility: NSItemProviderRepresentationVisibility,
        loadHandler:
            @escaping @Sendable (
                @escaping @Sendable ((any NSItemProviderWriting)?, (any Error)?) -> Void
            ) -> Progress?
    ) {
        for type in aClass.writableTypeIdentifiersForItemProvider {
            let own = aClass.itemProviderVisibilityForRepresentation(withTypeIdentifier: type)
            registerDataRepresentation(
                forTypeIdentifier: type, visibility: Self.narrower(own, visibility)
            ) { completion in
                loadHandler { object, error in
                    guard let object else { return completion(nil, error) }
                    _ = object.loadData(withTypeIdentifier: type, forItemProviderCompletionHandler: completion)
                }
            }
        }
    }

    /// Adds the types of a value that stands for an object, such as `String` and `URL`.
    public func registerObject<T>(
        ofClass: T.Type, visibility: NSItemProviderRepresentationVisibility,
        loadHandler: @escaping @Sendable (@escaping @Sendable (T?, (any Error)?) -> Void) -> Progress?
    ) where T: _ObjectiveCBridgeable & SendableMetatype, T._ObjectiveCType: NSItemProviderWriting & SendableMetatype {
        registerObject(ofClass: T._ObjectiveCType.self, visibility: visibility) { completion in
            loadHandler { value, error in completion(value.map { $0._bridgeToObjectiveC() }, error) }
        }
    }

    /// Whether an object of a class can be made of the item, as far as its types say.
    public func canLoadObject(ofClass aClass: any NSItemProviderReading.Type) -> Bool { readable(aClass) != nil }

    /// Whether a value such as `String` or `URL` can be made of the item, as far as its types say.
    public func canLoadObject<T>(ofClass: T.Type) -> Bool
    where T: _ObjectiveCBridgeable & SendableMetatype, T._ObjectiveCType: NSItemProviderReading & SendableMetatype {
        canLoadObject(ofClass: T._ObjectiveCType.self)
    }

    /// Makes an object of the item, of the best of its types that the class can read.
    /// - Parameter completionHandler: called once, off the main thread.
    /// - Returns: the progress, if the maker of the data reports it.
    @discardableResult
    public func loadObject(
        ofClass aClass: any NSItemProviderReading.Type,
        completionHandler: @escaping @Sendable ((any NSItemProviderReading)?, (any Error)?) -> Void
    ) -> Progress {
        guard let (found, type) = readable(aClass) else {
            let wanted = aClass.readableTypeIdentifiersForItemProvider.first ?? "\(aClass)"
            return run(Once(completionHandler)) { once in
                once.call(nil, ErrorCode.itemUnavailableError.error(wanted))
                return nil
            }
        }
        // A class is the same on every thread.
        let kept = UncheckedItem(value: aClass)
        return loadData(of: found) { data, error in
            guard let data else { return completionHandler(nil, error) }
            let object: any NSItemProviderReading
            do {
                object = try kept.value.object(withItemProviderData: data, typeIdentifier: type)
            } catch {
                return completionHandler(nil, error)
            }
            completionHandler(object, nil)
        }
    }

    /// Makes a value such as `String` or `URL` of the item.
    /// - Parameter completionHandler: called once, off the main thread.
    @discardableResult
    public func loadObject<T>(
        ofClass: T.Type, completionHandler: @escaping @Sendable (T?, (any Error)?) -> Void
    ) -> Progress
    where T: _ObjectiveCBridgeable & SendableMetatype, T._ObjectiveCType: NSItemProviderReading & SendableMetatype {
        let wanted = T._ObjectiveCType.readableTypeIdentifiersForItemProvider.first ?? "\(T.self)"
        return loadObject(ofClass: T._ObjectiveCType.self) { object, error in
            guard let object else { return completionHandler(nil, error) }
            var value: T?
            if let object = object as? T._ObjectiveCType {
                _ = T._conditionallyBridgeFromObjectiveC(object, result: &value)
            }
            completionHandler(value, value == nil ? ErrorCode.unavailableCoercionError.error(wanted) : nil)
        }
    }

    /// The first registered type that the class reads, and under which of the class's types.
    private func readable(_ aClass: any NSItemProviderReading.Type) -> (Representation, String)? {
        let types = aClass.readableTypeIdentifiersForItemProvider
        for representation in representations {
            let exact = types.first { UTType(known: $0) == UTType(known: representation.type) }
            if let type = exact ?? types.first(where: { Self.conforms(representation.type, to: $0) }) {
                return (representation, type)
            }
        }
        return nil
    }

    private static func narrower(
        _ one: NSItemProviderRepresentationVisibility, _ other: NSItemProviderRepresentationVisibility
    ) -> NSItemProviderRepresentationVisibility { one.rawValue > other.rawValue ? one : other }
}
