package import BatonCore
package import BatonWire
package import Foundation

/// An account's record, without its zones.
package struct AccountRecord: Sendable {
    package var id: AccountID
    /// X9.63.
    package var rootKey: Data
    /// The membership statements, each after those that it depends on.
    package var statements: [Baton_Link_V1_SignedStatement]
    /// Names where its blobs are: another one when an account was deleted and registered again, so that what is still
    /// being removed of the old one is not taken for the new one's.
    package var space: BlobSpace
    /// The revision of the statements. It grows with each new statement where several nodes may add them; else it is 0.
    package var revision: UInt64

    package init(
        id: AccountID, rootKey: Data, statements: [Baton_Link_V1_SignedStatement], space: BlobSpace,
        revision: UInt64 = 0
    ) {
        self.id = id
        self.rootKey = rootKey
        self.statements = statements
        self.space = space
        self.revision = revision
    }
}

/// How much an account has.
package struct Usage: Hashable, Sendable {
    package var itemBytes = 0
    package var blobBytes = 0
    /// Deleted ones included, until their deletion is forgotten.
    package var items = 0
    package var blobs = 0
    package var zones = 0
    /// Other bytes that count: those of remembered answers, and of deleted zones that are not gone yet.
    package var otherBytes = 0
    /// The quota of this account where its operator set one; nil: that of every account, ``StoreRules/quota``.
    package var ownQuota: UInt64?

    package init() {}
}

/// A name that may be used once, and until when that must be remembered (milliseconds since 1970).
package struct OneUse: Hashable, Sendable {
    package var name: Data
    package var expires: UInt64

    package init(name: Data, expires: UInt64) {
        self.name = name
        self.expires = expires
    }
}
