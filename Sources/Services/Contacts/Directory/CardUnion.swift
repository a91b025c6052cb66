package import VCard

/// A part of a contact that an app sets: by the names of the properties of `CNContact`.
package enum CardKey: String, Sendable, Hashable, CaseIterable {
    case contactType, namePrefix, givenName, middleName, familyName, previousFamilyName, nameSuffix, nickname
    case phoneticGivenName, phoneticMiddleName, phoneticFamilyName, phoneticOrganizationName
    case organizationName, departmentName, jobTitle, note
    case phoneNumbers, emailAddresses, postalAddresses, urlAddresses, instantMessageAddresses, socialProfiles
    case contactRelations, dates, birthday, imageData

    fileprivate static var texts: [(CardKey, WritableKeyPath<ContactCard, String>)] {
        [
            (.namePrefix, \.namePrefix), (.givenName, \.givenName), (.middleName, \.middleName),
            (.familyName, \.familyName), (.previousFamilyName, \.previousFamilyName), (.nameSuffix, \.nameSuffix),
            (.nickname, \.nickname), (.phoneticGivenName, \.phoneticGivenName),
            (.phoneticMiddleName, \.phoneticMiddleName), (.phoneticFamilyName, \.phoneticFamilyName),
            (.phoneticOrganizationName, \.phoneticOrganizationName), (.organizationName, \.organizationName),
            (.departmentName, \.departmentName), (.jobTitle, \.jobTitle), (.note, \.note),
        ]
    }

    /// Those from which the whole name follows.
    fileprivate static let names: Set<CardKey> = [
        .namePrefix, .givenName, .middleName, .familyName, .nameSuffix, .organizationName,
    ]
}

/// Several cards that are one contact: how they look together, and what a change of the contact changes in each.
package enum CardUnion {
    /// Values of one kind in a contact. Policy: the later ones are left out.
    static let maximumValues = 1000

    /// The first card of the list counts; lists are joined, each value once.
    package static func merged(_ cards: [ContactCard]) -> ContactCard {
        guard var union = cards.first else { return ContactCard(identifier: "") }
        for card in cards.dropFirst() {
            // A name is taken whole: a given name of one card with the family name of another belongs to no person.
            let hasName = !(union.givenName + union.middleName + union.familyName).isEmpty
            let nameKeys: Set<CardKey> = [.namePrefix, .givenName, .middleName, .familyName, .nameSuffix]
            for (key, path) in CardKey.texts where union[keyPath: path].isEmpty {
                if hasName, nameKeys.contains(key) { continue }
                union[keyPath: path] = card[keyPath: path]
            }
            if union.formattedName.isEmpty { union.formattedName = card.formattedName }
            if union.birthday == nil { union.birthday = card.birthday }
            if union.image == nil { union.image = card.image }
            join(&union.telephones, card.telephones) { TelephoneNumber.digits(of: $0.value) }
            join(&union.emails, card.emails) { $0.value.lowercased() }
            join(&union.addresses, card.addresses) { $0.value }
            join(&union.urls, card.urls) { $0.value }
            join(&union.instantMessages, card.instantMessages) { [$0.value.service.lowercased(), $0.value.username] }
            join(&union.socialProfiles, card.socialProfiles) { [$0.value.service.lowercased(), $0.value.username] }
            join(&union.relations, card.relations) { [$0.label, $0.value] }
            join(&union.dates, card.dates) { $0 }
        }
        return union
    }

    private static func join<Value, Key: Hashable>(
        _ list: inout [ContactCard.Labeled<Value>], _ more: [ContactCard.Labeled<Value>],
        key: (ContactCard.Labeled<Value>) -> Key
    ) {
        guard !more.isEmpty else { return }
        var known = Set(list.map(key))
        for value in more where list.count < maximumValues && known.insert(key(value)).inserted { list.append(value) }
    }

    // MARK: Changes

    /// The changes of each card when an app changes the contact.
    /// - Parameters:
    ///   - keys: what the app has set.
    ///   - cards: in the order in which they were merged, and whether each can be written.
    /// - Returns: nil where the contact would not be as the app wants it, since a card that cannot be written says otherwise.
    package static func apply(
        _ new: ContactCard, keys: Set<CardKey>, to cards: [(card: ContactCard, isWritable: Bool)]
    ) -> [ContactCard]? {
        guard let primary = cards.firstIndex(where: { $0.isWritable }) else { return nil }
        let old = merged(cards.map(\.card))
        var result = cards.map(\.card)
        for (index, card) in cards.enumerated() where card.isWritable {
            change(&result[index], old, new, keys, isPrimary: index == primary)
            rename(&result[index], card.card, old, new, keys)
        }
        return agrees(merged(result), new, keys) ? result : nil
    }

    /// Cards that had the contact's name have it still, however they write it: they would be another contact's otherwise.
    private static func rename(
        _ card: inout ContactCard, _ before: ContactCard, _ old: ContactCard, _ new: ContactCard, _ keys: Set<CardKey>
    ) {
        guard !keys.isDisjoint(with: CardKey.names) else { return }
        var whole = old
        for (key, path) in CardKey.texts where keys.contains(key) { whole[keyPath: path] = new[keyPath: path] }
        whole.formattedName = ""
        whole.formattedName = whole.displayName
        guard ContactIndex.name(of: before) == ContactIndex.name(of: old),
            ContactIndex.name(of: card) != ContactIndex.name(of: whole), !ContactIndex.name(of: before).isEmpty
        else { return }
        for path in [\ContactCard.givenName, \.middleName, \.familyName, \.formattedName] {
            card[keyPath: path] = whole[keyPath: path]
        }
    }

    /// Changes a card as its source has it now, which may be newer than what the app knew of it: what the app has not changed
    /// stays.
    /// - Parameters:
    ///   - old: the card as it was when the change was worked out.
    ///   - new: what was to become of it.
    package static func carry(
        _ keys: Set<CardKey>, from old: ContactCard, to new: ContactCard, into card: inout ContactCard
    ) {
        var keys = keys
        for (key, path) in CardKey.texts {
            if old[keyPath: path] == new[keyPath: path] { keys.remove(key) } else { keys.insert(key) }
        }
        if old.isOrganization == new.isOrganization { keys.remove(.contactType) }
        if old.birthday == new.birthday { keys.remove(.birthday) }
        let name = card.formattedName
        change(&card, old, new, keys, isPrimary: true)
        if old.formattedName != new.formattedName, card.formattedName == name { card.formattedName = new.formattedName }
    }

    private static func change(
        _ card: inout ContactCard, _ old: ContactCard, _ new: ContactCard, _ keys: Set<CardKey>, isPrimary: Bool
    ) {
        let before = card
        for (key, path) in CardKey.texts where keys.contains(key) {
            if isPrimary || !card[keyPath: path].isEmpty { card[keyPath: path] = new[keyPath: path] }
        }
        if keys.contains(.contactType) { card.isOrganization = new.isOrganization }
        if keys.contains(.birthday), isPrimary || card.birthday != nil { card.birthday = new.birthday }
        if keys.contains(.imageData), isPrimary || card.image != nil { card.image = new.image }
        if keys.contains(.phoneNumbers) { edit(\.telephones, &card, old, new, isPrimary) { $0.value } }
        if keys.contains(.emailAddresses) { edit(\.emails, &card, old, new, isPrimary) { $0.value } }
        if keys.contains(.postalAddresses) { edit(\.addresses, &card, old, new, isPrimary) { $0.value } }
        if keys.contains(.urlAddresses) { edit(\.urls, &card, old, new, isPrimary) { $0.value } }
        if keys.contains(.instantMessageAddresses) {
            edit(\.instantMessages, &card, old, new, isPrimary) { [$0.value.service, $0.value.username] }
        }
        if keys.contains(.socialProfiles) {
            edit(\.socialProfiles, &card, old, new, isPrimary) {
                [$0.value.service, $0.value.username, $0.value.url]
            }
        }
        if keys.contains(.contactRelations) { edit(\.relations, &card, old, new, isPrimary) { $0.value } }
        if keys.contains(.dates) { edit(\.dates, &card, old, new, isPrimary) { $0.value } }
        if !keys.isDisjoint(with: CardKey.names), card != before {
            card.formattedName = ""
            card.formattedName = card.displayName
        }
    }

    private struct Identity<Key: Hashable>: Hashable {
        var label: String
        var key: Key
    }

    /// Takes out what the contact has no more, and puts what is new into the first card.
    private static func edit<Value, Key: Hashable>(
        _ path: WritableKeyPath<ContactCard, [ContactCard.Labeled<Value>]>, _ card: inout ContactCard,
        _ old: ContactCard, _ new: ContactCard, _ isPrimary: Bool, key: (ContactCard.Labeled<Value>) -> Key
    ) {
        func identity(_ value: ContactCard.Labeled<Value>) -> Identity<Key> {
            Identity(label: value.label, key: key(value))
        }
        let wanted = Set(new[keyPath: path].map(identity))
        // The same value with another label goes, too: it comes back with the new one.
        let gone = Set(old[keyPath: path].map(identity)).subtracting(wanted)
        let goneKeys = Set(gone.map(\.key)).subtracting(wanted.map(\.key))
        card[keyPath: path].removeAll { gone.contains(identity($0)) || goneKeys.contains(key($0)) }
        guard isPrimary else { return }
        let known = Set(old[keyPath: path].map(identity))
        let added = new[keyPath: path].filter { !known.contains(identity($0)) }
        // In the app's order, where all of it is in one card.
        let own = Dictionary(card[keyPath: path].map { (identity($0), $0) }, uniquingKeysWith: { first, _ in first })
        let ordered = new[keyPath: path].compactMap { own[identity($0)] ?? (known.contains(identity($0)) ? nil : $0) }
        if ordered.count == own.count + added.count, own.count == card[keyPath: path].count {
            card[keyPath: path] = ordered
        } else {
            card[keyPath: path] += added
        }
    }

    private static func agrees(_ one: ContactCard, _ other: ContactCard, _ keys: Set<CardKey>) -> Bool {
        for (key, path) in CardKey.texts where keys.contains(key) && one[keyPath: path] != other[keyPath: path] {
            return false
        }
        func same<Value: Hashable>(_ key: CardKey, _ values: (ContactCard) -> [Value]) -> Bool {
            !keys.contains(key) || Set(values(one)) == Set(values(other))
        }
        return same(.contactType) { [$0.isOrganization] } && same(.birthday) { [$0.birthday] }
            && same(.imageData) { [$0.image] }
            && same(.phoneNumbers) { $0.telephones.map { TelephoneNumber.digits(of: $0.value) } }
            && same(.emailAddresses) { $0.emails.map { $0.value.lowercased() } }
            && same(.postalAddresses) { $0.addresses.map(\.value) } && same(.urlAddresses) { $0.urls.map(\.value) }
            && same(.instantMessageAddresses) { $0.instantMessages.map(\.value.username) }
            && same(.socialProfiles) { $0.socialProfiles.map(\.value.username) }
            && same(.contactRelations) { $0.relations.map(\.value) } && same(.dates) { $0.dates.map(\.value) }
    }
}
