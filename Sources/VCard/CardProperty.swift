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
        "X-TWITTER": "Twitter",
    ]
    static let schemes = [
        "xmpp": "Jabber", "aim": "AIM", "icq": "ICQ", "msnim": "MSN", "ymsgr": "Yahoo", "skype": "Skype",
        "gg": "GaduGadu", "gtalk": "GoogleTalk", "matrix": "Matrix", "sip": "SIP", "irc": "IRC",
    ]

    /// Nil for a property that a card here does not have: its lines are kept.
    init?(_ name: String) {
        switch name {
        case "UID": self = .identifier
        case "KIND", "X-ABSHOWAS", "X-ADDRESSBOOKSERVER-KIND": self = .kind
        case "FN": self = .formattedName
        case "N": self = .name
        case "X-MAIDENNAME": self = .previousFamilyName
        case "X-PHONETIC-FIRST-NAME", "X-PHONETIC-MIDDLE-NAME", "X-PHONETIC-LAST-NAME", "X-PHONETIC-ORG":
            self = .phoneticNames
        case "NICKNAME": self = .nickname
        case "ORG": self = .organization
        case "TITLE": self = .title
        case "NOTE": self = .note
        case "TEL": self = .telephones
        case "EMAIL": self = .emails
        case "ADR": self = .addresses
        case "URL": self = .urls
        case "IMPP": self = .instantMessages
        case "X-SOCIALPROFILE", "SOCIALPROFILE": self = .socialProfiles
        case "X-ABRELATEDNAMES", "RELATED", "X-SPOUSE", "X-MANAGER", "X-ASSISTANT", "X-EVOLUTION-SPOUSE",
            "X-EVOLUTION-MANAGER", "X-EVOLUTION-ASSISTANT":
            self = .relations
        case "BDAY": self = .birthday
        case "ANNIVERSARY", "X-ABDATE", "X-ANNIVERSARY", "X-EVOLUTION-ANNIVERSARY": self = .dates
        case "PHOTO": self = .image
        case "X-ABLABEL", "X-ABADR": self = .labels
        default:
            guard Self.messengers[name] != nil else { return nil }
            self = .instantMessages
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
