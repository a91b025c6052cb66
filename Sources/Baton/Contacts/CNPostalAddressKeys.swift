// The keys of the parts of an address, as `MKPlacemark(coordinate:addressDictionary:)` and `CLGeocoder` take them. Contacts'.

/// The street and the number in it.
public let CNPostalAddressStreetKey = "street"

/// The part of the city.
public let CNPostalAddressSubLocalityKey = "subLocality"

/// The city.
public let CNPostalAddressCityKey = "city"

/// The county or district.
public let CNPostalAddressSubAdministrativeAreaKey = "subAdministrativeArea"

/// The state or province.
public let CNPostalAddressStateKey = "state"

/// The postal code.
public let CNPostalAddressPostalCodeKey = "postalCode"

/// The country.
public let CNPostalAddressCountryKey = "country"

/// The country's code, by ISO 3166-1 alpha-2.
public let CNPostalAddressISOCountryCodeKey = "ISOCountryCode"
