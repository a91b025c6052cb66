public import Foundation

/// How the position was measured.
extension CSSearchableItemAttributeSet {
    /// To where the device moved, in degrees from north.
    public var gpsTrack: NSNumber? {
        get { store.number("gpsTrack") }
        set { store.set("gpsTrack", newValue) }
    }

    /// The state of the receiver.
    public var gpsStatus: String? {
        get { store.string("gpsStatus") }
        set { store.set("gpsStatus", newValue) }
    }

    /// Whether the measurement had two dimensions or three.
    public var gpsMeasureMode: String? {
        get { store.string("gpsMeasureMode") }
        set { store.set("gpsMeasureMode", newValue) }
    }

    /// How exact the measurement was: its dilution of precision.
    public var gpsdop: NSNumber? {
        get { store.number("gpsdop") }
        set { store.set("gpsdop", newValue) }
    }

    /// The datum of the coordinates.
    public var gpsMapDatum: String? {
        get { store.string("gpsMapDatum") }
        set { store.set("gpsMapDatum", newValue) }
    }

    /// The latitude of the destination.
    public var gpsDestLatitude: NSNumber? {
        get { store.number("gpsDestLatitude") }
        set { store.set("gpsDestLatitude", newValue) }
    }

    /// The longitude of the destination.
    public var gpsDestLongitude: NSNumber? {
        get { store.number("gpsDestLongitude") }
        set { store.set("gpsDestLongitude", newValue) }
    }

    /// To where the destination lies, in degrees from north.
    public var gpsDestBearing: NSNumber? {
        get { store.number("gpsDestBearing") }
        set { store.set("gpsDestBearing", newValue) }
    }

    /// How far the destination is, in kilometres.
    public var gpsDestDistance: NSNumber? {
        get { store.number("gpsDestDistance") }
        set { store.set("gpsDestDistance", newValue) }
    }

    /// How the position was found.
    public var gpsProcessingMethod: String? {
        get { store.string("gpsProcessingMethod") }
        set { store.set("gpsProcessingMethod", newValue) }
    }

    /// The name of the area.
    public var gpsAreaInformation: String? {
        get { store.string("gpsAreaInformation") }
        set { store.set("gpsAreaInformation", newValue) }
    }

    /// When the position was found.
    public var gpsDateStamp: Date? {
        get { store.date("gpsDateStamp") }
        set { store.set("gpsDateStamp", newValue) }
    }

    /// Whether the position was corrected by another receiver. The name is Apple's.
    public var gpsDifferental: NSNumber? {
        get { store.number("gpsDifferental") }
        set { store.set("gpsDifferental", newValue) }
    }
}
