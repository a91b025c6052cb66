/// The purpose of a text field. UIKit's.
///
/// Most values are the names that HTML has for it (`autocomplete`), so that native fields and those of pages mean the same. What
/// is suggested for a type is in docs/app-library.md.
public struct UITextContentType: RawRepresentable, Hashable, Sendable {
    /// Apple's value.
    public let rawValue: String

    /// A type by its value.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A whole name.
    public static let name = Self(rawValue: "name")

    /// The prefix of a name, as “Dr.”. The value has Apple's spelling.
    public static let namePrefix = Self(rawValue: "honorifix-prefix")

    /// A given name.
    public static let givenName = Self(rawValue: "given-name")

    /// A middle name.
    public static let middleName = Self(rawValue: "additional-name")

    /// A family name.
    public static let familyName = Self(rawValue: "family-name")

    /// The suffix of a name, as “Jr.”. The value has Apple's spelling.
    public static let nameSuffix = Self(rawValue: "honorifix-suffix")

    /// A nickname.
    public static let nickname = Self(rawValue: "nickname")

    /// The job title of a person in an organization.
    public static let jobTitle = Self(rawValue: "organization-title")

    /// The name of an organization.
    public static let organizationName = Self(rawValue: "organization")

    /// A place: its name, and its address on one line.
    public static let location = Self(rawValue: "location")

    /// A whole address, as on a letter (P-37).
    public static let fullStreetAddress = Self(rawValue: "street-address")

    /// The first line of the street.
    public static let streetAddressLine1 = Self(rawValue: "address-line1")

    /// The second line of the street.
    public static let streetAddressLine2 = Self(rawValue: "address-line2")

    /// A city.
    public static let addressCity = Self(rawValue: "address-level2")

    /// A state or province.
    public static let addressState = Self(rawValue: "address-level1")

    /// A city with its state.
    public static let addressCityAndState = Self(rawValue: "address-level1+2")

    /// A part of a city.
    public static let sublocality = Self(rawValue: "address-level3")

    /// A country.
    public static let countryName = Self(rawValue: "country-name")

    /// A postal code.
    public static let postalCode = Self(rawValue: "postal-code")

    /// A telephone number.
    public static let telephoneNumber = Self(rawValue: "tel")

    /// An e-mail address.
    public static let emailAddress = Self(rawValue: "email")

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The address of a page.
    public static let URL = Self(rawValue: "url")

    /// The number of a credit card.
    public static let creditCardNumber = Self(rawValue: "cc-number")

    /// The name of an account.
    public static let username = Self(rawValue: "username")

    /// A password.
    public static let password = Self(rawValue: "password")

    /// A password that is being chosen.
    public static let newPassword = Self(rawValue: "new-password")

    /// A code that is used once.
    public static let oneTimeCode = Self(rawValue: "one-time-code")

    /// A date and time. The value is Baton's.
    public static let dateTime = Self(rawValue: "date-time")

    /// The number of a flight. The value is Baton's.
    public static let flightNumber = Self(rawValue: "flight-number")

    /// The number of a parcel. The value is Baton's.
    public static let shipmentTrackingNumber = Self(rawValue: "shipment-tracking-number")

    /// A birthday.
    public static let birthdate = Self(rawValue: "bday")

    /// The day of a birthday.
    public static let birthdateDay = Self(rawValue: "bday-day")

    /// The month of a birthday.
    public static let birthdateMonth = Self(rawValue: "bday-month")

    /// The year of a birthday.
    public static let birthdateYear = Self(rawValue: "bday-year")

    /// Until when a credit card is valid.
    public static let creditCardExpiration = Self(rawValue: "cc-exp")

    /// The month until which a credit card is valid.
    public static let creditCardExpirationMonth = Self(rawValue: "cc-exp-month")

    /// The year until which a credit card is valid.
    public static let creditCardExpirationYear = Self(rawValue: "cc-exp-year")

    /// The security code of a credit card.
    public static let creditCardSecurityCode = Self(rawValue: "cc-csc")

    /// The kind of credit card.
    public static let creditCardType = Self(rawValue: "cc-type")

    /// The name on a credit card.
    public static let creditCardName = Self(rawValue: "cc-name")

    /// The given name on a credit card.
    public static let creditCardGivenName = Self(rawValue: "cc-given-name")

    /// The middle name on a credit card.
    public static let creditCardMiddleName = Self(rawValue: "cc-additional-name")

    /// The family name on a credit card.
    public static let creditCardFamilyName = Self(rawValue: "cc-family-name")

    /// The number of an eSIM.
    public static let cellularEID = Self(rawValue: "esim-eid")

    /// The number of a mobile device.
    public static let cellularIMEI = Self(rawValue: "esim-imei")
}
