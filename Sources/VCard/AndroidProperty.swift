/// A part of a contact for which vCard 2.1 has no property, as Android writes it: `X-ANDROID-CUSTOM:KIND;VALUE;TYPE;LABEL;…`.
struct AndroidProperty {
    static let name = "X-ANDROID-CUSTOM"
    private static let prefix = "vnd.android.cursor.item/"

    let property: CardProperty
    let value: String
    /// A word of ``CardLabel``, or the person's own text.
    let label: String

    /// By Android's numbers of types; 0 stands for a text of the person's own.
    private static let relations = [
        1: "assistant", 2: "brother", 3: "child", 4: "partner", 5: "father", 6: "friend", 7: "manager", 8: "mother",
        9: "parent", 10: "partner", 11: "referred by", 12: "relative", 13: "sister", 14: "spouse",
    ]
    private static let days = [1: "anniversary", 2: "other", 3: "birthday"]

    /// - Returns: nil for a kind that a card here does not have: its lines are kept.
    static func property(of value: ArraySlice<UInt8>) -> CardProperty? {
        let kind = VCardText.utf8(value.prefix(64).prefix { $0 != 0x3B })
        guard kind.hasPrefix(prefix) else { return nil }
        switch kind.dropFirst(prefix.count) {
        case "nickname": return .nickname
        case "relation": return .relations
        // A birthday has a property of its own, so that these are the other days.
        case "contact_event": return .dates
        default: return nil
        }
    }

    init?(_ line: VCardLine) {
        guard line.name == Self.name, let property = line.property else { return nil }
        let parts = line.components.map(\.trimmed)
        guard parts.count > 1, !parts[1].isEmpty else { return nil }
        (self.property, value) = (property, parts[1])
        let (type, own) = (parts.count > 2 ? Int(parts[2]) : nil, parts.count > 3 ? parts[3] : "")
        let words = property == .relations ? Self.relations : property == .dates ? Self.days : [:]
        label = type.flatMap { words[$0] } ?? own
    }
}
