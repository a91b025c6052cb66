/// The kind of a point of interest. MapKit's, with the names of iOS 13.
public struct MKPointOfInterestCategory: RawRepresentable, Hashable, Sendable {
    /// Apple's name for it.
    public let rawValue: String

    /// A category by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An airport.
    public static let airport = Self(rawValue: "MKPOICategoryAirport")
    /// A place of rides.
    public static let amusementPark = Self(rawValue: "MKPOICategoryAmusementPark")
    /// An aquarium.
    public static let aquarium = Self(rawValue: "MKPOICategoryAquarium")
    /// A cash machine.
    public static let atm = Self(rawValue: "MKPOICategoryATM")
    /// A bakery.
    public static let bakery = Self(rawValue: "MKPOICategoryBakery")
    /// A bank.
    public static let bank = Self(rawValue: "MKPOICategoryBank")
    /// A beach.
    public static let beach = Self(rawValue: "MKPOICategoryBeach")
    /// A brewery.
    public static let brewery = Self(rawValue: "MKPOICategoryBrewery")
    /// A café.
    public static let cafe = Self(rawValue: "MKPOICategoryCafe")
    /// A campground.
    public static let campground = Self(rawValue: "MKPOICategoryCampground")
    /// Somewhere to rent a car.
    public static let carRental = Self(rawValue: "MKPOICategoryCarRental")
    /// Somewhere to charge a car.
    public static let evCharger = Self(rawValue: "MKPOICategoryEVCharger")
    /// A fire station.
    public static let fireStation = Self(rawValue: "MKPOICategoryFireStation")
    /// Somewhere to exercise.
    public static let fitnessCenter = Self(rawValue: "MKPOICategoryFitnessCenter")
    /// A shop or market for food.
    public static let foodMarket = Self(rawValue: "MKPOICategoryFoodMarket")
    /// Somewhere to fill up a car.
    public static let gasStation = Self(rawValue: "MKPOICategoryGasStation")
    /// A hospital.
    public static let hospital = Self(rawValue: "MKPOICategoryHospital")
    /// A hotel.
    public static let hotel = Self(rawValue: "MKPOICategoryHotel")
    /// A laundry.
    public static let laundry = Self(rawValue: "MKPOICategoryLaundry")
    /// A library.
    public static let library = Self(rawValue: "MKPOICategoryLibrary")
    /// A harbour for boats.
    public static let marina = Self(rawValue: "MKPOICategoryMarina")
    /// A cinema.
    public static let movieTheater = Self(rawValue: "MKPOICategoryMovieTheater")
    /// A museum.
    public static let museum = Self(rawValue: "MKPOICategoryMuseum")
    /// A national park.
    public static let nationalPark = Self(rawValue: "MKPOICategoryNationalPark")
    /// A bar or club.
    public static let nightlife = Self(rawValue: "MKPOICategoryNightlife")
    /// A park.
    public static let park = Self(rawValue: "MKPOICategoryPark")
    /// Somewhere to leave a car.
    public static let parking = Self(rawValue: "MKPOICategoryParking")
    /// A pharmacy.
    public static let pharmacy = Self(rawValue: "MKPOICategoryPharmacy")
    /// A police station.
    public static let police = Self(rawValue: "MKPOICategoryPolice")
    /// A post office.
    public static let postOffice = Self(rawValue: "MKPOICategoryPostOffice")
    /// A station or stop.
    public static let publicTransport = Self(rawValue: "MKPOICategoryPublicTransport")
    /// A restaurant.
    public static let restaurant = Self(rawValue: "MKPOICategoryRestaurant")
    /// A toilet.
    public static let restroom = Self(rawValue: "MKPOICategoryRestroom")
    /// A school.
    public static let school = Self(rawValue: "MKPOICategorySchool")
    /// A stadium.
    public static let stadium = Self(rawValue: "MKPOICategoryStadium")
    /// A shop.
    public static let store = Self(rawValue: "MKPOICategoryStore")
    /// A theatre.
    public static let theater = Self(rawValue: "MKPOICategoryTheater")
    /// A university.
    public static let university = Self(rawValue: "MKPOICategoryUniversity")
    /// A winery.
    public static let winery = Self(rawValue: "MKPOICategoryWinery")
    /// A zoo.
    public static let zoo = Self(rawValue: "MKPOICategoryZoo")
}
