package import BatonCore
import Foundation

/// An `INPerson` as an app donated it: the app's claim, which is never shown as the address book's.
package struct DonatedPerson: Sendable, Hashable, Codable {
    package enum HandleKind: Int, Sendable, Codable {
        case unknown = 0
        case email = 1
        case telephone = 2
    }

    package struct Handle: Sendable, Hashable, Codable {
        package var value: String
        package var kind: HandleKind

        package init(value: String, kind: HandleKind) {
            self.value = value
            self.kind = kind
        }
    }

    /// By Apple's numbers.
    package enum SuggestionType: Int, Sendable, Codable {
        case none = 0
        case socialProfile = 1
        case instantMessageAddress = 2
    }

    package var name: String
    package var handle: Handle?
    package var aliases: [Handle]
    package var contactIdentifier: String?
    package var customIdentifier: String?
    package var suggestionType: SuggestionType
    package var isMe: Bool

    package init(
        name: String, handle: Handle? = nil, aliases: [Handle] = [], contactIdentifier: String? = nil,
        customIdentifier: String? = nil, suggestionType: SuggestionType = .none, isMe: Bool = false
    ) {
        self.name = name
        self.handle = handle
        self.aliases = aliases
        self.contactIdentifier = contactIdentifier
        self.customIdentifier = customIdentifier
        self.suggestionType = suggestionType
        self.isMe = isMe
    }

    /// Bytes of a name, an identifier or an address; more of it is cut off.
    private static let maximumText = 1024
    /// Other addresses of one person.
    private static let maximumAliases = 16

    /// Nil for what is no person.
    package init?(_ value: PropertyValue) {
        guard case .dictionary(let entries) = value else { return nil }
        func text(_ name: String) -> String? {
            guard case .string(let text)? = entries[.string(name)], !text.isEmpty else { return nil }
            return text.shortened(toBytes: Self.maximumText)
        }
        func number(_ name: String) -> Int {
            if case .integer(let number)? = entries[.string(name)] { Int(clamping: number) } else { 0 }
        }
        func flag(_ name: String) -> Bool { entries[.string(name)] == .boolean(true) }
        handle = entries[.string("personHandle")].flatMap(Self.handle)
        aliases = []
        if case .array(let values)? = entries[.string("aliases")] {
            aliases = values.prefix(Self.maximumAliases).compactMap(Self.handle)
        }
        contactIdentifier = text("contactIdentifier")
        customIdentifier = text("customIdentifier")
        suggestionType = SuggestionType(rawValue: number("suggestionType")) ?? .none
        isMe = flag("isMe")
        name = text("displayName") ?? Self.name(entries[.string("nameComponents")]) ?? handle?.value ?? ""
        guard handle != nil || contactIdentifier != nil || customIdentifier != nil || !name.isEmpty else { return nil }
    }

    private static func handle(_ value: PropertyValue) -> Handle? {
        guard case .dictionary(let entries) = value, case .string(let text)? = entries[.string("value")], !text.isEmpty
        else { return nil }
        var kind = HandleKind.unknown
        if case .integer(let number)? = entries[.string("type")] {
            kind = HandleKind(rawValue: Int(clamping: number)) ?? .unknown
        }
        return Handle(value: text.shortened(toBytes: maximumText), kind: kind)
    }

    private static func name(_ components: PropertyValue?) -> String? {
        guard case .dictionary(let entries)? = components else { return nil }
        let parts = ["givenName", "middleName", "familyName"].compactMap { name -> String? in
            if case .string(let text)? = entries[.string(name)] { text } else { nil }
        }
        return parts.isEmpty ? nil : parts.joined(separator: " ").shortened(toBytes: maximumText)
    }

    /// Every address of the person.
    var handles: [Handle] { (handle.map { [$0] } ?? []) + aliases }

    /// The key by which two persons that no card joins are the same one. An identifier of an app's and a name hold within that
    /// app; an e-mail address and a telephone number hold everywhere.
    func key(in app: AppIdentity) -> String {
        if let customIdentifier { return "\(app.bundleID.rawValue):\(customIdentifier)" }
        if let handle, handle.kind != .unknown { return handle.value.lowercased() }
        return "\(app.bundleID.rawValue):\((handle?.value ?? name).lowercased())"
    }

    /// As the app has it in an intent, where it has donated none with this person.
    var value: PropertyValue {
        var entries: [PropertyValue: PropertyValue] = [.string("displayName"): .string(name)]
        if let handle {
            entries[.string("personHandle")] = .dictionary([
                .string("value"): .string(handle.value), .string("type"): .integer(Int64(handle.kind.rawValue)),
            ])
        }
        if suggestionType != .none {
            entries[.string("suggestionType")] = .integer(Int64(suggestionType.rawValue))
        }
        return .dictionary(entries)
    }
}

extension DonatedPerson {
    /// A person that an app shows.
    init(_ shown: ShownPerson) {
        let handles = shown.addresses.map { Handle(value: $0, kind: .init(address: $0)) }
        self.init(
            name: shown.name, handle: handles.first, aliases: Array(handles.dropFirst()),
            contactIdentifier: shown.contactIdentifier)
    }
}

extension DonatedPerson.HandleKind {
    /// By how it is written.
    init(address: String) {
        let digits = address.filter { $0.isASCII && $0.isNumber }.count
        let isNumber = digits >= 3 && address.allSatisfy { $0.isASCII && $0.isNumber || "+ ()-./".contains($0) }
        self = address.contains("@") ? .email : isNumber ? .telephone : .unknown
    }
}
