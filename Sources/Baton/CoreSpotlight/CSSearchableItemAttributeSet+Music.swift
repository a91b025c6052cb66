public import Foundation

/// The metadata of music.
extension CSSearchableItemAttributeSet {
    /// Samples per second.
    public var audioSampleRate: NSNumber? {
        get { store.number("audioSampleRate") }
        set { store.set("audioSampleRate", newValue) }
    }

    /// How many channels it has.
    public var audioChannelCount: NSNumber? {
        get { store.number("audioChannelCount") }
        set { store.set("audioChannelCount", newValue) }
    }

    /// Beats per minute.
    public var tempo: NSNumber? {
        get { store.number("tempo") }
        set { store.set("tempo", newValue) }
    }

    /// The key, as in `C`.
    public var keySignature: String? {
        get { store.string("keySignature") }
        set { store.set("keySignature", newValue) }
    }

    /// The measure, as in `4/4`.
    public var timeSignature: String? {
        get { store.string("timeSignature") }
        set { store.set("timeSignature", newValue) }
    }

    /// The app that encoded the sound.
    public var audioEncodingApplication: String? {
        get { store.string("audioEncodingApplication") }
        set { store.set("audioEncodingApplication", newValue) }
    }

    /// The composer.
    public var composer: String? {
        get { store.string("composer") }
        set { store.set("composer", newValue) }
    }

    /// The author of the words.
    public var lyricist: String? {
        get { store.string("lyricist") }
        set { store.set("lyricist", newValue) }
    }

    /// The album.
    public var album: String? {
        get { store.string("album") }
        set { store.set("album", newValue) }
    }

    /// The artist.
    public var artist: String? {
        get { store.string("artist") }
        set { store.set("artist", newValue) }
    }

    /// Its number on the album.
    public var audioTrackNumber: NSNumber? {
        get { store.number("audioTrackNumber") }
        set { store.set("audioTrackNumber", newValue) }
    }

    /// When it was recorded.
    public var recordingDate: Date? {
        get { store.date("recordingDate") }
        set { store.set("recordingDate", newValue) }
    }

    /// The genre of the music.
    public var musicalGenre: String? {
        get { store.string("musicalGenre") }
        set { store.set("musicalGenre", newValue) }
    }

    /// Whether it is meant for a General MIDI device.
    public var generalMIDISequence: NSNumber? {
        get { store.number("generalMIDISequence") }
        set { store.set("generalMIDISequence", newValue) }
    }

    /// The kind of instrument.
    public var musicalInstrumentCategory: String? {
        get { store.string("musicalInstrumentCategory") }
        set { store.set("musicalInstrumentCategory", newValue) }
    }

    /// The instrument.
    public var musicalInstrumentName: String? {
        get { store.string("musicalInstrumentName") }
        set { store.set("musicalInstrumentName", newValue) }
    }
}
