public import Foundation

/// The metadata of pictures.
extension CSSearchableItemAttributeSet {
    /// The height in pixels.
    public var pixelHeight: NSNumber? {
        get { store.number("pixelHeight") }
        set { store.set("pixelHeight", newValue) }
    }

    /// The width in pixels.
    public var pixelWidth: NSNumber? {
        get { store.number("pixelWidth") }
        set { store.set("pixelWidth", newValue) }
    }

    /// How many pixels it has.
    public var pixelCount: NSNumber? {
        get { store.number("pixelCount") }
        set { store.set("pixelCount", newValue) }
    }

    /// The colour space, as in `RGB`.
    public var colorSpace: String? {
        get { store.string("colorSpace") }
        set { store.set("colorSpace", newValue) }
    }

    /// Bits of each sample.
    public var bitsPerSample: NSNumber? {
        get { store.number("bitsPerSample") }
        set { store.set("bitsPerSample", newValue) }
    }

    /// Whether the flash went off.
    public var flashOn: NSNumber? {
        get { store.number("flashOn") }
        set { store.set("flashOn", newValue) }
    }

    /// The focal length of the lens, in millimetres.
    public var focalLength: NSNumber? {
        get { store.number("focalLength") }
        set { store.set("focalLength", newValue) }
    }

    /// The focal length that shows the same on 35 mm film.
    public var focalLength35mm: NSNumber? {
        get { store.number("focalLength35mm") }
        set { store.set("focalLength35mm", newValue) }
    }

    /// The maker of the camera.
    public var acquisitionMake: String? {
        get { store.string("acquisitionMake") }
        set { store.set("acquisitionMake", newValue) }
    }

    /// The model of the camera.
    public var acquisitionModel: String? {
        get { store.string("acquisitionModel") }
        set { store.set("acquisitionModel", newValue) }
    }

    /// Whose camera it is.
    public var cameraOwner: String? {
        get { store.string("cameraOwner") }
        set { store.set("cameraOwner", newValue) }
    }

    /// The model of the lens.
    public var lensModel: String? {
        get { store.string("lensModel") }
        set { store.set("lensModel", newValue) }
    }

    /// The sensitivity, by ISO.
    public var isoSpeed: NSNumber? {
        get { store.number("isoSpeed") }
        set { store.set("isoSpeed", newValue) }
    }

    /// 1 if the picture lies down, 0 if it stands up.
    public var orientation: NSNumber? {
        get { store.number("orientation") }
        set { store.set("orientation", newValue) }
    }

    /// The names of its layers.
    public var layerNames: [String]? {
        get { store.strings("layerNames") }
        set { store.set("layerNames", newValue) }
    }

    /// 0 if the camera chose the white balance, 1 if the person did.
    public var whiteBalance: NSNumber? {
        get { store.number("whiteBalance") }
        set { store.set("whiteBalance", newValue) }
    }

    /// The aperture as the camera gives it: the base-2 logarithm of the square of the f-number.
    public var aperture: NSNumber? {
        get { store.number("aperture") }
        set { store.set("aperture", newValue) }
    }

    /// The colour profile.
    public var profileName: String? {
        get { store.string("profileName") }
        set { store.set("profileName", newValue) }
    }

    /// Dots per inch from left to right.
    public var resolutionWidthDPI: NSNumber? {
        get { store.number("resolutionWidthDPI") }
        set { store.set("resolutionWidthDPI", newValue) }
    }

    /// Dots per inch from top to bottom.
    public var resolutionHeightDPI: NSNumber? {
        get { store.number("resolutionHeightDPI") }
        set { store.set("resolutionHeightDPI", newValue) }
    }

    /// 0 if the camera chose the exposure, 1 if the person did, 2 for a series.
    public var exposureMode: NSNumber? {
        get { store.number("exposureMode") }
        set { store.set("exposureMode", newValue) }
    }

    /// How long it was exposed, in seconds.
    public var exposureTime: NSNumber? {
        get { store.number("exposureTime") }
        set { store.set("exposureTime", newValue) }
    }

    /// The version of its Exif header.
    public var exifVersion: String? {
        get { store.string("exifVersion") }
        set { store.set("exifVersion", newValue) }
    }

    /// The version of the GPS part of its Exif header.
    public var exifgpsVersion: String? {
        get { store.string("exifgpsVersion") }
        set { store.set("exifgpsVersion", newValue) }
    }

    /// Whether parts of it may be transparent.
    public var hasAlphaChannel: NSNumber? {
        get { store.number("hasAlphaChannel") }
        set { store.set("hasAlphaChannel", newValue) }
    }

    /// Whether red eyes were taken out.
    public var redEyeOn: NSNumber? {
        get { store.number("redEyeOn") }
        set { store.set("redEyeOn", newValue) }
    }

    /// How the light was measured.
    public var meteringMode: String? {
        get { store.string("meteringMode") }
        set { store.set("meteringMode", newValue) }
    }

    /// The widest aperture of the lens, in the unit of `aperture`.
    public var maxAperture: NSNumber? {
        get { store.number("maxAperture") }
        set { store.set("maxAperture", newValue) }
    }

    /// The focal length divided by the width of the aperture.
    public var fNumber: NSNumber? {
        get { store.number("fNumber") }
        set { store.set("fNumber", newValue) }
    }

    /// The class of program that set the exposure.
    public var exposureProgram: String? {
        get { store.string("exposureProgram") }
        set { store.set("exposureProgram", newValue) }
    }

    /// The time of exposure, for people.
    public var exposureTimeString: String? {
        get { store.string("exposureTimeString") }
        set { store.set("exposureTimeString", newValue) }
    }
}
