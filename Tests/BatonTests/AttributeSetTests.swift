import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Synchronization
import Testing

@testable import Baton

@MainActor
@Suite(.timeLimit(.minutes(1))) struct AttributeSetTests {
    private func full() throws -> CSSearchableItemAttributeSet {
        let set = CSSearchableItemAttributeSet(itemContentType: "com.xamarin.location")
        set.title = "Infinite Loop"
        set.keywords = ["software", "mobile"]
        set.thumbnailURL = URL(string: "https://example.org/t.png")
        set.thumbnailData = Data([1, 2])
        set.latitude = 37.33072
        set.supportsPhoneCall = true
        set.importantDates = [Date(timeIntervalSinceReferenceDate: 1.5)]
        set.setValue(NSString("v"), forCustomKey: try #require(CSCustomAttributeKey(keyName: "com_example_key")))
        return set
    }

    @Test("an attribute set has its content type, and every property is nil at first and gives back what it got (H-39)")
    func properties() throws {
        let empty = CSSearchableItemAttributeSet(itemContentType: "com.xamarin.location")
        #expect(empty.contentType == "com.xamarin.location")
        #expect(empty.title == nil && empty.keywords == nil && empty.thumbnailURL == nil && empty.latitude == nil)
        #expect(empty.namedLocation == nil && empty.phoneNumbers == nil && empty.dueDate == nil)
        let set = try full()
        #expect(set.title == "Infinite Loop")
        #expect(set.keywords == ["software", "mobile"])
        #expect(set.thumbnailURL?.absoluteString == "https://example.org/t.png")
        #expect(set.thumbnailData == Data([1, 2]))
        #expect(set.latitude?.doubleValue == 37.33072)
        #expect(set.supportsPhoneCall?.boolValue == true)
        #expect(set.importantDates?.count == 1)
        set.title = nil
        #expect(set.title == nil)
    }

    @Test("a copy changes on its own, and an archive gives an equal set (H-39)")
    func copies() throws {
        let set = try full()
        let copy = try #require(set.copy() as? CSSearchableItemAttributeSet)
        #expect(copy == set && copy !== set && copy.hash == set.hash)
        copy.title = "Other"
        #expect(set.title == "Infinite Loop" && copy != set)
        let data = try NSKeyedArchiver.archivedData(withRootObject: set, requiringSecureCoding: true)
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: CSSearchableItemAttributeSet.self, from: data)
        #expect(read == set)
    }

    @Test("a key of the app's own takes strings, numbers, null, data, dates and arrays of these, and nothing else")
    func customKeys() throws {
        for name in ["", "with space", "a.b", "kMDItem", "ümlaut", String(repeating: "a", count: 256)] {
            #expect(CSCustomAttributeKey(keyName: name) == nil)
        }
        // Cannot take the place of a property.
        let key = try #require(CSCustomAttributeKey(keyName: "title"))
        #expect(key.isSearchable && !key.isSearchableByDefault && !key.isUnique && !key.isMultiValued)
        let set = CSSearchableItemAttributeSet(itemContentType: "t")
        set.setValue(NSArray(array: [NSNumber(value: 1), NSString("x"), NSNull()]), forCustomKey: key)
        #expect((set.value(forCustomKey: key) as? NSArray)?.count == 3)
        #expect(set.title == nil)
        set.setValue(nil, forCustomKey: key)
        #expect(set.value(forCustomKey: key) == nil)
    }

    @Test("an activity takes a copy, and its own set can be changed in place (H-39)")
    func ofActivity() throws {
        let activity = NSUserActivity(activityType: "com.example.place")
        let set = try full()
        activity.contentAttributeSet = set
        set.title = "changed afterwards"
        #expect(activity.contentAttributeSet?.title == "Infinite Loop")
        activity.contentAttributeSet?.title = "changed in place"
        #expect(activity.contentAttributeSet?.title == "changed in place")
    }

    @Test("attributes stay on the device: a saved activity holds them, what another device gets does not (H-39)")
    func staysHere() throws {
        let activity = NSUserActivity(activityType: "com.example.place")
        activity.contentAttributeSet = try full()
        #expect(!activity.snapshot.wirePayload.hasContentAttributes)
        let saved = activity.snapshot.savedPayload
        let read = try UserActivityState(received: saved, id: .random())
        #expect(read.contentAttributeSet == activity.contentAttributeSet)
    }

    @Test("of a saved activity the required entries of userInfo are kept, or all (H-37)")
    func requiredKeys() throws {
        let activity = NSUserActivity(activityType: "com.example.place")
        activity.userInfo = ["a": 1, "b": 2, 3: "three"]
        #expect(try PropertyValue(activity.snapshot.savedPayload.userInfo).userInfo?.count == 3)
        activity.requiredUserInfoKeys = ["a", "absent"]
        #expect(
            try PropertyValue(activity.snapshot.savedPayload.userInfo) == .dictionary([.string("a"): .integer(1)]))
        // Another device gets all the same.
        #expect(try PropertyValue(activity.snapshot.wirePayload.userInfo).userInfo?.count == 3)
        activity.requiredUserInfoKeys = []
        #expect(try PropertyValue(activity.snapshot.savedPayload.userInfo) == .dictionary([:]))
    }

    @Test("a place fills the attributes in, with the source's sample values, west of Greenwich (H-38, P-16, P-17, X-5)")
    func place() throws {
        let address = CNMutablePostalAddress()
        address.city = "Cupertino"
        address.state = "CA"
        address.country = "United States"
        address.postalCode = "95014"
        address.street = "1 Infinite Loop"
        let coordinate = CLLocationCoordinate2D(latitude: 37.33072, longitude: -122.029674)
        let item = MKMapItem(placemark: MKPlacemark(coordinate: coordinate, postalAddress: address))
        item.name = "Apple Inc."
        item.phoneNumber = "(800) 275-2273"
        let activity = NSUserActivity(activityType: "com.example.place")
        let own = CSSearchableItemAttributeSet(itemContentType: "com.example")
        own.contentDescription = "mine"
        activity.contentAttributeSet = own
        activity.mapItem = item
        #expect(activity.mapItem === item)
        let attributes = try #require(activity.contentAttributeSet)
        #expect(attributes.namedLocation == "Apple Inc.")
        #expect(attributes.city == "Cupertino" && attributes.stateOrProvince == "CA")
        #expect(attributes.country == "United States" && attributes.postalCode == "95014")
        #expect(attributes.latitude == 37.33072 && attributes.longitude == -122.029674)
        #expect(attributes.phoneNumbers == ["(800) 275-2273"])
        #expect(attributes.supportsPhoneCall == true && attributes.supportsNavigation == true)
        #expect(attributes.contentDescription == "mine" && attributes.contentType == "com.example")
        #expect(item.placemark.postalAddress?.street == "1 Infinite Loop")
        activity.mapItem = nil
        #expect(activity.mapItem == nil && activity.contentAttributeSet?.city == "Cupertino")
    }

    @Test("a place travels whole, but “where I am” does not (H-38)")
    func placeTravels() throws {
        let coordinate = CLLocationCoordinate2D(latitude: -1.5, longitude: 0)
        let placemark = MKPlacemark(
            coordinate: coordinate,
            addressDictionary: ["Name": "N", "City": "C", "CountryCode": "DE", "ZIP": 7, "unknown": "x"])
        let item = MKMapItem(placemark: placemark)
        item.url = URL(string: "https://example.org")
        item.timeZone = TimeZone(identifier: "Europe/Berlin")
        item.pointOfInterestCategory = .restaurant
        let activity = NSUserActivity(activityType: "com.example.place")
        activity.mapItem = item
        let received = try UserActivityState(received: activity.snapshot.wirePayload, id: .random())
        #expect(received.mapItem == item)
        #expect(received.mapItem?.placemark.coordinate == coordinate)
        #expect(received.mapItem?.name == "N" && received.mapItem?.placemark.countryCode == "DE")
        #expect(received.mapItem?.placemark.postalCode == nil)
        #expect(received.mapItem?.timeZone?.identifier == "Europe/Berlin")
        #expect(received.mapItem?.pointOfInterestCategory == .restaurant)
        let data = try NSKeyedArchiver.archivedData(withRootObject: item, requiringSecureCoding: true)
        #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: MKMapItem.self, from: data) == item)
        activity.mapItem = .forCurrentLocation()
        #expect(activity.mapItem.isCurrentLocation)
        #expect(!activity.snapshot.wirePayload.hasMapItem)
    }

    @Test("coordinates are valid within the globe, and one that is not known is not")
    func coordinates() {
        #expect(CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(90, -180)))
        #expect(!CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(90.1, 0)))
        #expect(!CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(.nan, 0)))
        #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
        #expect(!CLLocationCoordinate2DIsValid(MKMapItem().placemark.coordinate))
        let activity = NSUserActivity(activityType: "com.example.place")
        activity.mapItem = MKMapItem(placemark: MKPlacemark(coordinate: CLLocationCoordinate2DMake(.infinity, 0)))
        #expect(activity.contentAttributeSet?.latitude == nil)
    }

    @Test("metadata that cannot be read is left out, and one of another type reads as none; the activity is continued")
    func hostile() throws {
        var payload = NSUserActivity(activityType: "com.example.edit").snapshot.wirePayload
        payload.contentAttributes = .init(attributes: [
            "title": .integer(5), "keywords": .array([.string("a"), .null]),
        ])
        payload.mapItem = .init(attributes: [
            "name": .data(Data([1])), "timeZone": .string("No/Where"), "placemark": .string("none"),
        ])
        var state = try UserActivityState(received: payload, id: .random())
        #expect(state.contentAttributeSet?.title == nil && state.contentAttributeSet?.keywords == nil)
        #expect(state.mapItem?.name == nil && state.mapItem?.timeZone == nil)
        // A name that comes twice, a name that is no text, and containers nested too deep.
        var double = Baton_Value_V1_PropertyDictionary(attributes: ["title": .string("a")])
        double.entries += double.entries
        var unnamed = double
        unnamed.entries = [
            .with {
                $0.key.integer = 1
                $0.value.string = "x"
            }
        ]
        var deep = Baton_Value_V1_PropertyValue()
        deep.string = "bottom"
        for _ in 0..<1000 { deep = .with { $0.array.values = [deep] } }
        let nested = Baton_Value_V1_PropertyDictionary.with {
            $0.entries = [
                .with {
                    $0.key.string = "title"
                    $0.value = deep
                }
            ]
        }
        for bad in [double, unnamed, nested] {
            payload.contentAttributes = bad
            payload.mapItem = bad
            state = try UserActivityState(received: payload, id: .random())
            #expect(state.contentAttributeSet == nil && state.mapItem == nil)
        }
        // From the wire, such depth does not even get that far.
        let bytes: [UInt8] = try payload.serializedBytes()
        #expect(throws: (any Error).self) { try Baton_Value_V1_ActivityPayload(serializedBytes: bytes) }
    }
}
