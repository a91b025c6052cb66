/// The capabilities of a receiver, as the TXT record `flags` announces them. Apple has not published them; the names are
/// those of the research that described the protocol (Stute et al., USENIX Security 2019).
package struct AirDropFlags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Takes links, as `Items` of `/Ask`.
    package static let url = AirDropFlags(rawValue: 0x01)
    /// Takes Apple's own archive format. It is not documented; senders use cpio when it is not announced.
    package static let dvZip = AirDropFlags(rawValue: 0x02)
    /// Takes `/Upload` without `Expect: 100-continue`.
    package static let pipelining = AirDropFlags(rawValue: 0x04)
    /// Takes files of different types in one transfer.
    package static let mixedTypes = AirDropFlags(rawValue: 0x08)
    /// Takes Live Photos.
    package static let livePhotos = AirDropFlags(rawValue: 0x40)
    /// Answers `/Discover`.
    package static let discover = AirDropFlags(rawValue: 0x80)
    package static let assetBundles = AirDropFlags(rawValue: 0x200)

    /// Capabilities of this implementation.
    package static let announced: AirDropFlags = [.url, .mixedTypes, .discover]

    /// Apple's senders ignore a receiver that has neither.
    package var isUsable: Bool { !isDisjoint(with: [.pipelining, .mixedTypes]) }
}
