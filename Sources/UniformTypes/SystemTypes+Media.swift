extension SystemTypes {
    /// Images, sound, films, fonts and models.
    static let media = """
        public.image|public.data public.content|||image
        public.jpeg|public.image|jpeg jpg jpe jfif|image/jpeg image/jpg image/pjpeg|JPEG image
        public.jpeg-2000|public.image|jp2 j2k jpf jpx jpm j2c jpc|image/jp2 image/jpx image/jpeg2000|JPEG 2000 image
        public.jpeg-xl|public.image|jxl|image/jxl|JPEG XL image
        public.jpeg-xr|public.image|jxr wdp hdp|image/jxr image/vnd.ms-photo|JPEG XR image
        public.png|public.image|png|image/png image/x-png|PNG image
        public.apng|public.png|apng|image/apng image/vnd.mozilla.apng|animated PNG image
        com.compuserve.gif|public.image|gif|image/gif|GIF image
        public.tiff|public.image|tiff tif|image/tiff|TIFF image
        com.microsoft.bmp|public.image|bmp dib|image/bmp image/x-bmp image/x-ms-bmp|BMP image
        com.microsoft.ico|public.image|ico|image/vnd.microsoft.icon image/x-icon|icon
        com.microsoft.cur|public.image|cur|image/x-win-bitmap|cursor
        com.apple.icns|public.image|icns|image/icns image/x-icns|Apple icon
        public.heic|public.heif-standard|heic|image/heic|HEIC image
        public.heics|public.heif-standard|heics|image/heic-sequence|HEIC image sequence
        public.heif|public.heif-standard|heif hif|image/heif|HEIF image
        public.heif-standard|public.image|||HEIF standard image
        public.avif|public.heif-standard|avif|image/avif|AVIF image
        public.avis|public.heif-standard|avifs avis|image/avif-sequence|AVIF image sequence
        org.webmproject.webp|public.image|webp|image/webp|WebP image
        public.svg-image|public.image public.xml|svg svgz|image/svg+xml|SVG image
        public.xbitmap-image|public.image|xbm|image/x-xbitmap|X bitmap
        public.xpixmap-image|public.image|xpm|image/x-xpixmap|X pixmap
        public.pbm|public.image|pbm pgm ppm pnm|image/x-portable-bitmap image/x-portable-graymap image/x-portable-pixmap image/x-portable-anymap|portable bitmap
        public.pfm|public.image|pfm||portable float map
        public.radiance|public.image|hdr pic|image/vnd.radiance|Radiance image
        com.ilm.openexr-image|public.image|exr|image/x-exr image/aces|OpenEXR image
        com.truevision.tga-image|public.image|tga|image/x-tga image/targa|TGA image
        com.adobe.photoshop-image|public.image|psd|image/vnd.adobe.photoshop image/x-psd|Photoshop document
        com.adobe.photoshop-large-image|public.image|psb||large Photoshop document
        com.adobe.illustrator.ai-image|com.adobe.pdf public.image|ai|application/illustrator|Illustrator document
        com.adobe.raw-image|public.camera-raw-image|dng|image/x-adobe-dng|DNG image
        org.gimp.xcf-image|public.image|xcf|image/x-xcf|GIMP image
        org.krita.kra|public.image com.pkware.zip-archive|kra|application/x-krita|Krita image
        org.openraster.ora|public.image com.pkware.zip-archive|ora|image/openraster|OpenRaster image
        com.sgi.sgi-image|public.image|sgi|image/sgi image/x-sgi|SGI image
        com.pcx.pcx-image|public.image|pcx|image/vnd.zbrush.pcx image/x-pcx|PCX image
        com.apple.pict|public.image|pict pct|image/x-pict|PICT image
        com.apple.quicktime-image|public.image|qti qtif|image/x-quicktime|QuickTime image
        com.apple.macpaint-image|public.image|pntg||MacPaint image
        com.apple.atx|public.image|atx||ATX texture
        org.khronos.ktx|public.image|ktx|image/ktx|KTX texture
        org.khronos.ktx2|public.image|ktx2|image/ktx2|KTX 2 texture
        com.microsoft.dds|public.image|dds|image/vnd-ms.dds image/x-dds|DDS texture
        org.khronos.astc|public.image|astc||ASTC texture
        com.kodak.flashpix-image|public.image|fpx|image/vnd.fpx|FlashPix image
        public.wmf|public.image|wmf|image/wmf|Windows metafile
        public.emf|public.image|emf|image/emf|enhanced metafile
        org.fits.fits-image|public.image|fits fts|image/fits|FITS image
        org.nema.dicom|public.image|dcm dicom|application/dicom|DICOM image
        org.djvu.djvu|public.image public.composite-content|djvu djv|image/vnd.djvu image/x-djvu|DjVu document
        public.camera-raw-image|public.image|raw|image/x-dcraw|raw image
        com.canon.crw-raw-image|public.camera-raw-image|crw|image/x-canon-crw|Canon CRW image
        com.canon.cr2-raw-image|public.camera-raw-image|cr2|image/x-canon-cr2|Canon CR2 image
        com.canon.cr3-raw-image|public.camera-raw-image|cr3|image/x-canon-cr3|Canon CR3 image
        com.canon.tif-raw-image|public.camera-raw-image|||Canon TIFF raw image
        com.nikon.raw-image|public.camera-raw-image|nef|image/x-nikon-nef|Nikon raw image
        com.nikon.nrw-raw-image|public.camera-raw-image|nrw|image/x-nikon-nrw|Nikon NRW image
        com.sony.raw-image|public.camera-raw-image|srf|image/x-sony-srf|Sony raw image
        com.sony.arw-raw-image|public.camera-raw-image|arw|image/x-sony-arw|Sony ARW image
        com.sony.sr2-raw-image|public.camera-raw-image|sr2|image/x-sony-sr2|Sony SR2 image
        com.olympus.raw-image|public.camera-raw-image|orf|image/x-olympus-orf|Olympus raw image
        com.olympus.or-raw-image|public.camera-raw-image|||Olympus raw image
        com.pentax.raw-image|public.camera-raw-image|pef|image/x-pentax-pef|Pentax raw image
        com.panasonic.raw-image|public.camera-raw-image|||Panasonic raw image
        com.panasonic.rw2-raw-image|public.camera-raw-image|rw2|image/x-panasonic-rw2|Panasonic RW2 image
        com.fuji.raw-image|public.camera-raw-image|raf|image/x-fuji-raf|Fujifilm raw image
        com.samsung.raw-image|public.camera-raw-image|srw||Samsung raw image
        com.leica.raw-image|public.camera-raw-image|||Leica raw image
        com.leica.rwl-raw-image|public.camera-raw-image|rwl||Leica RWL image
        com.hasselblad.3fr-raw-image|public.camera-raw-image|3fr||Hasselblad 3FR image
        com.hasselblad.fff-raw-image|public.camera-raw-image|fff||Hasselblad FFF image
        com.phaseone.raw-image|public.camera-raw-image|iiq||Phase One raw image
        com.epson.raw-image|public.camera-raw-image|erf||Epson raw image
        com.kodak.raw-image|public.camera-raw-image|dcr|image/x-kodak-dcr|Kodak raw image
        com.konicaminolta.raw-image|public.camera-raw-image|mrw|image/x-minolta-mrw|Minolta raw image
        com.leafamerica.raw-image|public.camera-raw-image|mos||Leaf raw image
        com.dxo.raw-image|public.camera-raw-image|||DxO raw image
        com.gopro.gpr-raw-image|public.camera-raw-image|gpr||GoPro raw image
        com.sigma.raw-image|public.camera-raw-image|x3f|image/x-sigma-x3f|Sigma raw image
        public.audiovisual-content|public.data public.content|||audiovisual content
        public.movie|public.audiovisual-content|||movie
        public.video|public.movie|||video
        public.audio|public.audiovisual-content|||audio
        com.apple.quicktime-movie|public.movie|mov qt|video/quicktime|QuickTime movie
        public.mpeg|public.movie|mpg mpeg mpe m75 m15|video/mpeg video/mpg|MPEG movie
        public.mpeg-2-video|public.video|m2v|video/mpeg2|MPEG-2 video
        public.mpeg-2-transport-stream|public.movie|mpegts m2ts mts|video/mp2t|MPEG-2 transport stream
        public.avchd-mpeg-2-transport-stream|public.movie|||AVCHD stream
        public.mpeg-4|public.movie|mp4 mpg4|video/mp4 video/mpeg4|MPEG-4 movie
        com.apple.m4v-video|public.mpeg-4|m4v|video/x-m4v|MPEG-4 video
        com.apple.protected-mpeg-4-video|com.apple.m4v-video|||protected MPEG-4 video
        public.avi|public.movie|avi vfw|video/vnd.avi video/x-msvideo video/avi video/msvideo|AVI movie
        com.microsoft.windows-media-wmv|public.movie|wmv|video/x-ms-wmv|Windows Media video
        com.microsoft.advanced-systems-format|public.movie|asf|application/vnd.ms-asf video/x-ms-asf|ASF media
        com.microsoft.windows-media-wma|public.audio|wma|audio/x-ms-wma|Windows Media audio
        public.3gpp|public.movie|3gp 3gpp|video/3gpp audio/3gpp|3GPP movie
        public.3gpp2|public.movie|3g2 3gp2|video/3gpp2 audio/3gpp2|3GPP2 movie
        org.matroska.mkv|public.movie|mkv|video/matroska video/x-matroska|Matroska movie
        org.matroska.mka|public.audio|mka|audio/matroska audio/x-matroska|Matroska audio
        org.matroska.mk3d|public.movie|mk3d|video/matroska-3d video/x-matroska-3d|Matroska 3D movie
        org.webmproject.webm|public.movie|webm|video/webm|WebM movie
        org.webmproject.webm-audio|public.audio|weba|audio/webm|WebM audio
        org.xiph.ogg|public.audiovisual-content|ogx|application/ogg|Ogg media
        org.xiph.ogg-video|public.movie|ogv|video/ogg|Ogg video
        org.xiph.ogg-audio|public.audio|oga ogg|audio/ogg|Ogg audio
        org.xiph.opus|public.audio|opus|audio/opus|Opus audio
        org.xiph.speex|public.audio|spx|audio/x-speex|Speex audio
        org.xiph.flac|public.audio|flac|audio/flac audio/x-flac|FLAC audio
        com.divx.divx|public.movie|divx||DivX movie
        com.real.realmedia|public.movie|rm|application/vnd.rn-realmedia|RealMedia
        com.real.realaudio|public.audio|ra ram|audio/vnd.rn-realaudio audio/x-pn-realaudio|RealAudio
        public.dv-movie|public.movie|dv dif|video/dv|digital video
        org.smpte.mxf|public.movie|mxf|application/mxf|MXF media
        org.videolan.vob|public.movie|vob||DVD video object
        public.mp3|public.audio|mp3 mpga|audio/mpeg audio/mp3 audio/mpg audio/x-mp3 audio/x-mpeg|MP3 audio
        public.mp2|public.audio|mp2|audio/mp2|MP2 audio
        public.mpeg-4-audio|public.audio|mp4a|audio/mp4|MPEG-4 audio
        com.apple.m4a-audio|public.mpeg-4-audio|m4a|audio/x-m4a|Apple MPEG-4 audio
        com.apple.m4b-audio|public.mpeg-4-audio|m4b|audio/x-m4b|audiobook
        com.apple.m4r-audio|public.mpeg-4-audio|m4r|audio/x-m4r|ringtone
        com.apple.protected-mpeg-4-audio|public.mpeg-4-audio|m4p||protected MPEG-4 audio
        public.aac-audio|public.audio|aac adts|audio/aac audio/aacp audio/x-aac|AAC audio
        public.ac3-audio|public.audio|ac3|audio/ac3|AC-3 audio
        public.enhanced-ac3-audio|public.audio|eac3 ec3|audio/eac3|Enhanced AC-3 audio
        public.dts-audio|public.audio|dts|audio/vnd.dts|DTS audio
        public.aiff-audio|public.aifc-audio|aiff aif|audio/aiff audio/x-aiff|AIFF audio
        public.aifc-audio|public.audio|aifc|audio/x-aifc|AIFF-C audio
        com.microsoft.waveform-audio|public.audio|wav wave bwf|audio/wav audio/vnd.wave audio/x-wav audio/wave|WAV audio
        public.au-audio|public.audio|au snd ulw|audio/basic|AU audio
        com.apple.coreaudio-format|public.audio|caf|audio/x-caf|Core Audio file
        public.amr-audio|public.audio|amr|audio/amr|AMR audio
        com.monkeysaudio.ape|public.audio|ape|audio/x-ape|Monkey's Audio
        com.wavpack.wv|public.audio|wv|audio/x-wavpack|WavPack audio
        org.musepack.mpc|public.audio|mpc|audio/x-musepack|Musepack audio
        com.audible.aa-audiobook|public.audio|aa|audio/x-pn-audibleaudio|Audible book
        com.audible.aax-audiobook|public.audio|aax|audio/vnd.audible.aax|Audible enhanced book
        public.midi-audio|public.audio|midi mid smf kar|audio/midi audio/x-midi|MIDI
        com.soundblaster.soundfont|public.audio|sf2|audio/x-soundfont|SoundFont
        public.playlist||||playlist
        public.m3u-playlist|public.text public.playlist|m3u|audio/mpegurl audio/x-mpegurl|M3U playlist
        public.utf8-m3u-playlist|public.m3u-playlist|m3u8|application/vnd.apple.mpegurl application/x-mpegurl|UTF-8 M3U playlist
        public.pls-playlist|public.text public.playlist|pls|audio/x-scpls|PLS playlist
        org.xspf.playlist|public.xml public.playlist|xspf|application/xspf+xml|XSPF playlist
        org.recordare.musicxml|com.pkware.zip-archive|mxl|application/vnd.recordare.musicxml|compressed MusicXML
        org.recordare.musicxml.uncompressed|public.xml|musicxml|application/vnd.recordare.musicxml+xml|MusicXML
        com.apple.arobject|public.data|arobject||AR reference object
        public.bookmark||||bookmark
        com.apple.haptics.ahap|public.json|ahap||haptic pattern
        public.font|public.data|||font
        public.truetype-font|public.font|||TrueType font
        public.truetype-ttf-font|public.truetype-font|ttf|font/ttf application/x-font-ttf|TrueType font
        public.truetype-collection-font|public.truetype-font|ttc|font/collection|TrueType collection
        public.opentype-font|public.font|otf|font/otf application/x-font-otf|OpenType font
        public.opentype-collection-font|public.opentype-font|otc||OpenType collection
        org.w3.woff|public.font|woff|font/woff application/font-woff|WOFF font
        org.w3.woff2|public.font|woff2|font/woff2|WOFF 2 font
        com.adobe.postscript-font|public.font|pfb pfa|application/x-font-type1|PostScript font
        com.adobe.font-metrics|public.text|afm|application/x-font-afm|font metrics
        org.x.bdf-font|public.font|bdf|application/x-font-bdf|BDF font
        org.x.pcf-font|public.font|pcf|application/x-font-pcf|PCF font
        com.apple.font-suitcase|public.font|suit||font suitcase
        public.3d-content|public.content|||3D content
        public.geometry-definition-format|public.data public.3d-content|obj|model/obj|Wavefront object
        public.polygon-file-format|public.data public.3d-content|ply|model/x-ply|polygon file
        public.standard-tesselated-geometry-format|public.data public.3d-content|stl|model/stl model/x.stl-binary|STL model
        public.alembic|public.data public.3d-content|abc||Alembic
        com.pixar.universal-scene-description|public.data public.3d-content|usd usdc usda|model/vnd.usd|USD scene
        com.pixar.universal-scene-description-mobile|public.data public.3d-content|usdz|model/vnd.usdz+zip|USDZ scene
        com.apple.reality|public.data public.3d-content|reality|model/vnd.reality|Reality scene
        com.apple.scenekit.scene|public.data public.3d-content|scn||SceneKit scene
        org.khronos.collada.digital-asset-exchange|public.xml public.3d-content|dae|model/vnd.collada+xml|COLLADA scene
        org.khronos.gltf|public.json public.3d-content|gltf|model/gltf+json|glTF scene
        org.khronos.glb|public.data public.3d-content|glb|model/gltf-binary|glTF binary scene
        com.autodesk.fbx|public.data public.3d-content|fbx||FBX scene
        com.autodesk.3ds|public.data public.3d-content|3ds|image/x-3ds|3D Studio scene
        com.autodesk.dwg|public.data public.content|dwg|image/vnd.dwg|AutoCAD drawing
        com.autodesk.dxf|public.data public.content|dxf|image/vnd.dxf|DXF drawing
        com.autodesk.maya.ma|public.text public.3d-content|ma||Maya scene
        org.blender.blend|public.data public.3d-content|blend|application/x-blender|Blender file
        org.iso.step|public.text public.3d-content|step stp|model/step|STEP model
        org.iges.iges|public.text public.3d-content|iges igs|model/iges|IGES model
        org.3mf.3mf|com.pkware.zip-archive public.3d-content|3mf|model/3mf application/vnd.ms-package.3dmanufacturing-3dmodel+xml|3MF model
        org.web3d.x3d|public.xml public.3d-content|x3d|model/x3d+xml|X3D scene
        org.web3d.vrml|public.text public.3d-content|wrl vrml|model/vrml|VRML scene
        org.reprap.gcode|public.text|gcode|text/x.gcode|G-code
        """
}
