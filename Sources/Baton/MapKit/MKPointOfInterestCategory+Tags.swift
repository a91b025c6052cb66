/// The kinds of places that geocoders know, which have OpenStreetMap's tags.
extension MKPointOfInterestCategory {
    /// The tag that is asked for; nil for a category of the app's own.
    var tag: String? { Self.tags.first { $0.category == self }?.tag }

    /// The category of a tag; nil for a place that is no point of interest.
    init?(tag: String) {
        if let known = Self.tags.first(where: { $0.tag == tag }) {
            self = known.category
        } else if tag.hasPrefix("shop=") {
            self = .store
        } else {
            return nil
        }
    }

    /// The first tag of each category is the one that is asked for.
    private static let tags: [(category: Self, tag: String)] = [
        (.airport, "aeroway=aerodrome"), (.amusementPark, "tourism=theme_park"), (.aquarium, "tourism=aquarium"),
        (.atm, "amenity=atm"), (.bakery, "shop=bakery"), (.bank, "amenity=bank"), (.beach, "natural=beach"),
        (.brewery, "craft=brewery"), (.cafe, "amenity=cafe"), (.campground, "tourism=camp_site"),
        (.carRental, "amenity=car_rental"), (.evCharger, "amenity=charging_station"),
        (.fireStation, "amenity=fire_station"), (.fitnessCenter, "leisure=fitness_centre"),
        (.foodMarket, "shop=supermarket"), (.foodMarket, "shop=convenience"), (.foodMarket, "amenity=marketplace"),
        (.gasStation, "amenity=fuel"), (.hospital, "amenity=hospital"), (.hotel, "tourism=hotel"),
        (.hotel, "tourism=hostel"), (.hotel, "tourism=guest_house"), (.hotel, "tourism=motel"),
        (.laundry, "shop=laundry"), (.library, "amenity=library"), (.marina, "leisure=marina"),
        (.movieTheater, "amenity=cinema"), (.museum, "tourism=museum"), (.nationalPark, "boundary=national_park"),
        (.nightlife, "amenity=bar"), (.nightlife, "amenity=pub"), (.nightlife, "amenity=nightclub"),
        (.park, "leisure=park"), (.parking, "amenity=parking"), (.pharmacy, "amenity=pharmacy"),
        (.police, "amenity=police"), (.postOffice, "amenity=post_office"), (.publicTransport, "railway=station"),
        (.publicTransport, "railway=halt"), (.publicTransport, "railway=tram_stop"),
        (.publicTransport, "highway=bus_stop"), (.publicTransport, "amenity=bus_station"),
        (.restaurant, "amenity=restaurant"), (.restaurant, "amenity=fast_food"), (.restroom, "amenity=toilets"),
        (.school, "amenity=school"), (.stadium, "leisure=stadium"), (.store, "shop=department_store"),
        (.theater, "amenity=theatre"), (.university, "amenity=university"), (.university, "amenity=college"),
        (.winery, "craft=winery"), (.zoo, "tourism=zoo"),
    ]
}
