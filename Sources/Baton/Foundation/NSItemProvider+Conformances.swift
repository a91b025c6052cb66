public import Foundation

extension NSString: NSItemProviderReading, NSItemProviderWriting {
    /// Plain text in any encoding that its data names; otherwise UTF-8.
    public static var readableTypeIdentifiersForItemProvider: [String] {
        [
            "public.utf8-plain-text", "public.utf16-external-plain-text", "public.utf16-plain-text",
            "public.plain-text",
        ]
    }

    /// UTF-8.
    public static var writableTypeIdentifiersForItemProvider: [String] { ["public.utf8-plain-text"] }

    /// The text in the data.
    public static func object(withItemProviderData data: Data, typeIdentifier: String) throws -> Self {
        let isWide =
            typeIdentifier.hasPrefix("public.utf16") || data.starts(with: [0xFF, 0xFE])
            || data.starts(with: [0xFE, 0xFF])
        let text = isWide ? String(data: data, encoding: .utf16) : String(data: data, encoding: .utf8)
        guard let text, let made = NSString(string: text) as? Self ?? NSMutableString(string: text) as? Self else {
            throw NSItemProvider.ErrorCode.unavailableCoercionError.error(typeIdentifier)
        }
        return made
    }

    /// The text in UTF-8.
    public func loadData(
        withTypeIdentifier typeIdentifier: String,
        forItemProviderCompletionHandler completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress? {
        completionHandler(Data(substring(from: 0).utf8), nil)
        return nil
    }
}

extension NSURL: NSItemProviderReading, NSItemProviderWriting {
    /// A URL, of a file or of anything else.
    public static var readableTypeIdentifiersForItemProvider: [String] { ["public.url", "public.file-url"] }

    /// A URL.
    public static var writableTypeIdentifiersForItemProvider: [String] { ["public.url"] }

    /// That of a file is a file's, first.
    public var writableTypeIdentifiersForItemProvider: [String] {
        isFileURL ? ["public.file-url", "public.url"] : ["public.url"]
    }

    /// The URL whose text the data is.
    public static func object(withItemProviderData data: Data, typeIdentifier: String) throws -> Self {
        guard let text = String(data: data, encoding: .utf8), !text.isEmpty, let made = NSURL(string: text) as? Self
        else {
            throw NSItemProvider.ErrorCode.unavailableCoercionError.error(typeIdentifier)
        }
        return made
    }

    /// The URL's text, in UTF-8.
    public func loadData(
        withTypeIdentifier typeIdentifier: String,
        forItemProviderCompletionHandler completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress? {
        completionHandler(Data(absoluteString.utf8), nil)
        return nil
    }
}

/// Apple's `NSData` has these by way of data representations only.
extension NSData: NSItemProviderReading, NSItemProviderWriting {
    /// Data of any kind.
    public static var readableTypeIdentifiersForItemProvider: [String] { ["public.data"] }

    /// Data of no known kind.
    public static var writableTypeIdentifiersForItemProvider: [String] { ["public.data"] }

    /// The data itself.
    public static func object(withItemProviderData data: Data, typeIdentifier: String) throws -> Self {
        guard let made = NSData(data: data) as? Self ?? NSMutableData(data: data) as? Self else {
            throw NSItemProvider.ErrorCode.unavailableCoercionError.error(typeIdentifier)
        }
        return made
    }

    /// The data itself.
    public func loadData(
        withTypeIdentifier typeIdentifier: String,
        forItemProviderCompletionHandler completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress? {
        completionHandler(Data(bytes: bytes, count: length), nil)
        return nil
    }
}

extension UIImage: NSItemProviderReading, NSItemProviderWriting {
    /// PNG and JPEG.
    public static var readableTypeIdentifiersForItemProvider: [String] { ["public.png", "public.jpeg"] }

    /// PNG and JPEG; one picture can be had in its own type only, since nothing is converted.
    public static var writableTypeIdentifiersForItemProvider: [String] { ["public.png", "public.jpeg"] }

    /// Its own type; none for an empty picture.
    public var writableTypeIdentifiersForItemProvider: [String] { data.isEmpty ? [] : [type.identifier] }

    /// A picture of the data.
    public static func object(withItemProviderData data: Data, typeIdentifier: String) throws -> Self {
        guard let made = UIImage(data: data) as? Self else {
            throw NSItemProvider.ErrorCode.unavailableCoercionError.error(typeIdentifier)
        }
        return made
    }

    /// Its data as it is.
    public func loadData(
        withTypeIdentifier typeIdentifier: String,
        forItemProviderCompletionHandler completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress? {
        let isOwn = typeIdentifier == type.identifier && !data.isEmpty
        completionHandler(
            isOwn ? data : nil, isOwn ? nil : NSItemProvider.ErrorCode.itemUnavailableError.error(typeIdentifier))
        return nil
    }
}

extension CNContact: NSItemProviderReading, NSItemProviderWriting {
    /// A vCard.
    public static var readableTypeIdentifiersForItemProvider: [String] { ["public.vcard"] }

    /// A vCard.
    public static var writableTypeIdentifiersForItemProvider: [String] { ["public.vcard"] }

    /// The first contact of the vCard.
    public static func object(withItemProviderData data: Data, typeIdentifier: String) throws -> Self {
        let contact = try CNContactVCardSerialization.contacts(with: data).first
        guard let contact, let made = contact as? Self ?? contact.mutableCopy() as? Self else {
            throw NSItemProvider.ErrorCode.unavailableCoercionError.error(typeIdentifier)
        }
        return made
    }

    /// Its vCard; an error for a contact whose properties were not all fetched.
    public func loadData(
        withTypeIdentifier typeIdentifier: String,
        forItemProviderCompletionHandler completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress? {
        let card: Data
        do {
            card = try CNContactVCardSerialization.data(with: [self])
        } catch {
            completionHandler(nil, error)
            return nil
        }
        completionHandler(card, nil)
        return nil
    }
}
