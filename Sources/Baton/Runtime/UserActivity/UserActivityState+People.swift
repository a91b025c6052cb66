import BatonCore
import BatonWire

extension UserActivityState {
    /// The people of the activity: those of its interaction, or of the one that was donated with it; else those that its
    /// attribute set names. The user of the device is none of them, as far as the app says who that is.
    var shownPeople: [ShownPerson] {
        if let people = interaction?.shownPeople, !people.isEmpty { return people }
        if !donatedPeople.isEmpty { return donatedPeople }
        guard let set = contentAttributeSet else { return [] }
        let own = Set((set.accountHandles ?? []).prefix(ShownPerson.maximumPeople).map { $0.lowercased() })
        let authors =
            Self.people(set.authors) ?? Self.people(set.authorNames ?? [], set.authorEmailAddresses ?? [])
        let recipients =
            Self.people(set.primaryRecipients)
            ?? Self.people(set.recipientNames ?? [], set.recipientEmailAddresses ?? [])
        var people = (authors + recipients).filter { person in
            !person.addresses.contains { own.contains($0.lowercased()) }
        }
        // The number of a place is the place's.
        if people.isEmpty, placeAttributes.isEmpty {
            let addresses = Self.bounded(set.phoneNumbers) + Self.bounded(set.emailAddresses)
            if !addresses.isEmpty, let person = ShownPerson(name: set.displayName ?? title ?? "", addresses: addresses)
            {
                people = [person]
            }
        }
        return ShownPerson.distinct(people)
    }

    private static func bounded(_ texts: [String]?) -> [String] {
        Array((texts ?? []).prefix(ShownPerson.maximumAddresses))
    }

    /// Nil where the app does not say.
    private static func people(_ persons: [CSPerson]?) -> [ShownPerson]? {
        persons?.prefix(ShownPerson.maximumPeople).compactMap { person in
            ShownPerson(
                name: person.displayName ?? "", addresses: bounded(person.handles),
                contactIdentifier: person.contactIdentifier)
        }
    }

    /// Names and addresses belong together where there are as many of each.
    private static func people(_ names: [String], _ addresses: [String]) -> [ShownPerson] {
        let limit = ShownPerson.maximumPeople
        if names.count == addresses.count {
            return zip(names, addresses).prefix(limit).compactMap { ShownPerson(name: $0, addresses: [$1]) }
        }
        if addresses.isEmpty { return names.prefix(limit).compactMap { ShownPerson(name: $0) } }
        return addresses.prefix(limit).compactMap { ShownPerson(name: "", addresses: [$0]) }
    }
}

extension INInteraction {
    /// The people involved: the recipients, those who were called, or the sender of a message that came.
    var shownPeople: [ShownPerson] {
        let persons: [INPerson] =
            switch intent {
            case let intent as INSendMessageIntent:
                direction == .incoming ? [intent.sender].compactMap { $0 } : intent.recipients ?? []
            case let intent as INStartCallIntent: intent.contacts ?? []
            case let intent as INStartAudioCallIntent: intent.contacts ?? []
            case let intent as INStartVideoCallIntent: intent.contacts ?? []
            case let intent as INSendPaymentIntent: [intent.payee].compactMap { $0 }
            default: []
            }
        return ShownPerson.distinct(
            persons.lazy.filter { !$0.isMe }.prefix(ShownPerson.maximumPeople).compactMap { person in
                let handles = [person.personHandle].compactMap { $0 } + (person.aliases ?? [])
                // A name within the app is no address.
                let addresses = handles.prefix(ShownPerson.maximumAddresses).filter { $0.type != .unknown }
                return ShownPerson(
                    name: person.displayName, addresses: addresses.compactMap(\.value),
                    contactIdentifier: person.contactIdentifier)
            })
    }
}
