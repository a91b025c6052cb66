extension UTType {
    /// `public.image`: image.
    public static var image: UTType { UTType(known: "public.image") }

    /// `public.jpeg`: JPEG image.
    public static var jpeg: UTType { UTType(known: "public.jpeg") }

    /// `public.tiff`: TIFF image.
    public static var tiff: UTType { UTType(known: "public.tiff") }

    /// `com.compuserve.gif`: GIF image.
    public static var gif: UTType { UTType(known: "com.compuserve.gif") }

    /// `public.png`: PNG image.
    public static var png: UTType { UTType(known: "public.png") }

    /// `com.apple.icns`: Apple icon.
    public static var icns: UTType { UTType(known: "com.apple.icns") }

    /// `com.microsoft.bmp`: BMP image.
    public static var bmp: UTType { UTType(known: "com.microsoft.bmp") }

    /// `com.microsoft.ico`: icon.
    public static var ico: UTType { UTType(known: "com.microsoft.ico") }

    /// `public.camera-raw-image`: raw image.
    public static var rawImage: UTType { UTType(known: "public.camera-raw-image") }

    /// `public.svg-image`: SVG image.
    public static var svg: UTType { UTType(known: "public.svg-image") }

    /// `com.apple.live-photo`: live photo.
    public static var livePhoto: UTType { UTType(known: "com.apple.live-photo") }

    /// `public.heif`: HEIF image.
    public static var heif: UTType { UTType(known: "public.heif") }

    /// `public.heic`: HEIC image.
    public static var heic: UTType { UTType(known: "public.heic") }

    /// `public.heics`: HEIC image sequence.
    public static var heics: UTType { UTType(known: "public.heics") }

    /// `org.webmproject.webp`: WebP image.
    public static var webP: UTType { UTType(known: "org.webmproject.webp") }

    /// `com.ilm.openexr-image`: OpenEXR image.
    public static var exr: UTType { UTType(known: "com.ilm.openexr-image") }

    /// `com.adobe.raw-image`: DNG image.
    public static var dng: UTType { UTType(known: "com.adobe.raw-image") }

    /// `public.jpeg-xl`: JPEG XL image.
    public static var jpegxl: UTType { UTType(known: "public.jpeg-xl") }

    /// `public.3d-content`: 3D content.
    public static var threeDContent: UTType { UTType(known: "public.3d-content") }

    /// `com.pixar.universal-scene-description`: USD scene.
    public static var usd: UTType { UTType(known: "com.pixar.universal-scene-description") }

    /// `com.pixar.universal-scene-description-mobile`: USDZ scene.
    public static var usdz: UTType { UTType(known: "com.pixar.universal-scene-description-mobile") }

    /// `com.apple.reality`: Reality scene.
    public static var realityFile: UTType { UTType(known: "com.apple.reality") }

    /// `com.apple.scenekit.scene`: SceneKit scene.
    public static var sceneKitScene: UTType { UTType(known: "com.apple.scenekit.scene") }

    /// `com.apple.arobject`: AR reference object.
    public static var arReferenceObject: UTType { UTType(known: "com.apple.arobject") }

    /// `public.audiovisual-content`: audiovisual content.
    public static var audiovisualContent: UTType { UTType(known: "public.audiovisual-content") }

    /// `public.movie`: movie.
    public static var movie: UTType { UTType(known: "public.movie") }

    /// `public.video`: video.
    public static var video: UTType { UTType(known: "public.video") }

    /// `public.audio`: audio.
    public static var audio: UTType { UTType(known: "public.audio") }

    /// `com.apple.quicktime-movie`: QuickTime movie.
    public static var quickTimeMovie: UTType { UTType(known: "com.apple.quicktime-movie") }

    /// `public.mpeg`: MPEG movie.
    public static var mpeg: UTType { UTType(known: "public.mpeg") }

    /// `public.mpeg-2-video`: MPEG-2 video.
    public static var mpeg2Video: UTType { UTType(known: "public.mpeg-2-video") }

    /// `public.mpeg-2-transport-stream`: MPEG-2 transport stream.
    public static var mpeg2TransportStream: UTType { UTType(known: "public.mpeg-2-transport-stream") }

    /// `public.mp3`: MP3 audio.
    public static var mp3: UTType { UTType(known: "public.mp3") }

    /// `public.mpeg-4`: MPEG-4 movie.
    public static var mpeg4Movie: UTType { UTType(known: "public.mpeg-4") }

    /// `public.mpeg-4-audio`: MPEG-4 audio.
    public static var mpeg4Audio: UTType { UTType(known: "public.mpeg-4-audio") }

    /// `com.apple.protected-mpeg-4-audio`: protected MPEG-4 audio.
    public static var appleProtectedMPEG4Audio: UTType { UTType(known: "com.apple.protected-mpeg-4-audio") }

    /// `com.apple.protected-mpeg-4-video`: protected MPEG-4 video.
    public static var appleProtectedMPEG4Video: UTType { UTType(known: "com.apple.protected-mpeg-4-video") }

    /// `public.avi`: AVI movie.
    public static var avi: UTType { UTType(known: "public.avi") }

    /// `public.aiff-audio`: AIFF audio.
    public static var aiff: UTType { UTType(known: "public.aiff-audio") }

    /// `com.microsoft.waveform-audio`: WAV audio.
    public static var wav: UTType { UTType(known: "com.microsoft.waveform-audio") }

    /// `public.midi-audio`: MIDI.
    public static var midi: UTType { UTType(known: "public.midi-audio") }

    /// `public.playlist`: playlist.
    public static var playlist: UTType { UTType(known: "public.playlist") }

    /// `public.m3u-playlist`: M3U playlist.
    public static var m3uPlaylist: UTType { UTType(known: "public.m3u-playlist") }

    /// `public.font`: font.
    public static var font: UTType { UTType(known: "public.font") }

    /// `com.apple.haptics.ahap`: haptic pattern.
    public static var ahap: UTType { UTType(known: "com.apple.haptics.ahap") }
}
