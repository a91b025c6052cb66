public import Foundation

/// How far the changes of a zone or of a database were fetched. CloudKit's.
///
/// Archive it with `NSKeyedArchiver`, and give it to the next fetch of the same zone or database. It does not change, and is safe
/// to use from any thread.
//
// @unchecked: the only property is a constant.
open class CKServerChangeToken: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private static let maximumBytes = 64 << 10
    let data: Data

    init(data: Data) {
        self.data = data
        super.init()
    }

    /// Always true.
    public class var supportsSecureCoding: Bool { true }

    /// Writes the token.
    open func encode(with coder: NSCoder) { coder.encode(NSData(data: data), forKey: "ChangeTokenData") }

    /// Reads what ``encode(with:)`` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let data = coder.decodeObject(of: NSData.self, forKey: "ChangeTokenData"),
            data.length <= Self.maximumBytes
        else { return nil }
        self.data = Data(referencing: data)
        super.init()
    }

    /// Tokens do not change: the same one.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Tokens are equal if they stand for one moment of one zone or database.
    open override func isEqual(_ object: Any?) -> Bool { (object as? CKServerChangeToken)?.data == data }
    /// Equal tokens have it in common.
    open override var hash: Int { data.hashValue }
}
