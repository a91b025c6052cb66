extension SystemTypes {
    /// Files, archives, text and documents.
    static let documents = """
        public.item||||item
        public.content||||content
        public.composite-content|public.content|||mixed content
        public.data|public.item||application/octet-stream|data
        public.directory|public.item||inode/directory|directory
        public.folder|public.directory|||folder
        public.volume|public.folder|||volume
        public.mount-point|public.item|||mount point
        public.symlink|public.item||inode/symlink|symbolic link
        public.resolvable||||resolvable
        public.contact||||contact
        public.message||||message
        public.executable||||executable
        public.unix-executable|public.data public.executable||application/x-executable application/x-pie-executable|Unix executable
        com.apple.package|public.directory|||package
        com.apple.bundle|public.directory|||bundle
        com.apple.generic-bundle|com.apple.bundle|bundle||generic bundle
        com.apple.plugin|com.apple.bundle com.apple.package|plugin||plug-in
        com.apple.framework|com.apple.bundle|framework||framework
        com.apple.application|public.executable|||application
        com.apple.application-bundle|com.apple.application com.apple.bundle com.apple.package|app||application
        com.apple.application-file|com.apple.application public.data|||application file
        com.apple.alias-file|public.data com.apple.resolvable|||alias
        com.apple.resolvable|public.resolvable|||resolvable
        com.apple.bookmark|public.data com.apple.resolvable|||bookmark
        public.url|public.data|||URL
        public.file-url|public.url|||file URL
        public.url-name|public.data|||URL name
        com.apple.internet-location|public.data|||internet location
        com.apple.web-internet-location|com.apple.internet-location|webloc||web location
        com.microsoft.internet-shortcut|public.data com.apple.internet-location|url|application/x-mswinurl|internet shortcut
        org.freedesktop.desktop-entry|public.plain-text|desktop|application/x-desktop|desktop entry
        public.archive|public.data|||archive
        public.disk-image|public.archive|||disk image
        public.zip-archive|public.data public.archive com.pkware.zip-archive|zip|application/zip application/x-zip-compressed|ZIP archive
        com.pkware.zip-archive|public.data public.archive|zip|application/zip application/x-zip-compressed|ZIP archive
        org.gnu.gnu-zip-archive|public.data public.archive|gz gzip|application/gzip application/x-gzip|gzip archive
        org.gnu.gnu-zip-tar-archive|org.gnu.gnu-zip-archive|tgz|application/x-compressed-tar|gzip tar archive
        public.tar-archive|public.data public.archive|tar|application/x-tar application/tar|tar archive
        public.tar-bzip2-archive|public.bzip2-archive|tbz2 tbz|application/x-bzip-compressed-tar|bzip2 tar archive
        public.bzip2-archive|public.data public.archive|bz2 bz|application/x-bzip2 application/x-bzip|bzip2 archive
        org.tukaani.xz-archive|public.data public.archive|xz|application/x-xz|XZ archive
        org.tukaani.tar-xz-archive|org.tukaani.xz-archive|txz|application/x-xz-compressed-tar|XZ tar archive
        org.tukaani.lzma-archive|public.data public.archive|lzma|application/x-lzma|LZMA archive
        com.facebook.zstandard-archive|public.data public.archive|zst|application/zstd|Zstandard archive
        org.lz4.lz4-archive|public.data public.archive|lz4|application/x-lz4|LZ4 archive
        org.brotli.brotli-archive|public.data public.archive|br|application/x-brotli|Brotli archive
        public.z-archive|public.data public.archive|Z|application/x-compress|compress archive
        public.cpio-archive|public.data public.archive|cpio|application/x-cpio|cpio archive
        com.apple.archive|public.data public.archive|aar||Apple Archive
        com.apple.xar-archive|public.data public.archive|xar|application/x-xar|XAR archive
        com.apple.installer-package-archive|com.apple.xar-archive|pkg||installer package
        org.7-zip.7-zip-archive|public.data public.archive|7z|application/x-7z-compressed|7-Zip archive
        com.rarlab.rar-archive|public.data public.archive|rar|application/vnd.rar application/x-rar application/x-rar-compressed|RAR archive
        public.lha-archive|public.data public.archive|lha lzh|application/x-lha|LHA archive
        public.arj-archive|public.data public.archive|arj|application/x-arj|ARJ archive
        com.microsoft.cab-archive|public.data public.archive|cab|application/vnd.ms-cab-compressed|Cabinet archive
        org.debian.deb-archive|public.data public.archive|deb udeb|application/vnd.debian.binary-package application/x-deb|Debian package
        org.rpm.rpm-archive|public.data public.archive|rpm|application/x-rpm|RPM package
        org.flatpak.flatpak-bundle|public.data public.archive|flatpak|application/vnd.flatpak|Flatpak bundle
        io.snapcraft.snap|public.data public.archive|snap|application/vnd.snap|snap
        org.appimage.appimage|public.data public.executable|appimage|application/vnd.appimage application/x-iso9660-appimage|AppImage
        com.google.android.package-archive|com.pkware.zip-archive|apk|application/vnd.android.package-archive|Android package
        com.apple.itunes.ipa|com.pkware.zip-archive|ipa|application/x-ios-app|iOS app archive
        public.iso-image|public.disk-image|iso|application/vnd.efi.iso application/x-cd-image|ISO disk image
        com.apple.disk-image-udif|public.disk-image|dmg|application/x-apple-diskimage|disk image
        com.apple.disk-image-sparse|public.disk-image|sparseimage||sparse disk image
        public.raw-disk-image|public.disk-image|img|application/vnd.efi.img application/x-raw-disk-image|raw disk image
        org.qemu.qcow2-image|public.disk-image|qcow2|application/x-qemu-disk|QEMU disk image
        com.vmware.vmdk-image|public.disk-image|vmdk|application/x-vmdk-disk|VMware disk image
        org.virtualbox.vdi-image|public.disk-image|vdi|application/x-vdi-disk|VirtualBox disk image
        com.microsoft.vhd-image|public.disk-image|vhd|application/x-vhd-disk|virtual hard disk
        com.sun.java-archive|com.pkware.zip-archive public.executable|jar|application/java-archive application/x-java-archive|Java archive
        com.sun.web-application-archive|com.pkware.zip-archive|war||web application archive
        com.sun.java-class|public.data public.executable|class|application/java-vm application/x-java|Java class
        public.text|public.data public.content|||text
        public.plain-text|public.text|txt text|text/plain|plain text
        public.utf8-plain-text|public.plain-text|||UTF-8 text
        public.utf16-plain-text|public.plain-text|||UTF-16 text
        public.utf16-external-plain-text|public.plain-text|||UTF-16 text with byte order
        public.utf8-tab-separated-values-text|public.tab-separated-values-text public.utf8-plain-text|||UTF-8 tab-separated values
        public.delimited-values-text|public.text|||delimited values
        public.comma-separated-values-text|public.delimited-values-text|csv|text/csv text/comma-separated-values|CSV text
        public.tab-separated-values-text|public.delimited-values-text|tsv tab|text/tab-separated-values|TSV text
        public.rtf|public.text|rtf|text/rtf application/rtf|rich text
        com.apple.rtfd|com.apple.package public.composite-content|rtfd||rich text with attachments
        com.apple.flat-rtfd|public.data public.composite-content|||rich text with attachments, flat
        public.html|public.text|html htm shtml|text/html|HTML
        public.xhtml|public.xml|xhtml xht xhtm|application/xhtml+xml|XHTML
        public.xml|public.text|xml|application/xml text/xml|XML
        public.xml-dtd|public.text|dtd|application/xml-dtd|XML document type definition
        public.xsl|public.xml|xsl|application/xslt+xml|XSL style sheet
        public.xslt|public.xml|xslt||XSLT style sheet
        public.xml-schema|public.xml|xsd||XML schema
        org.relaxng.relax-ng|public.xml|rng||RELAX NG schema
        public.yaml|public.text|yaml yml|application/yaml application/x-yaml text/yaml|YAML
        public.json|public.text|json|application/json|JSON
        public.geojson|public.json|geojson|application/geo+json|GeoJSON
        public.ndjson|public.text|ndjson jsonl|application/x-ndjson|JSON lines
        org.json5.json5|public.text|json5|application/json5|JSON5
        public.json-schema|public.json||application/schema+json|JSON schema
        public.json-ld|public.json|jsonld|application/ld+json|JSON-LD
        io.toml.toml|public.text|toml|application/toml|TOML
        public.ini|public.plain-text|ini cfg|text/x-ini|INI settings
        public.conf|public.plain-text|conf||settings
        public.log|public.plain-text|log|text/x-log|log
        com.apple.log|public.log|||log
        com.apple.property-list|public.data|plist|application/x-plist|property list
        com.apple.xml-property-list|com.apple.property-list public.xml|||XML property list
        com.apple.binary-property-list|com.apple.property-list|||binary property list
        com.apple.ascii-property-list|com.apple.property-list public.text|||old-style property list
        com.apple.strings-text|public.text|strings||strings file
        com.apple.strings-dictionary|com.apple.xml-property-list|stringsdict||strings dictionary
        com.apple.xcode.strings-catalog|public.json|xcstrings||string catalog
        net.daringfireball.markdown|public.text|md markdown mdown mkd|text/markdown|Markdown
        org.commonmark.mdx|public.text|mdx||MDX
        net.sourceforge.docutils.restructuredtext|public.text|rst|text/x-rst|reStructuredText
        org.asciidoctor.asciidoc|public.text|adoc asciidoc|text/asciidoc|AsciiDoc
        org.orgmode.org|public.text|org|text/x-org|Org document
        org.tug.tex|public.text|tex ltx|text/x-tex application/x-tex|TeX document
        org.tug.bibtex|public.text|bib|text/x-bibtex|BibTeX references
        org.tug.tex.style|public.text|sty cls||TeX style
        org.tug.dvi|public.data public.content|dvi|application/x-dvi|DVI document
        org.gnu.texinfo|public.text|texi texinfo|application/x-texinfo|Texinfo
        org.troff.man-page|public.text|man roff|text/troff application/x-troff-man|manual page
        public.vcard|public.text public.contact|vcf vcard|text/vcard text/x-vcard text/directory|contact card
        public.calendar-event||||calendar event
        com.apple.ical.ics|public.text public.calendar-event|ics ical ifb|text/calendar|calendar
        com.apple.ical.vcs|public.text public.calendar-event|vcs|text/x-vcalendar|vCalendar
        public.to-do-item||||to-do item
        public.email-message|public.message|eml|message/rfc822|email message
        com.apple.mail.email|public.email-message public.data|eml|message/rfc822|email message
        com.apple.mail.emlx|public.email-message public.data|emlx||Mail message
        com.microsoft.outlook-message|public.email-message public.data|msg|application/vnd.ms-outlook|Outlook message
        org.ietf.mbox|public.data public.text|mbox|application/mbox|mailbox
        org.ietf.patch|public.text|patch diff|text/x-patch text/x-diff|patch
        public.rss|public.xml|rss|application/rss+xml|RSS feed
        public.atom|public.xml|atom|application/atom+xml|Atom feed
        org.opml.opml|public.xml|opml|text/x-opml+xml text/x-opml|OPML outline
        org.w3.rdf|public.xml|rdf|application/rdf+xml|RDF
        org.w3.turtle|public.text|ttl|text/turtle|Turtle
        org.w3.n-triples|public.text|nt|application/n-triples|N-Triples
        org.w3.webassembly|public.data public.executable|wasm|application/wasm|WebAssembly
        org.w3.webassembly-text|public.source-code|wat||WebAssembly text
        org.w3.webvtt|public.text|vtt|text/vtt|WebVTT subtitles
        org.subrip.srt|public.text|srt|application/x-subrip|SubRip subtitles
        org.aegisub.ass|public.text|ass ssa|text/x-ssa|SubStation subtitles
        org.w3.ttml|public.xml|ttml|application/ttml+xml|timed text
        com.google.earth.kml|public.xml|kml|application/vnd.google-earth.kml+xml|KML
        com.google.earth.kmz|com.pkware.zip-archive|kmz|application/vnd.google-earth.kmz|KMZ
        com.topografix.gpx|public.xml|gpx|application/gpx+xml|GPX track
        com.garmin.tcx|public.xml|tcx|application/vnd.garmin.tcx+xml|TCX track
        com.garmin.fit|public.data|fit||FIT track
        org.apache.avro|public.data|avro||Avro data
        org.apache.parquet|public.data|parquet|application/vnd.apache.parquet|Parquet data
        org.hdfgroup.hdf5|public.data|h5 hdf5|application/x-hdf5|HDF5 data
        edu.ucar.netcdf|public.data|nc cdf|application/x-netcdf|NetCDF data
        com.mathworks.matlab.data|public.data|mat|application/x-matlab-data|MATLAB data
        org.numpy.array|public.data|npy||NumPy array
        org.rdata.rdata|public.data|rdata rda||R data
        org.jupyter.notebook|public.json|ipynb|application/x-ipynb+json|Jupyter notebook
        com.mojang.nbt|public.data|nbt||NBT data
        public.database||||database
        org.sqlite.database|public.data public.database|sqlite sqlite3 db|application/vnd.sqlite3 application/x-sqlite3|SQLite database
        com.microsoft.access.mdb|public.data public.database|mdb|application/vnd.ms-access application/msaccess|Access database
        com.microsoft.access.accdb|public.data public.database|accdb||Access database
        org.dbase.dbf|public.data public.database|dbf|application/x-dbf|dBASE table
        com.adobe.pdf|public.data public.composite-content|pdf|application/pdf application/x-pdf|PDF document
        com.adobe.postscript|public.text|ps|application/postscript|PostScript
        com.adobe.encapsulated-postscript|com.adobe.postscript public.image|eps epsf epsi|image/x-eps|encapsulated PostScript
        com.adobe.fdf|public.data|fdf|application/fdf application/vnd.fdf|Forms Data Format
        com.adobe.xfdf|public.xml|xfdf|application/vnd.adobe.xfdf|XML Forms Data Format
        com.adobe.indesign-document|public.data public.composite-content|indd||InDesign document
        com.adobe.flash.video|public.movie|flv|video/x-flv|Flash video
        com.adobe.shockwave-flash|public.data|swf|application/vnd.adobe.flash.movie application/x-shockwave-flash|Flash
        com.microsoft.xps|public.data public.composite-content|xps oxps|application/oxps application/vnd.ms-xpsdocument|XPS document
        org.idpf.epub-container|public.data public.composite-content public.electronic-publication|epub|application/epub+zip|EPUB book
        org.idpf.epub-folder|com.apple.package public.composite-content public.electronic-publication|||EPUB folder
        public.electronic-publication|public.content|||electronic publication
        com.apple.ibooks-container|public.data public.electronic-publication|ibooks|application/x-ibooks+zip|Apple Books book
        com.amazon.mobi|public.data public.electronic-publication|mobi prc|application/x-mobipocket-ebook|Mobipocket book
        com.amazon.azw|public.data public.electronic-publication|azw azw3 kfx|application/vnd.amazon.ebook application/vnd.amazon.mobi8-ebook|Kindle book
        org.fictionbook.fb2|public.xml public.electronic-publication|fb2|application/x-fictionbook+xml|FictionBook
        org.comicbook.cbz|com.pkware.zip-archive public.electronic-publication|cbz|application/vnd.comicbook+zip application/x-cbz|comic book
        org.comicbook.cbr|com.rarlab.rar-archive public.electronic-publication|cbr|application/vnd.comicbook-rar application/x-cbr|comic book, RAR
        public.presentation|public.composite-content|||presentation
        public.spreadsheet|public.content|||spreadsheet
        com.microsoft.word.doc|public.data public.composite-content|doc|application/msword|Word 97 document
        com.microsoft.word.dot|public.data public.composite-content|dot||Word 97 template
        com.microsoft.word.wordml|public.xml public.composite-content|||Word 2003 XML document
        com.microsoft.excel.xls|public.data public.spreadsheet|xls xlw|application/vnd.ms-excel|Excel 97 workbook
        com.microsoft.excel.xlt|public.data public.spreadsheet|xlt||Excel 97 template
        com.microsoft.excel.sheet.binary|public.data public.spreadsheet|xlsb|application/vnd.ms-excel.sheet.binary.macroenabled.12|Excel binary workbook
        com.microsoft.powerpoint.ppt|public.data public.presentation|ppt|application/vnd.ms-powerpoint|PowerPoint 97 presentation
        com.microsoft.powerpoint.pot|public.data public.presentation|pot||PowerPoint 97 template
        com.microsoft.powerpoint.pps|public.data public.presentation|pps||PowerPoint 97 slide show
        org.openxmlformats.openxml|public.data com.pkware.zip-archive|||Office Open XML
        org.openxmlformats.wordprocessingml.document|org.openxmlformats.openxml public.composite-content|docx|application/vnd.openxmlformats-officedocument.wordprocessingml.document|Word document
        org.openxmlformats.wordprocessingml.document.macroenabled|org.openxmlformats.openxml public.composite-content|docm|application/vnd.ms-word.document.macroenabled.12|Word document with macros
        org.openxmlformats.wordprocessingml.template|org.openxmlformats.openxml public.composite-content|dotx|application/vnd.openxmlformats-officedocument.wordprocessingml.template|Word template
        org.openxmlformats.wordprocessingml.template.macroenabled|org.openxmlformats.openxml public.composite-content|dotm|application/vnd.ms-word.template.macroenabled.12|Word template with macros
        org.openxmlformats.spreadsheetml.sheet|org.openxmlformats.openxml public.spreadsheet|xlsx|application/vnd.openxmlformats-officedocument.spreadsheetml.sheet|Excel workbook
        org.openxmlformats.spreadsheetml.sheet.macroenabled|org.openxmlformats.openxml public.spreadsheet|xlsm|application/vnd.ms-excel.sheet.macroenabled.12|Excel workbook with macros
        org.openxmlformats.spreadsheetml.template|org.openxmlformats.openxml public.spreadsheet|xltx|application/vnd.openxmlformats-officedocument.spreadsheetml.template|Excel template
        org.openxmlformats.spreadsheetml.template.macroenabled|org.openxmlformats.openxml public.spreadsheet|xltm|application/vnd.ms-excel.template.macroenabled.12|Excel template with macros
        org.openxmlformats.presentationml.presentation|org.openxmlformats.openxml public.presentation|pptx|application/vnd.openxmlformats-officedocument.presentationml.presentation|PowerPoint presentation
        org.openxmlformats.presentationml.presentation.macroenabled|org.openxmlformats.openxml public.presentation|pptm|application/vnd.ms-powerpoint.presentation.macroenabled.12|PowerPoint presentation with macros
        org.openxmlformats.presentationml.slideshow|org.openxmlformats.openxml public.presentation|ppsx|application/vnd.openxmlformats-officedocument.presentationml.slideshow|PowerPoint slide show
        org.openxmlformats.presentationml.slideshow.macroenabled|org.openxmlformats.openxml public.presentation|ppsm|application/vnd.ms-powerpoint.slideshow.macroenabled.12|PowerPoint slide show with macros
        org.openxmlformats.presentationml.template|org.openxmlformats.openxml public.presentation|potx|application/vnd.openxmlformats-officedocument.presentationml.template|PowerPoint template
        org.openxmlformats.presentationml.template.macroenabled|org.openxmlformats.openxml public.presentation|potm|application/vnd.ms-powerpoint.template.macroenabled.12|PowerPoint template with macros
        com.microsoft.onenote.one|public.data public.composite-content|one|application/onenote|OneNote section
        com.microsoft.visio.vsd|public.data public.composite-content|vsd|application/vnd.visio|Visio drawing
        com.microsoft.visio.vsdx|org.openxmlformats.openxml public.composite-content|vsdx|application/vnd.ms-visio.drawing.main+xml|Visio drawing
        com.microsoft.project.mpp|public.data public.composite-content|mpp|application/vnd.ms-project|Project plan
        com.microsoft.publisher.pub|public.data public.composite-content|pub|application/vnd.ms-publisher|Publisher document
        com.microsoft.works.wps|public.data public.composite-content|wps|application/vnd.ms-works|Works document
        com.microsoft.compiled-html-help|public.data|chm|application/vnd.ms-htmlhelp|compiled help
        org.oasis-open.opendocument|public.composite-content|||OpenDocument
        org.oasis-open.opendocument.text|org.oasis-open.opendocument com.pkware.zip-archive|odt|application/vnd.oasis.opendocument.text|OpenDocument text
        org.oasis-open.opendocument.text-template|org.oasis-open.opendocument com.pkware.zip-archive|ott|application/vnd.oasis.opendocument.text-template|OpenDocument text template
        org.oasis-open.opendocument.text-master|org.oasis-open.opendocument com.pkware.zip-archive|odm|application/vnd.oasis.opendocument.text-master|OpenDocument master text
        org.oasis-open.opendocument.text-web|org.oasis-open.opendocument com.pkware.zip-archive|oth|application/vnd.oasis.opendocument.text-web|OpenDocument web page
        org.oasis-open.opendocument.text-flat|org.oasis-open.opendocument public.xml|fodt|application/vnd.oasis.opendocument.text-flat-xml|OpenDocument flat text
        org.oasis-open.opendocument.spreadsheet|org.oasis-open.opendocument com.pkware.zip-archive public.spreadsheet|ods|application/vnd.oasis.opendocument.spreadsheet|OpenDocument spreadsheet
        org.oasis-open.opendocument.spreadsheet-template|org.oasis-open.opendocument com.pkware.zip-archive public.spreadsheet|ots|application/vnd.oasis.opendocument.spreadsheet-template|OpenDocument spreadsheet template
        org.oasis-open.opendocument.spreadsheet-flat|org.oasis-open.opendocument public.xml public.spreadsheet|fods|application/vnd.oasis.opendocument.spreadsheet-flat-xml|OpenDocument flat spreadsheet
        org.oasis-open.opendocument.presentation|org.oasis-open.opendocument com.pkware.zip-archive public.presentation|odp|application/vnd.oasis.opendocument.presentation|OpenDocument presentation
        org.oasis-open.opendocument.presentation-template|org.oasis-open.opendocument com.pkware.zip-archive public.presentation|otp|application/vnd.oasis.opendocument.presentation-template|OpenDocument presentation template
        org.oasis-open.opendocument.presentation-flat|org.oasis-open.opendocument public.xml public.presentation|fodp|application/vnd.oasis.opendocument.presentation-flat-xml|OpenDocument flat presentation
        org.oasis-open.opendocument.graphics|org.oasis-open.opendocument com.pkware.zip-archive public.image|odg|application/vnd.oasis.opendocument.graphics|OpenDocument drawing
        org.oasis-open.opendocument.graphics-template|org.oasis-open.opendocument com.pkware.zip-archive public.image|otg|application/vnd.oasis.opendocument.graphics-template|OpenDocument drawing template
        org.oasis-open.opendocument.graphics-flat|org.oasis-open.opendocument public.xml public.image|fodg|application/vnd.oasis.opendocument.graphics-flat-xml|OpenDocument flat drawing
        org.oasis-open.opendocument.chart|org.oasis-open.opendocument com.pkware.zip-archive|odc|application/vnd.oasis.opendocument.chart|OpenDocument chart
        org.oasis-open.opendocument.formula|org.oasis-open.opendocument com.pkware.zip-archive|odf|application/vnd.oasis.opendocument.formula|OpenDocument formula
        org.oasis-open.opendocument.database|org.oasis-open.opendocument com.pkware.zip-archive public.database|odb|application/vnd.oasis.opendocument.base application/vnd.oasis.opendocument.database|OpenDocument database
        org.openoffice.text|public.data public.composite-content|sxw|application/vnd.sun.xml.writer|OpenOffice 1 text
        org.openoffice.spreadsheet|public.data public.spreadsheet|sxc|application/vnd.sun.xml.calc|OpenOffice 1 spreadsheet
        org.openoffice.presentation|public.data public.presentation|sxi|application/vnd.sun.xml.impress|OpenOffice 1 presentation
        com.apple.iwork.pages.pages|com.apple.package public.composite-content|||Pages document
        com.apple.iwork.pages.sffpages|com.pkware.zip-archive public.composite-content|pages|application/vnd.apple.pages application/x-iwork-pages-sffpages|Pages document
        com.apple.iwork.numbers.numbers|com.apple.package public.spreadsheet|||Numbers spreadsheet
        com.apple.iwork.numbers.sffnumbers|com.pkware.zip-archive public.spreadsheet|numbers|application/vnd.apple.numbers application/x-iwork-numbers-sffnumbers|Numbers spreadsheet
        com.apple.iwork.keynote.key|com.apple.package public.presentation|||Keynote presentation
        com.apple.iwork.keynote.sffkey|com.pkware.zip-archive public.presentation|key|application/vnd.apple.keynote application/x-iwork-keynote-sffkey|Keynote presentation
        com.apple.webarchive|public.data public.composite-content|webarchive|application/x-webarchive|web archive
        org.ietf.mhtml|public.data public.composite-content|mhtml mht|application/x-mimearchive multipart/related|MHTML web page
        org.gnumeric.spreadsheet|public.data public.spreadsheet|gnumeric|application/x-gnumeric|Gnumeric spreadsheet
        com.abisource.abiword|public.xml public.composite-content|abw|application/x-abiword|AbiWord document
        com.corel.wordperfect|public.data public.composite-content|wpd wp|application/vnd.wordperfect|WordPerfect document
        org.freemind.mindmap|public.xml public.composite-content|mm||FreeMind map
        org.scribus.document|public.xml public.composite-content|sla|application/vnd.scribus|Scribus document
        public.keychain-item||||keychain item
        public.x509-certificate|public.data|cer crt der|application/pkix-cert application/x-x509-ca-cert|X.509 certificate
        public.pem-encoded-data|public.text|pem|application/x-pem-file application/pem-certificate-chain|PEM data
        com.rsa.pkcs-12|public.data|p12 pfx|application/x-pkcs12 application/pkcs12|PKCS #12 identity
        com.rsa.pkcs-7|public.data|p7b p7c p7s p7m|application/pkcs7-mime application/pkcs7-signature|PKCS #7 message
        com.rsa.pkcs-8|public.data|p8|application/pkcs8|PKCS #8 key
        com.rsa.pkcs-10|public.data|csr p10|application/pkcs10|certificate request
        org.ietf.crl|public.data|crl|application/pkix-crl|certificate revocation list
        org.openpgp.armored|public.text|asc|application/pgp-encrypted|OpenPGP message
        org.openpgp.binary|public.data|pgp gpg|application/pgp|OpenPGP data
        org.openpgp.signature|public.data|sig|application/pgp-signature|OpenPGP signature
        org.openpgp.keys|public.data|pgpkey|application/pgp-keys|OpenPGP keys
        org.keepass.kdbx|public.data public.database|kdbx|application/x-keepass2|KeePass database
        com.apple.mobileprovision|public.data|mobileprovision||provisioning profile
        com.apple.mobileconfig|public.data|mobileconfig|application/x-apple-aspen-config|configuration profile
        com.apple.pkpass|com.pkware.zip-archive|pkpass|application/vnd.apple.pkpass|pass
        com.apple.pkpasses|com.pkware.zip-archive|pkpasses|application/vnd.apple.pkpasses|passes
        com.apple.shortcut|public.data|shortcut||shortcut
        com.apple.localized-pdf-bundle|com.apple.bundle com.apple.package|lpdf||localized PDF
        com.apple.photos.library|com.apple.package|photoslibrary||photo library
        com.apple.live-photo||||live photo
        com.apple.live-photo-bundle|com.apple.live-photo com.apple.package|pvt||live photo
        com.apple.rez-source|public.source-code|r rez||Rez source
        com.apple.systempreference.prefpane|com.apple.bundle com.apple.package|prefPane||preference pane
        com.apple.metadata-importer|com.apple.bundle com.apple.package|mdimporter||Spotlight importer
        com.apple.quicklook-generator|com.apple.bundle com.apple.package|qlgenerator||Quick Look generator
        com.apple.xpc-service|com.apple.bundle com.apple.package|xpc||XPC service
        com.apple.application-and-system-extension|com.apple.bundle com.apple.package|appex systemextension||app extension
        com.apple.dashcode.widget|com.apple.package|wdgt||widget
        com.apple.m4v-chapter|public.data|||chapter
        com.apple.linkpresentation.metadata|public.data|||link metadata
        com.apple.icloud.placeholder|public.data|icloud||placeholder for a document in iCloud
        com.apple.saved-search|com.apple.xml-property-list|savedSearch||saved search
        com.apple.colorsync-profile|public.data|icc icm|application/vnd.iccprofile|color profile
        com.apple.swatches|public.data|clr||color list
        com.adobe.swatch-exchange|public.data|ase||Adobe swatches
        org.bittorrent.torrent|public.data|torrent|application/x-bittorrent|BitTorrent file
        org.metalink.metalink|public.xml|meta4 metalink|application/metalink4+xml|Metalink
        org.nintendo.nes-rom|public.data|nes|application/x-nes-rom|NES game
        org.wireshark.pcap|public.data|pcap cap|application/vnd.tcpdump.pcap|packet capture
        org.wireshark.pcapng|public.data|pcapng|application/x-pcapng|packet capture
        org.ietf.har|public.json|har||HTTP archive
        org.openapis.openapi|public.text|openapi||OpenAPI description
        org.git.bundle|public.data|gitbundle||Git bundle
        org.freedesktop.theme|public.plain-text|theme|application/x-theme|desktop theme
        org.gnome.glade|public.xml|glade ui|application/x-glade|Glade interface
        org.gnome.gschema|public.xml|gschema||GSettings schema
        org.freedesktop.service|public.plain-text|service socket timer mount target|text/x-systemd-unit|systemd unit
        org.vim.script|public.script|vim||Vim script
        org.vim.swap|public.data|swp|application/x-vim-swap|Vim swap file
        public.backup-file|public.data|bak old orig|application/x-trash|backup file
        public.partial-download|public.data|part crdownload download|application/x-partial-download|partial download
        com.apple.ms-tnef|public.data|tnef|application/vnd.ms-tnef|TNEF attachment
        com.apple.applesingle-archive|public.data public.archive|as-single|application/applefile|AppleSingle
        com.apple.macbinary-archive|public.data public.archive|macbin|application/x-macbinary application/macbinary|MacBinary
        com.apple.binhex-archive|public.data public.archive|hqx|application/mac-binhex40|BinHex archive
        com.allume.stuffit-archive|public.data public.archive|sit|application/x-stuffit application/stuffit|StuffIt archive
        com.allume.stuffitx-archive|public.data public.archive|sitx|application/x-stuffitx|StuffIt X archive
        public.uuencoded-archive|public.data public.archive|uu uue|text/x-uuencode application/x-uuencode|uuencoded file
        org.python.wheel|com.pkware.zip-archive|whl||Python wheel
        org.rubygems.gem|public.tar-archive|gem||Ruby gem
        org.java.properties|public.plain-text|properties|text/x-java-properties|Java properties
        org.mozilla.xpinstall|com.pkware.zip-archive|xpi|application/x-xpinstall|browser add-on
        org.chromium.extension|public.data public.archive|crx|application/x-chrome-extension|Chrome extension
        org.w3.web-manifest|public.json|webmanifest|application/manifest+json|web app manifest
        org.w3.xpointer|public.text|xpointer||XPointer
        org.w3.smil|public.xml|smil smi|application/smil+xml application/smil|SMIL presentation
        org.w3.mathml|public.xml|mathml mml|application/mathml+xml|MathML
        org.docbook.docbook|public.xml|docbook dbk|application/docbook+xml|DocBook
        org.tei-c.tei|public.xml|tei|application/tei+xml|TEI text
        org.oasis-open.dita|public.xml|dita|application/dita+xml|DITA topic
        org.iana.uri-list|public.text|uris|text/uri-list|list of addresses
        org.ietf.sgml|public.text|sgml sgm|text/sgml|SGML
        org.ietf.vnote|public.text|vnt|text/x-vnote|note
        com.evernote.enex|public.xml|enex|application/enex+xml|Evernote notes
        com.sublimetext.project|public.json|sublime-project||Sublime Text project
        com.microsoft.visualstudio.code-workspace|public.json|code-workspace||Visual Studio Code workspace
        com.microsoft.visualstudio.solution|public.text|sln|application/x-visual-studio-solution|Visual Studio solution
        com.jetbrains.module|public.xml|iml||IntelliJ module
        org.drawio.diagram|public.xml|drawio|application/vnd.jgraph.mxfile|draw.io diagram
        net.graphviz.dot|public.text|gv|text/vnd.graphviz|Graphviz graph
        com.plantuml.plantuml|public.text|puml plantuml||PlantUML diagram
        com.lyx.document|public.text|lyx|application/x-lyx|LyX document
        org.kicad.schematic|public.text|kicad_sch|application/x-kicad-schematic|KiCad schematic
        org.kicad.pcb|public.text|kicad_pcb|application/x-kicad-pcb|KiCad board
        org.sagemath.worksheet|public.data|sws||Sage worksheet
        com.wolfram.notebook|public.text|nb|application/mathematica application/vnd.wolfram.mathematica|Wolfram notebook
        com.spss.sav|public.data|sav|application/x-spss-sav|SPSS data
        com.stata.dta|public.data|dta|application/x-stata|Stata data
        com.sas.data|public.data|sas7bdat||SAS data
        org.tensorflow.model|public.data|tflite||TensorFlow Lite model
        org.onnx.model|public.data|onnx||ONNX model
        com.apple.coreml.model|public.data|mlmodel||Core ML model
        com.apple.coreml.mlpackage|com.apple.package|mlpackage||Core ML package
        org.pytorch.model|com.pkware.zip-archive|pt pth||PyTorch model
        ai.ggml.gguf|public.data|gguf||GGUF model
        """
}
