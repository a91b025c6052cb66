// Options of `MKMapItem.openMaps`. The values are Baton's, since Apple's are not published.

// swift-format-ignore: AlwaysUseLowerCamelCase
/// How the person travels: one of the values that begin with `MKLaunchOptionsDirectionsMode`. With it, the app leads from here to
/// the item, or from the first of two items to the second.
public let MKLaunchOptionsDirectionsModeKey = "MKLaunchOptionsDirectionsMode"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The app's default.
public let MKLaunchOptionsDirectionsModeDefault = "MKLaunchOptionsDirectionsModeDefault"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// By car.
public let MKLaunchOptionsDirectionsModeDriving = "MKLaunchOptionsDirectionsModeDriving"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// On foot.
public let MKLaunchOptionsDirectionsModeWalking = "MKLaunchOptionsDirectionsModeWalking"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// By public transport.
public let MKLaunchOptionsDirectionsModeTransit = "MKLaunchOptionsDirectionsModeTransit"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The look of the map. Accepted, without effect.
public let MKLaunchOptionsMapTypeKey = "MKLaunchOptionsMapType"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Whether the map shows the traffic. Accepted, without effect.
public let MKLaunchOptionsShowsTrafficKey = "MKLaunchOptionsShowsTraffic"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The middle of the map. Accepted, without effect.
public let MKLaunchOptionsMapCenterKey = "MKLaunchOptionsMapCenter"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// How much the map shows. Accepted, without effect.
public let MKLaunchOptionsMapSpanKey = "MKLaunchOptionsMapSpan"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// From where the map is seen. Accepted, without effect.
public let MKLaunchOptionsCameraKey = "MKLaunchOptionsCamera"

/// The look of a map, for ``MKLaunchOptionsMapTypeKey``. MapKit's.
public enum MKMapType: UInt, Sendable {
    /// Streets and names.
    case standard = 0
    /// The earth as it is seen from above.
    case satellite = 1
    /// As it is seen from above, with streets and names.
    case hybrid = 2
    /// As it is seen from above, in three dimensions where that is known.
    case satelliteFlyover = 3
    /// That with streets and names.
    case hybridFlyover = 4
    /// Streets and names in pale colours.
    case mutedStandard = 5
}
