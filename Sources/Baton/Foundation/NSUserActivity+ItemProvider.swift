public import Foundation

/// An activity on its way within the app, as to another scene. Only this process sees it in a provider.
extension NSUserActivity: NSItemProviderReading, NSItemProviderWriting {
    private static let itemType = "com.apple.uikit.useractivity"

    /// A type that stands for an activity.
    public static var readableTypeIdentifiersForItemProvider: [String] { [itemType] }

    /// A type that stands for an activity.
    public static var writableTypeIdentifiersForItemProvider: [String] { [itemType] }

    /// This process: no other program reads the data.
    public static func itemProviderVisibilityForRepresentation(
        withTypeIdentifier typeIdentifier: String
    ) -> NSItemProviderRepresentationVisibility { .ownProcess }

    /// A new activity with what the data says. Its search metadata and its delegate are not among that.
    public static func object(withItemProviderData data: Data, typeIdentifier: String) throws -> Self {
        guard let made = AttributeStore.activity(data) as? Self else {
            throw NSItemProvider.ErrorCode.unavailableCoercionError.error(typeIdentifier)
        }
        return made
    }

    /// The activity as it is now.
    public func loadData(
        withTypeIdentifier typeIdentifier: String,
        forItemProviderCompletionHandler completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress? {
        let data = AttributeStore.data(self)
        completionHandler(
            data, data == nil ? NSItemProvider.ErrorCode.itemUnavailableError.error(typeIdentifier) : nil)
        return nil
    }
}
