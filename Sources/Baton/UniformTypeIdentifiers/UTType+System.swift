extension UTType {
    /// `public.item`: item.
    public static var item: UTType { UTType(known: "public.item") }

    /// `public.content`: content.
    public static var content: UTType { UTType(known: "public.content") }

    /// `public.composite-content`: mixed content.
    public static var compositeContent: UTType { UTType(known: "public.composite-content") }

    /// `public.disk-image`: disk image.
    public static var diskImage: UTType { UTType(known: "public.disk-image") }

    /// `public.data`: data.
    public static var data: UTType { UTType(known: "public.data") }

    /// `public.directory`: directory.
    public static var directory: UTType { UTType(known: "public.directory") }

    /// `com.apple.resolvable`: resolvable.
    public static var resolvable: UTType { UTType(known: "com.apple.resolvable") }

    /// `public.symlink`: symbolic link.
    public static var symbolicLink: UTType { UTType(known: "public.symlink") }

    /// `public.executable`: executable.
    public static var executable: UTType { UTType(known: "public.executable") }

    /// `public.mount-point`: mount point.
    public static var mountPoint: UTType { UTType(known: "public.mount-point") }

    /// `com.apple.alias-file`: alias.
    public static var aliasFile: UTType { UTType(known: "com.apple.alias-file") }

    /// `com.apple.bookmark`: bookmark.
    public static var urlBookmarkData: UTType { UTType(known: "com.apple.bookmark") }

    /// `public.url`: URL.
    public static var url: UTType { UTType(known: "public.url") }

    /// `public.file-url`: file URL.
    public static var fileURL: UTType { UTType(known: "public.file-url") }

    /// `public.text`: text.
    public static var text: UTType { UTType(known: "public.text") }

    /// `public.plain-text`: plain text.
    public static var plainText: UTType { UTType(known: "public.plain-text") }

    /// `public.utf8-plain-text`: UTF-8 text.
    public static var utf8PlainText: UTType { UTType(known: "public.utf8-plain-text") }

    /// `public.utf16-external-plain-text`: UTF-16 text with byte order.
    public static var utf16ExternalPlainText: UTType { UTType(known: "public.utf16-external-plain-text") }

    /// `public.utf16-plain-text`: UTF-16 text.
    public static var utf16PlainText: UTType { UTType(known: "public.utf16-plain-text") }

    /// `public.delimited-values-text`: delimited values.
    public static var delimitedText: UTType { UTType(known: "public.delimited-values-text") }

    /// `public.comma-separated-values-text`: CSV text.
    public static var commaSeparatedText: UTType { UTType(known: "public.comma-separated-values-text") }

    /// `public.tab-separated-values-text`: TSV text.
    public static var tabSeparatedText: UTType { UTType(known: "public.tab-separated-values-text") }

    /// `public.utf8-tab-separated-values-text`: UTF-8 tab-separated values.
    public static var utf8TabSeparatedText: UTType { UTType(known: "public.utf8-tab-separated-values-text") }

    /// `public.rtf`: rich text.
    public static var rtf: UTType { UTType(known: "public.rtf") }

    /// `public.html`: HTML.
    public static var html: UTType { UTType(known: "public.html") }

    /// `public.xml`: XML.
    public static var xml: UTType { UTType(known: "public.xml") }

    /// `public.yaml`: YAML.
    public static var yaml: UTType { UTType(known: "public.yaml") }

    /// `public.css`: CSS style sheet.
    public static var css: UTType { UTType(known: "public.css") }

    /// `public.source-code`: source code.
    public static var sourceCode: UTType { UTType(known: "public.source-code") }

    /// `public.assembly-source`: assembly source.
    public static var assemblyLanguageSource: UTType { UTType(known: "public.assembly-source") }

    /// `public.c-source`: C source.
    public static var cSource: UTType { UTType(known: "public.c-source") }

    /// `public.objective-c-source`: Objective-C source.
    public static var objectiveCSource: UTType { UTType(known: "public.objective-c-source") }

    /// `public.swift-source`: Swift source.
    public static var swiftSource: UTType { UTType(known: "public.swift-source") }

    /// `public.c-plus-plus-source`: C++ source.
    public static var cPlusPlusSource: UTType { UTType(known: "public.c-plus-plus-source") }

    /// `public.objective-c-plus-plus-source`: Objective-C++ source.
    public static var objectiveCPlusPlusSource: UTType { UTType(known: "public.objective-c-plus-plus-source") }

    /// `public.c-header`: C header.
    public static var cHeader: UTType { UTType(known: "public.c-header") }

    /// `public.c-plus-plus-header`: C++ header.
    public static var cPlusPlusHeader: UTType { UTType(known: "public.c-plus-plus-header") }

    /// `public.script`: script.
    public static var script: UTType { UTType(known: "public.script") }

    /// `com.apple.applescript.text`: AppleScript text.
    public static var appleScript: UTType { UTType(known: "com.apple.applescript.text") }

    /// `com.apple.applescript.script`: AppleScript.
    public static var osaScript: UTType { UTType(known: "com.apple.applescript.script") }

    /// `com.apple.applescript.script-bundle`: AppleScript bundle.
    public static var osaScriptBundle: UTType { UTType(known: "com.apple.applescript.script-bundle") }

    /// `com.netscape.javascript-source`: JavaScript.
    public static var javaScript: UTType { UTType(known: "com.netscape.javascript-source") }

    /// `public.shell-script`: shell script.
    public static var shellScript: UTType { UTType(known: "public.shell-script") }

    /// `public.perl-script`: Perl script.
    public static var perlScript: UTType { UTType(known: "public.perl-script") }

    /// `public.python-script`: Python script.
    public static var pythonScript: UTType { UTType(known: "public.python-script") }

    /// `public.ruby-script`: Ruby script.
    public static var rubyScript: UTType { UTType(known: "public.ruby-script") }

    /// `public.php-script`: PHP script.
    public static var phpScript: UTType { UTType(known: "public.php-script") }

    /// `public.make-source`: Makefile.
    public static var makefile: UTType { UTType(known: "public.make-source") }

    /// `public.json`: JSON.
    public static var json: UTType { UTType(known: "public.json") }

    /// `public.geojson`: GeoJSON.
    public static var geoJSON: UTType { UTType(known: "public.geojson") }

    /// `com.apple.property-list`: property list.
    public static var propertyList: UTType { UTType(known: "com.apple.property-list") }

    /// `com.apple.xml-property-list`: XML property list.
    public static var xmlPropertyList: UTType { UTType(known: "com.apple.xml-property-list") }

    /// `com.apple.binary-property-list`: binary property list.
    public static var binaryPropertyList: UTType { UTType(known: "com.apple.binary-property-list") }

    /// `com.adobe.pdf`: PDF document.
    public static var pdf: UTType { UTType(known: "com.adobe.pdf") }

    /// `com.apple.rtfd`: rich text with attachments.
    public static var rtfd: UTType { UTType(known: "com.apple.rtfd") }

    /// `com.apple.flat-rtfd`: rich text with attachments, flat.
    public static var flatRTFD: UTType { UTType(known: "com.apple.flat-rtfd") }

    /// `com.apple.webarchive`: web archive.
    public static var webArchive: UTType { UTType(known: "com.apple.webarchive") }

    /// `public.folder`: folder.
    public static var folder: UTType { UTType(known: "public.folder") }

    /// `public.volume`: volume.
    public static var volume: UTType { UTType(known: "public.volume") }

    /// `com.apple.package`: package.
    public static var package: UTType { UTType(known: "com.apple.package") }

    /// `com.apple.bundle`: bundle.
    public static var bundle: UTType { UTType(known: "com.apple.bundle") }

    /// `com.apple.plugin`: plug-in.
    public static var pluginBundle: UTType { UTType(known: "com.apple.plugin") }

    /// `com.apple.metadata-importer`: Spotlight importer.
    public static var spotlightImporter: UTType { UTType(known: "com.apple.metadata-importer") }

    /// `com.apple.quicklook-generator`: Quick Look generator.
    public static var quickLookGenerator: UTType { UTType(known: "com.apple.quicklook-generator") }

    /// `com.apple.xpc-service`: XPC service.
    public static var xpcService: UTType { UTType(known: "com.apple.xpc-service") }

    /// `com.apple.framework`: framework.
    public static var framework: UTType { UTType(known: "com.apple.framework") }

    /// `com.apple.application`: application.
    public static var application: UTType { UTType(known: "com.apple.application") }

    /// `com.apple.application-bundle`: application.
    public static var applicationBundle: UTType { UTType(known: "com.apple.application-bundle") }

    /// `com.apple.application-and-system-extension`: app extension.
    public static var applicationExtension: UTType { UTType(known: "com.apple.application-and-system-extension") }

    /// `public.unix-executable`: Unix executable.
    public static var unixExecutable: UTType { UTType(known: "public.unix-executable") }

    /// `com.microsoft.windows-executable`: Windows program.
    public static var exe: UTType { UTType(known: "com.microsoft.windows-executable") }

    /// `com.apple.systempreference.prefpane`: preference pane.
    public static var systemPreferencesPane: UTType { UTType(known: "com.apple.systempreference.prefpane") }

    /// `public.archive`: archive.
    public static var archive: UTType { UTType(known: "public.archive") }

    /// `org.gnu.gnu-zip-archive`: gzip archive.
    public static var gzip: UTType { UTType(known: "org.gnu.gnu-zip-archive") }

    /// `public.bzip2-archive`: bzip2 archive.
    public static var bz2: UTType { UTType(known: "public.bzip2-archive") }

    /// `public.zip-archive`: ZIP archive.
    public static var zip: UTType { UTType(known: "public.zip-archive") }

    /// `com.apple.archive`: Apple Archive.
    public static var appleArchive: UTType { UTType(known: "com.apple.archive") }

    /// `public.tar-archive`: tar archive.
    public static var tarArchive: UTType { UTType(known: "public.tar-archive") }

    /// `public.spreadsheet`: spreadsheet.
    public static var spreadsheet: UTType { UTType(known: "public.spreadsheet") }

    /// `public.presentation`: presentation.
    public static var presentation: UTType { UTType(known: "public.presentation") }

    /// `public.database`: database.
    public static var database: UTType { UTType(known: "public.database") }

    /// `public.message`: message.
    public static var message: UTType { UTType(known: "public.message") }

    /// `public.contact`: contact.
    public static var contact: UTType { UTType(known: "public.contact") }

    /// `public.vcard`: contact card.
    public static var vCard: UTType { UTType(known: "public.vcard") }

    /// `public.to-do-item`: to-do item.
    public static var toDoItem: UTType { UTType(known: "public.to-do-item") }

    /// `public.calendar-event`: calendar event.
    public static var calendarEvent: UTType { UTType(known: "public.calendar-event") }

    /// `public.email-message`: email message.
    public static var emailMessage: UTType { UTType(known: "public.email-message") }

    /// `com.apple.internet-location`: internet location.
    public static var internetLocation: UTType { UTType(known: "com.apple.internet-location") }

    /// `com.microsoft.internet-shortcut`: internet shortcut.
    public static var internetShortcut: UTType { UTType(known: "com.microsoft.internet-shortcut") }

    /// `public.bookmark`: bookmark.
    public static var bookmark: UTType { UTType(known: "public.bookmark") }

    /// `com.rsa.pkcs-12`: PKCS #12 identity.
    public static var pkcs12: UTType { UTType(known: "com.rsa.pkcs-12") }

    /// `public.x509-certificate`: X.509 certificate.
    public static var x509Certificate: UTType { UTType(known: "public.x509-certificate") }

    /// `org.idpf.epub-container`: EPUB book.
    public static var epub: UTType { UTType(known: "org.idpf.epub-container") }

    /// `public.log`: log.
    public static var log: UTType { UTType(known: "public.log") }
}
