import Baton
import Foundation

/// The probe's use of search, suggestions, places and documents.
enum ProbeSearch {
    static func set(_ command: ProbeCommand, on activity: NSUserActivity) {
        if let keywords = command.keywords { activity.keywords = Set(keywords) }
        if let required = command.required { activity.requiredUserInfoKeys = Set(required) }
        if let persistent = command.persistent { activity.persistentIdentifier = persistent }
        if let description = command.description {
            let attributes = CSSearchableItemAttributeSet(itemContentType: "com.xamarin.location")
            attributes.contentDescription = description
            activity.contentAttributeSet = attributes
        }
        if command.place == true { activity.mapItem = place() }
        if let texts = command.attributes {
            activity.contentAttributeSet = attributes(texts)
        }
        if let urls = command.urls { activity.addUserInfoEntries(from: ["urls": nested(urls)]) }
        if let handoff = command.handoff { activity.isEligibleForHandoff = handoff }
        if let publicIndexing = command.publicIndexing { activity.isEligibleForPublicIndexing = publicIndexing }
        if let prediction = command.prediction { activity.isEligibleForPrediction = prediction }
        if let search = command.search { activity.isEligibleForSearch = search }
    }

    static func delete(_ command: ProbeCommand) {
        let done: @Sendable () -> Void = { ProbeLog.print(["event": "deleted"]) }
        if let persistent = command.persistent {
            NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: [persistent], completionHandler: done)
        } else {
            NSUserActivity.deleteAllSavedUserActivities(completionHandler: done)
        }
    }

    private static func place() -> MKMapItem {
        let item = MKMapItem(
            placemark: MKPlacemark(
                coordinate: CLLocationCoordinate2D(latitude: 37.33072, longitude: -122.029674),
                addressDictionary: ["SubThoroughfare": "1", "Thoroughfare": "Infinite Loop", "City": "Cupertino"]))
        item.name = "Apple Inc."
        item.phoneNumber = "(800) 275-2273"
        return item
    }

    private static func attributes(_ texts: [String: String]) -> CSSearchableItemAttributeSet {
        let attributes = CSSearchableItemAttributeSet(itemContentType: "com.example.place")
        attributes.namedLocation = texts["namedLocation"]
        attributes.subThoroughfare = texts["subThoroughfare"]
        attributes.thoroughfare = texts["thoroughfare"]
        attributes.city = texts["city"]
        attributes.stateOrProvince = texts["stateOrProvince"]
        attributes.country = texts["country"]
        attributes.latitude = texts["latitude"].flatMap(Double.init).map { NSNumber(value: $0) }
        attributes.longitude = texts["longitude"].flatMap(Double.init).map { NSNumber(value: $0) }
        attributes.phoneNumbers = texts["phoneNumber"].map { [$0] }
        attributes.supportsPhoneCall = texts["supportsPhoneCall"].map { NSNumber(value: $0 == "true") }
        attributes.supportsNavigation = texts["supportsNavigation"].map { NSNumber(value: $0 == "true") }
        return attributes
    }

    /// Each URL as a value in an array and a set, as a value and a key of a dictionary.
    private static func nested(_ urls: [String]) -> [AnyHashable: Any] {
        let urls = urls.compactMap(URL.init(string:))
        return [
            "array": urls, "set": Set(urls), "values": Dictionary(uniqueKeysWithValues: urls.map { ($0.path, $0) }),
            "keys": Dictionary(urls.map { ($0, true) }, uniquingKeysWith: { $1 }),
        ]
    }

    /// The fields that came with a continuation.
    static func fields(_ activity: NSUserActivity) -> [String: String] {
        var fields: [String: String] = [:]
        fields["description"] = activity.contentAttributeSet.map { $0.contentDescription ?? "" }
        fields["keywords"] = activity.keywords.sorted().joined(separator: ",")
        fields["persistent"] = activity.persistentIdentifier
        if let item = activity.mapItem {
            fields["place"] = [
                item.name, item.placemark.subThoroughfare, item.placemark.thoroughfare, item.placemark.locality,
                item.phoneNumber, "\(item.placemark.coordinate.latitude)", "\(item.placemark.coordinate.longitude)",
            ].compactMap { $0 }.joined(separator: "|")
        }
        fields["keys"] = (activity.userInfo ?? [:]).keys.compactMap { $0.base as? String }.sorted()
            .joined(separator: ",")
        guard let urls = activity.userInfo?["urls"] as? [AnyHashable: Any] else { return fields }
        let array = (urls["array"] as? [Any])?.compactMap { ($0 as? URL)?.absoluteString } ?? []
        let set = (urls["set"] as? Set<AnyHashable>)?.compactMap { ($0.base as? URL)?.absoluteString } ?? []
        let values = (urls["values"] as? [AnyHashable: Any])?.values.compactMap { ($0 as? URL)?.absoluteString } ?? []
        let keys = (urls["keys"] as? [AnyHashable: Any])?.keys.compactMap { ($0.base as? URL)?.absoluteString } ?? []
        fields["urls"] = array.joined(separator: " ")
        fields["agree"] = "\(Set(array) == Set(set) && Set(array) == Set(values) && Set(array) == Set(keys))"
        return fields
    }
}
