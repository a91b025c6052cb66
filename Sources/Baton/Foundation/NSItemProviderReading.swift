public import Foundation

/// An object that can be made of an item's data.
///
/// `NSString`, `NSURL`, `NSData`, ``UIImage`` and ``CNContact`` are such, and with them `String` and `URL`.
///
/// Apple: <https://developer.apple.com/documentation/foundation/nsitemproviderreading>
public protocol NSItemProviderReading: NSObjectProtocol {
    /// The types that it can be made of, the best first.
    static var readableTypeIdentifiersForItemProvider: [String] { get }

    /// Makes it. Called off the main thread.
    /// - Parameter typeIdentifier: one of ``readableTypeIdentifiersForItemProvider``.
    /// - Throws: when the data is no such object. The data may come from anywhere.
    static func object(withItemProviderData data: Data, typeIdentifier: String) throws -> Self
}

/// An object that can be given away as an item.
///
/// `NSString`, `NSURL`, `NSData`, ``UIImage`` and ``CNContact`` are such, and with them `String` and `URL`. Methods optional on
/// Apple's systems has a default here.
///
/// Apple: <https://developer.apple.com/documentation/foundation/nsitemproviderwriting>
public protocol NSItemProviderWriting: NSObjectProtocol {
    /// The types that objects of the class can be had in, the best first.
    static var writableTypeIdentifiersForItemProvider: [String] { get }

    /// The processes that may see a type of objects of the class; by default all.
    static func itemProviderVisibilityForRepresentation(
        withTypeIdentifier typeIdentifier: String
    ) -> NSItemProviderRepresentationVisibility

    /// The types that this object can be had in; by default those of its class.
    var writableTypeIdentifiersForItemProvider: [String] { get }

    /// The processes that may see a type of this object; by default those that its class names.
    func itemProviderVisibilityForRepresentation(
        withTypeIdentifier typeIdentifier: String
    ) -> NSItemProviderRepresentationVisibility

    /// Gives the data in a type. Called off the main thread.
    /// - Parameter completionHandler: to be called once, on any thread.
    /// - Returns: the progress; nil for none.
    func loadData(
        withTypeIdentifier typeIdentifier: String,
        forItemProviderCompletionHandler completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress?
}

extension NSItemProviderWriting {
    /// Everybody.
    public static func itemProviderVisibilityForRepresentation(
        withTypeIdentifier typeIdentifier: String
    ) -> NSItemProviderRepresentationVisibility { .all }

    /// Those of its class.
    public var writableTypeIdentifiersForItemProvider: [String] { Self.writableTypeIdentifiersForItemProvider }

    /// The types that its class names.
    public func itemProviderVisibilityForRepresentation(
        withTypeIdentifier typeIdentifier: String
    ) -> NSItemProviderRepresentationVisibility {
        Self.itemProviderVisibilityForRepresentation(withTypeIdentifier: typeIdentifier)
    }
}
