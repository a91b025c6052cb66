package import BatonCore
import Crypto
package import Foundation

/// Naming and sealing of zones and items for the cloud.
///
/// A sealed item is a byte of format, the generation's identifier (16), a nonce (12), ciphertext and tag (16). Each
/// item has a key of its own in each generation. The item's zone and name are authenticated as well, so that the cloud
/// can pass no item off as another.
extension KeyRing {
    /// Size of the blinded names of zones and items.
    package static let blindedSize = 32
    /// Bytes of UTF-8.
    package static let maximumItemName = 1024

    private static let format: UInt8 = 1
    private static let nonceSize = 12
    private static let tagSize = 16
    private static let headSize = 1 + ContentKey.ID.size + nonceSize
    private static let keyInfo = Data("baton-item-v1\0".utf8)

    // MARK: Names

    /// The name under which the cloud knows a zone.
    /// - Parameter zone: its kind, “/” and its name.
    package func zoneID(of zone: String) -> Data { blind(Data("zone\0".utf8) + Data(zone.utf8)) }

    /// The name under which the cloud knows an item.
    package func itemID(_ name: String, zoneID: Data) -> Data {
        blind(Data("item\0".utf8) + zoneID + Data(name.utf8))
    }

    private func blind(_ name: Data) -> Data { Data(HMAC<SHA256>.authenticationCode(for: name, using: namingKey)) }

    // MARK: Sealing

    /// The size of an item once sealed.
    package static func sealedSize(name: String, contentSize: Int) -> Int {
        headSize + Padding.paddedSize(8 + name.utf8.count + contentSize) + tagSize
    }

    /// Seals an item under the newest usable generation.
    /// - Parameter nonce: 12 bytes that are drawn anew each time; nil draws them here.
    /// - Throws: `failed_precondition` (`content_key_outdated`) when there is no usable generation: make or fetch one first;
    ///   `invalid_argument` for a name that is empty or longer than ``maximumItemName``.
    package func seal(
        _ content: Data, name: String, zoneID: Data, membership: Membership, nonce: [UInt8]? = nil
    ) throws(BatonError) -> Data {
        guard let generation = usable(in: membership) else {
            throw BatonError(
                .failedPrecondition, reason: "content_key_outdated",
                "A device was revoked since the newest content key was made. A new one must be made first.")
        }
        guard (1...Self.maximumItemName).contains(name.utf8.count), zoneID.count == Self.blindedSize else {
            throw BatonError(
                .invalidArgument, reason: "invalid_item_name", "An item's name must have 1 to 1024 bytes of UTF-8.")
        }
        let itemID = itemID(name, zoneID: zoneID)
        do {
            let nonce = try nonce.map { try ChaChaPoly.Nonce(data: $0) } ?? ChaChaPoly.Nonce()
            let box = try ChaChaPoly.seal(
                Self.plaintext(name: name, content: content), using: Self.key(generation, zoneID, itemID),
                nonce: nonce, authenticating: Self.context(generation.id, zoneID, itemID))
            return Data([Self.format] + generation.id.bytes) + box.combined
        } catch {
            throw BatonError(.internal, reason: "item_not_sealed", "An item could not be sealed.", cause: error)
        }
    }

    /// The generation that a sealed item names; nil for anything else.
    package static func generation(of sealed: Data) -> ContentKey.ID? {
        guard sealed.first == format, sealed.count >= headSize + tagSize else { return nil }
        return ContentKey.ID(sealed.dropFirst().prefix(ContentKey.ID.size))
    }

    /// Opens an item under whichever generation it names.
    /// - Throws: `failed_precondition` (`unknown_content_key`) when that generation has not arrived here: keep the item and
    ///   try again when content keys have changed; `unimplemented` (`unknown_item_format`) for what a newer version wrote;
    ///   `data_loss` (`damaged_item`) when it is not what a member sealed at this place.
    package func open(
        _ sealed: Data, zoneID: Data, itemID: Data
    ) throws(BatonError) -> (name: String, content: Data) {
        guard let format = sealed.first, sealed.count >= Self.headSize + Self.tagSize else { throw Self.damaged() }
        guard format == Self.format else {
            throw BatonError(
                .unimplemented, reason: "unknown_item_format",
                "An item was written by a newer version of Baton. Update Baton on this device.")
        }
        guard let id = Self.generation(of: sealed), let generation = generation(id) else {
            throw BatonError(
                .failedPrecondition, reason: "unknown_content_key",
                "An item is sealed under a content key that has not arrived here yet.")
        }
        let plaintext: Data
        do {
            let box = try ChaChaPoly.SealedBox(combined: sealed.dropFirst(1 + ContentKey.ID.size))
            plaintext = try ChaChaPoly.open(
                box, using: Self.key(generation, zoneID, itemID),
                authenticating: Self.context(id, zoneID, itemID))
        } catch {
            throw Self.damaged(error)
        }
        guard let (name, content) = Self.parse(plaintext),
            ConstantTime.equal(self.itemID(name, zoneID: zoneID), itemID)
        else { throw Self.damaged() }
        return (name, content)
    }

    // MARK: Parts

    private static func key(_ generation: ContentKey, _ zoneID: Data, _ itemID: Data) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: generation.key), info: keyInfo + zoneID + itemID, outputByteCount: 32)
    }

    private static func context(_ generation: ContentKey.ID, _ zoneID: Data, _ itemID: Data) -> Data {
        Data([format] + generation.bytes) + zoneID + itemID
    }

    /// Name and content, each with its length in four bytes before it, and zeros.
    private static func plaintext(name: String, content: Data) -> Data {
        let size = 8 + name.utf8.count + content.count
        var plaintext = Data(capacity: Padding.paddedSize(size))
        for part in [Data(name.utf8), content] {
            withUnsafeBytes(of: UInt32(part.count).bigEndian) { plaintext.append(contentsOf: $0) }
            plaintext.append(part)
        }
        plaintext.append(contentsOf: repeatElement(0, count: Padding.paddedSize(size) - size))
        return plaintext
    }

    /// Nil unless it is exactly what ``plaintext(name:content:)`` makes.
    private static func parse(_ plaintext: Data) -> (name: String, content: Data)? {
        var rest = plaintext
        guard let nameBytes = part(&rest), let content = part(&rest),
            (1...maximumItemName).contains(nameBytes.count), let name = String(validating: nameBytes, as: UTF8.self),
            plaintext.count == Padding.paddedSize(8 + nameBytes.count + content.count), rest.allSatisfy({ $0 == 0 })
        else { return nil }
        // Not a slice, which would keep the whole.
        return (name, Data(content))
    }

    private static func part(_ rest: inout Data) -> Data? {
        guard rest.count >= 4 else { return nil }
        let size = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard rest.count - 4 >= size else { return nil }
        defer { rest = rest.dropFirst(4 + size) }
        return rest.dropFirst(4).prefix(size)
    }

    private static func damaged(_ cause: (any Error)? = nil) -> BatonError {
        BatonError(
            .dataLoss, reason: "damaged_item",
            "An item in the cloud is damaged, or not what a device of this account wrote there.", cause: cause)
    }
}
