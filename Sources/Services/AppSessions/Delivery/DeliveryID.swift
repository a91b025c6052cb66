import BatonCore

/// One delivery to an app: 128 random bits.
package struct DeliveryID: RandomIdentifier {
    package let rawValue: String
    package init(unchecked rawValue: String) { self.rawValue = rawValue }
    package static let kind = "a delivery identifier"
    package static let rule = SessionID.rule
    package static func isValid(_ text: String) -> Bool { SessionID.isValid(text) }
}
