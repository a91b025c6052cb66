/// One person's or organization's card, as the files of an address book have it.
package struct ContactCard: Sendable, Hashable, Codable {
    /// A value with the label that the person gave it: `home`, `work`, `mobile`, or a text of their own. Empty for none.
    package struct Labeled<Value: Sendable & Hashable & Codable>: Sendable, Hashable, Codable {
        package var label: String
        package var value: Value
        /// Whether the card prefers it to others of its kind.
        package var isPreferred: Bool

        package init(label: String = "", value: Value, isPreferred: Bool = false) {
            self.label = label
            self.value = value
            self.isPreferred = isPreferred
        }
    }

    package struct Address: Sendable, Hashable, Codable {
        package var street = ""
        package var subLocality = ""
        package var city = ""
        package var subAdministrativeArea = ""
        package var state = ""
        package var postalCode = ""
        package var country = ""
        package var isoCountryCode = ""

        package init() {}

        /// All of it in one line, as maps read it: “1 Infinite Loop, Cupertino, CA 95014, USA”, “Gasse 1, 10115 Berlin”.
        package var line: String {
            let town =
                state.isEmpty
                ? [[postalCode, city].filter { !$0.isEmpty }.joined(separator: " ")]
                : [city, [state, postalCode].filter { !$0.isEmpty }.joined(separator: " ")]
            let lines = (street.split(whereSeparator: \.isNewline).map(String.init) + [subLocality] + town + [country])
                .map { String($0.drop { $0.isWhitespace }) }
            return lines.filter { !$0.isEmpty }.joined(separator: ", ")
        }
    }

    /// A profile or an instant message address: the service's name, and the name there.
    package struct ServiceName: Sendable, Hashable, Codable {
        package var service: String
        package var username: String
        package var url: String

        package init(service: String, username: String, url: String = "") {
            self.service = service
            self.username = username
            self.url = url
        }
    }

    /// A day, of which the year may be unknown.
    package struct PartialDate: Sendable, Hashable, Codable {
        package var year: Int?
        package var month: Int?
        package var day: Int?

        package init(year: Int? = nil, month: Int? = nil, day: Int? = nil) {
            self.year = year
            self.month = month
            self.day = day
        }
    }

    /// The card's `UID`, or what its source made of it.
    package var identifier: String
    package var isOrganization = false
    package var namePrefix = ""
    package var givenName = ""
    package var middleName = ""
    package var familyName = ""
    package var previousFamilyName = ""
    package var nameSuffix = ""
    package var nickname = ""
    package var phoneticGivenName = ""
    package var phoneticMiddleName = ""
    package var phoneticFamilyName = ""
    package var phoneticOrganizationName = ""
    /// The name as the card has it whole (`FN`).
    package var formattedName = ""
    package var organizationName = ""
    package var departmentName = ""
    package var jobTitle = ""
    package var note = ""
    package var telephones: [Labeled<String>] = []
    package var emails: [Labeled<String>] = []
    package var addresses: [Labeled<Address>] = []
    package var urls: [Labeled<String>] = []
    package var instantMessages: [Labeled<ServiceName>] = []
    package var socialProfiles: [Labeled<ServiceName>] = []
    /// People by their relation.
    package var relations: [Labeled<String>] = []
    package var birthday: PartialDate?
    package var dates: [Labeled<PartialDate>] = []
    /// The picture's bytes, as they are in the card.
    package var image: [UInt8]?

    package init(identifier: String) { self.identifier = identifier }

    /// The card's name for people: the whole name, else its parts, else the organization, else an address.
    package var displayName: String {
        let parts = [namePrefix, givenName, middleName, familyName, nameSuffix].filter { !$0.isEmpty }
        let candidates = [
            formattedName, parts.joined(separator: " "), nickname, organizationName, emails.first?.value ?? "",
            telephones.first?.value ?? "",
        ]
        return candidates.first { !$0.isEmpty } ?? ""
    }
}
