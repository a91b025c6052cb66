/// Which part of a card a line is about.
enum CardProperty: Hashable, CaseIterable {
    case identifier
    case kind
    case formattedName
    case name
    case previousFamilyName
    case phoneticNames
    case nickname
    case organization
    case title
    case note
    case telephones
    case emails
    case addresses
    case urls
    case instantMessages
    case socialProfiles
    case relations
    case birthday
    case dates
    case image
    /// A property that belongs to another line of its group.
    case labels

    /// Properties from before `IMPP`, and the services they are of.
    static let messengers = [
        "X-AIM": "AIM", "X-ICQ": "ICQ", "X-JABBER": "Jabber", "X-MSN": "MSN", "X-YAHOO": "Yahoo", "X-SKYPE": "Skype",
        "X-SKYPE-USERNAME": "Skype", "X-GADUGADU": "GaduGadu", "X-GOOGLE-TALK": "GoogleTalk", "X-MATRIX": "Matrix",
        "X-TWITTER": "Twitter", "X-QQ": "QQ", "X-GROUPWISE": "GroupWise",
    ]
    static let schemes = [
        "xmpp": "Jabber", "aim": "AIM", "icq": "ICQ", "msnim": "MSN", "ymsgr": "Yahoo", "skype": "Skype",
        "gg": "GaduGadu", "gtalk": "GoogleTalk", "matrix": "Matrix", "sip": "SIP", "irc": "IRC",
    ]

    private static let byName: [String: CardProperty] = {
        let names: [CardProperty: [String]] = [
            .identifier: ["UID"], .kind: ["KIND", "X-ABSHOWAS", "X-ADDRESSBOOKSERVER-KIND"], .formattedName: ["FN"],
            .name: ["N"], .previousFamilyName: ["X-MAIDENNAME"],
            .phoneticNames: [
                "X-PHONETIC-FIRST-NAME", "X-PHONETIC-MIDDLE-NAME", "X-PHONETIC-LAST-NAME", "X-PHONETIC-ORG",
            ],
            .nickname: ["NICKNAME"], .organization: ["ORG"], .title: ["TITLE"], .note: ["NOTE"], .telephones: ["TEL"],
            .emails: ["EMAIL"], .addresses: ["ADR"], .urls: ["URL"], .instantMessages: ["IMPP"] + messengers.keys,
            .socialProfiles: ["X-SOCIALPROFILE", "SOCIALPROFILE"],
            .relations: [
                "X-ABRELATEDNAMES", "RELATED", "X-SPOUSE", "X-MANAGER", "X-ASSISTANT", "X-EVOLUTION-SPOUSE",
                "X-EVOLUTION-MANAGER", "X-EVOLUTION-ASSISTANT",
            ],
            .birthday: ["BDAY"], .dates: ["ANNIVERSARY", "X-ABDATE", "X-ANNIVERSARY", "X-EVOLUTION-ANNIVERSARY"],
            .image: ["PHOTO"],
            .labels: ["X-ABLABEL", "X-ABADR", "X-APPLE-SUBLOCALITY", "X-APPLE-SUBADMINISTRATIVEAREA"],
        ]
        return names.reduce(into: [:]) { found, entry in for name in entry.value { found[name] = entry.key } }
    }()

    /// Nil for a property that a card here does not have: its lines are kept.
    init?(_ name: String, _ value: ArraySlice<UInt8>) {
        let found = name == AndroidProperty.name ? AndroidProperty.property(of: value) : Self.byName[name]
        guard let found else { return nil }
        self = found
    }

    /// Whether a card has one of it, and not a list.
    var isSingle: Bool {
        switch self {
        case .telephones, .emails, .addresses, .urls, .instantMessages, .socialProfiles, .relations, .dates, .labels:
            false
        default: true
        }
    }

    /// Each value of a list, in a card of its own; nil for what a card has one of.
    func parts(of card: ContactCard) -> [ContactCard]? {
        func each<Value>(_ list: WritableKeyPath<ContactCard, [ContactCard.Labeled<Value>]>) -> [ContactCard] {
            card[keyPath: list].map { value in
                var part = ContactCard(identifier: "")
                part[keyPath: list] = [value]
                return part
            }
        }
        switch self {
        case .telephones: return each(\.telephones)
        case .emails: return each(\.emails)
        case .addresses: return each(\.addresses)
        case .urls: return each(\.urls)
        case .instantMessages: return each(\.instantMessages)
        case .socialProfiles: return each(\.socialProfiles)
        case .relations: return each(\.relations)
        case .dates: return each(\.dates)
        default: return nil
        }
    }

    /// Whether two cards say the same of it.
    func isEqual(_ one: ContactCard, _ other: ContactCard) -> Bool {
        switch self {
        case .identifier: one.identifier == other.identifier
        case .kind: one.isOrganization == other.isOrganization
        case .formattedName: one.formattedName == other.formattedName
        case .name: one.nameParts == other.nameParts
        case .previousFamilyName: one.previousFamilyName == other.previousFamilyName
        case .phoneticNames: one.phoneticParts == other.phoneticParts
        case .nickname: one.nickname == other.nickname
        case .organization:
            one.organizationName == other.organizationName && one.departmentName == other.departmentName
        case .title: one.jobTitle == other.jobTitle
        case .note: one.note == other.note
        case .telephones: one.telephones == other.telephones
        case .emails: one.emails == other.emails
        case .addresses: one.addresses == other.addresses
        case .urls: one.urls == other.urls
        case .instantMessages: one.instantMessages == other.instantMessages
        case .socialProfiles: one.socialProfiles == other.socialProfiles
        case .relations: one.relations == other.relations
        case .birthday: one.birthday == other.birthday
        case .dates: one.dates == other.dates
        case .image: one.image == other.image
        case .labels: true
        }
    }
}

extension ContactCard {
    /// In the order of `N`.
    var nameParts: [String] { [familyName, givenName, middleName, namePrefix, nameSuffix] }
    var phoneticParts: [String] {
        [phoneticGivenName, phoneticMiddleName, phoneticFamilyName, phoneticOrganizationName]
    }
}
