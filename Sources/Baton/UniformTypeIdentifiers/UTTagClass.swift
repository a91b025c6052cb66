import UniformTypes

/// A kind of tag by which other systems name types.
///
/// Apple: <https://developer.apple.com/documentation/uniformtypeidentifiers/uttagclass>
public struct UTTagClass: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The identifier of the class, as in `public.filename-extension`.
    public let rawValue: String

    /// - Parameter rawValue: any text. Tags are known of ``filenameExtension`` and ``mimeType`` only.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Extensions without their leading dot. Case does not matter.
    public static let filenameExtension = UTTagClass(rawValue: TypeTagClass.filenameExtension.rawValue)

    /// MIME types without parameters. Case does not matter.
    public static let mimeType = UTTagClass(rawValue: TypeTagClass.mimeType.rawValue)

    /// The identifier of the class.
    public var description: String { rawValue }

    var known: TypeTagClass? { TypeTagClass(rawValue: rawValue) }
}
