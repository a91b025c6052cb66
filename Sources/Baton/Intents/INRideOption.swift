import BatonCore
public import Foundation

/// A price, or from which to which. Intents'.
public final class INPriceRange: INIntentValue, @unchecked Sendable {
    /// The lowest; nil for no lower bound.
    public var minimumPrice: NSDecimalNumber? { store.decimal("minimumPrice") }
    /// The highest; nil for no upper bound.
    public var maximumPrice: NSDecimalNumber? { store.decimal("maximumPrice") }
    /// The currency, by ISO 4217.
    public var currencyCode: String { store.string("currencyCode") ?? "" }

    /// Between two prices, in either order.
    public convenience init(firstPrice: NSDecimalNumber, secondPrice: NSDecimalNumber, currencyCode: String) {
        let isOrdered = firstPrice.compare(secondPrice) != .orderedDescending
        self.init(isOrdered ? firstPrice : secondPrice, isOrdered ? secondPrice : firstPrice, currencyCode)
    }

    /// Up to a price.
    public convenience init(maximumPrice: NSDecimalNumber, currencyCode: String) {
        self.init(nil, maximumPrice, currencyCode)
    }

    /// From a price on.
    public convenience init(minimumPrice: NSDecimalNumber, currencyCode: String) {
        self.init(minimumPrice, nil, currencyCode)
    }

    /// One price.
    public convenience init(price: NSDecimalNumber, currencyCode: String) { self.init(price, price, currencyCode) }

    private convenience init(_ minimum: NSDecimalNumber?, _ maximum: NSDecimalNumber?, _ currency: String) {
        self.init(values: ["currencyCode": .string(currency)])
        store.set("minimumPrice", decimal: minimum)
        store.set("maximumPrice", decimal: maximum)
    }
}

/// One line of a fare. Intents'.
public final class INRideFareLineItem: INIntentValue, @unchecked Sendable {
    /// The reason for it.
    public var title: String { store.string("title") ?? "" }
    /// How much; zero when that cannot be read.
    public var price: NSDecimalNumber { store.decimal("price") ?? .zero }
    /// The currency, by ISO 4217.
    public var currencyCode: String { store.string("currencyCode") ?? "" }

    /// A line.
    public convenience init(title: String, price: NSDecimalNumber, currencyCode: String) {
        self.init(values: ["title": .string(title), "currencyCode": .string(currencyCode)])
        store.set("price", decimal: price)
    }
}

/// How many people can ride, and for how much. Intents'.
public final class INRidePartySizeOption: INIntentValue, @unchecked Sendable {
    /// From how many, and how many sizes.
    public var partySizeRange: NSRange {
        NSRange(location: store.integer("partySize") ?? 0, length: store.integer("partySizes") ?? 0)
    }
    /// The size, as it is shown.
    public var sizeDescription: String { store.string("sizeDescription") ?? "" }
    /// The price.
    public var priceRange: INPriceRange? { store.object("priceRange") }

    /// A size.
    public convenience init(partySizeRange: NSRange, sizeDescription: String, priceRange: INPriceRange?) {
        self.init(values: ["sizeDescription": .string(sizeDescription)])
        store.set("partySize", partySizeRange.location)
        store.set("partySizes", partySizeRange.length)
        store.set("priceRange", priceRange)
    }
}

/// A kind of ride, and its price. Intents'.
public final class INRideOption: INIntentValue, @unchecked Sendable {
    /// Its name.
    public var name: String {
        get { store.string("name") ?? "" }
        set { store.set("name", newValue) }
    }
    /// When it could begin.
    public var estimatedPickupDate: Date? {
        get { store.date("estimatedPickupDate") }
        set { store.set("estimatedPickupDate", newValue) }
    }
    /// The price.
    public var priceRange: INPriceRange? {
        get { store.object("priceRange") }
        set { store.set("priceRange", newValue) }
    }
    /// Whether a meter says the price; nil where that is not known.
    public var usesMeteredFare: Bool? {
        get { store.boolean("usesMeteredFare") }
        set { store.set("usesMeteredFare", newValue) }
    }
    /// A text that the person has to see.
    public var disclaimerMessage: String? {
        get { store.string("disclaimerMessage") }
        set { store.set("disclaimerMessage", newValue) }
    }
    /// The sizes to choose from.
    public var availablePartySizeOptions: [INRidePartySizeOption]? {
        get { store.objects("availablePartySizeOptions") }
        set { store.set("availablePartySizeOptions", newValue) }
    }
    /// The question for the size.
    public var availablePartySizeOptionsSelectionPrompt: String? {
        get { store.string("availablePartySizeOptionsSelectionPrompt") }
        set { store.set("availablePartySizeOptionsSelectionPrompt", newValue) }
    }
    /// A price for a time, as it is shown.
    public var specialPricing: String? {
        get { store.string("specialPricing") }
        set { store.set("specialPricing", newValue) }
    }
    /// The picture beside it.
    public var specialPricingBadgeImage: INImage? {
        get { store.object("specialPricingBadgeImage") }
        set { store.set("specialPricingBadgeImage", newValue) }
    }
    /// The parts of the price.
    public var fareLineItems: [INRideFareLineItem]? {
        get { store.objects("fareLineItems") }
        set { store.set("fareLineItems", newValue) }
    }
    /// Continued to book it in the app.
    public var userActivityForBookingInApplication: NSUserActivity? {
        get { store.activity("userActivityForBookingInApplication") }
        set { store.set("userActivityForBookingInApplication", newValue) }
    }

    /// A kind of ride.
    public convenience init(name: String, estimatedPickupDate: Date) {
        self.init(values: ["name": .string(name), "estimatedPickupDate": .date(estimatedPickupDate)])
    }
}
