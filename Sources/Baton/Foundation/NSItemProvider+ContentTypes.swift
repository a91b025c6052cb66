public import Foundation

/// The forms that take a ``UTType`` in place of an identifier.
extension NSItemProvider {
    /// The registered types that are declared here, the best first.
    public var registeredContentTypes: [UTType] { registeredTypeIdentifiers.compactMap { UTType($0) } }

    /// Those of them whose file itself can be had.
    public var registeredContentTypesForOpenInPlace: [UTType] {
        registeredTypeIdentifiers(fileOptions: .openInPlace).compactMap { UTType($0) }
    }

    /// Those of them that are this type or conform to it.
    public func registeredContentTypes(conformingTo contentType: UTType) -> [UTType] {
        registeredContentTypes.filter { $0.conforms(to: contentType) }
    }

    /// Adds a type, in which the item can be had as data.
    /// - Parameter visibility: anything but `all` stays in this process: the share sheet does not give it away.
    public func registerDataRepresentation(
        for contentType: UTType, visibility: NSItemProviderRepresentationVisibility = .all,
        loadHandler: @escaping DataHandler
    ) {
        registerDataRepresentation(
            forTypeIdentifier: contentType.identifier, visibility: visibility, loadHandler: loadHandler)
    }

    /// Adds a type, in which the item can be had as a file.
    /// - Parameters:
    ///   - visibility: as for data.
    ///   - openInPlace: whether others may have the file itself; otherwise they get a copy.
    public func registerFileRepresentation(
        for contentType: UTType, visibility: NSItemProviderRepresentationVisibility = .all, openInPlace: Bool = false,
        loadHandler: @escaping FileHandler
    ) {
        registerFileRepresentation(
            forTypeIdentifier: contentType.identifier, fileOptions: openInPlace ? .openInPlace : [],
            visibility: visibility, loadHandler: loadHandler)
    }

    /// Gives the item's data in a type, or one that conforms to it.
    /// - Parameter completionHandler: called once, off the main thread.
    @discardableResult
    public func loadDataRepresentation(
        for contentType: UTType, completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress {
        loadDataRepresentation(forTypeIdentifier: contentType.identifier, completionHandler: completionHandler)
    }

    /// Gives the item as a file.
    /// - Parameters:
    ///   - openInPlace: gives the file itself where its provider lets others have it, else a copy that is the app's to remove.
    ///     Otherwise it is a copy that is deleted when the handler returns.
    ///   - completionHandler: called once, off the main thread, with the file, and whether it is the item's own.
    @discardableResult
    public func loadFileRepresentation(
        for contentType: UTType, openInPlace: Bool = false,
        completionHandler: @escaping @Sendable (URL?, Bool, (any Error)?) -> Void
    ) -> Progress {
        guard !openInPlace else {
            return loadInPlaceFileRepresentation(
                forTypeIdentifier: contentType.identifier, completionHandler: completionHandler)
        }
        return loadFileRepresentation(forTypeIdentifier: contentType.identifier) { completionHandler($0, false, $1) }
    }
}
