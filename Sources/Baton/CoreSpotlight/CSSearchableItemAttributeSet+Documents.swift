public import Foundation

/// The metadata of documents.
extension CSSearchableItemAttributeSet {
    /// Its subject.
    public var subject: String? {
        get { store.string("subject") }
        set { store.set("subject", newValue) }
    }

    /// Its theme.
    public var theme: String? {
        get { store.string("theme") }
        set { store.set("theme", newValue) }
    }

    /// A description for people, which is searched and shown.
    public var contentDescription: String? {
        get { store.string("contentDescription") }
        set { store.set("contentDescription", newValue) }
    }

    /// Its identifier.
    public var identifier: String? {
        get { store.string("identifier") }
        set { store.set("identifier", newValue) }
    }

    /// The intended audiences.
    public var audiences: [String]? {
        get { store.strings("audiences") }
        set { store.set("audiences", newValue) }
    }

    /// Its size in megabytes.
    public var fileSize: NSNumber? {
        get { store.number("fileSize") }
        set { store.set("fileSize", newValue) }
    }

    /// How many pages it has.
    public var pageCount: NSNumber? {
        get { store.number("pageCount") }
        set { store.set("pageCount", newValue) }
    }

    /// The width of a page, in points.
    public var pageWidth: NSNumber? {
        get { store.number("pageWidth") }
        set { store.set("pageWidth", newValue) }
    }

    /// The height of a page, in points.
    public var pageHeight: NSNumber? {
        get { store.number("pageHeight") }
        set { store.set("pageHeight", newValue) }
    }

    /// How it is encrypted.
    public var securityMethod: String? {
        get { store.string("securityMethod") }
        set { store.set("securityMethod", newValue) }
    }

    /// The app that made it.
    public var creator: String? {
        get { store.string("creator") }
        set { store.set("creator", newValue) }
    }

    /// The apps that wrote its present form.
    public var encodingApplications: [String]? {
        get { store.strings("encodingApplications") }
        set { store.set("encodingApplications", newValue) }
    }

    /// The kind of document, for people.
    public var kind: String? {
        get { store.string("kind") }
        set { store.set("kind", newValue) }
    }

    /// The fonts that it uses.
    public var fontNames: [String]? {
        get { store.strings("fontNames") }
        set { store.set("fontNames", newValue) }
    }
}
