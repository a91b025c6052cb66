import BatonCore

/// Distinguishes the blobs of one account from others': lower-case letters and digits.
package struct BlobSpace: Hashable, Sendable {
    package let name: String

    /// Nil for what could not be the name of a directory.
    package init?(_ name: String) {
        guard (1...64).contains(name.utf8.count),
            name.utf8.allSatisfy({
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0
            })
        else { return nil }
        self.name = name
    }

    /// - Throws: `data_loss` for a name that no server wrote.
    static func stored(_ name: String) throws(BatonError) -> BlobSpace {
        guard let space = BlobSpace(name) else {
            throw BatonError(.dataLoss, reason: "database_damaged", "The database names a folder that cannot be.")
        }
        return space
    }

    static func random(_ rules: StoreRules) throws(BatonError) -> BlobSpace {
        try stored(rules.random(16).hexadecimal)
    }
}

/// Where a blob's bytes are.
package struct BlobAddress: Hashable, Sendable {
    package var space: BlobSpace
    package var hash: BlobHash

    package init(space: BlobSpace, hash: BlobHash) {
        self.space = space
        self.hash = hash
    }
}

/// The state of a blob within an account.
package enum BlobStanding: Int, Sendable {
    /// Its bytes are coming.
    case uploading = 0
    /// All of its bytes are there, and are what its name says.
    case complete = 1
    /// Nothing names it; its bytes are being removed.
    case removing = 2
}

package struct BlobRecord: Hashable, Sendable {
    package var size: UInt64
    package var standing: BlobStanding

    package init(size: UInt64, standing: BlobStanding) {
        self.size = size
        self.standing = standing
    }
}
