public import Foundation

/// A contact's profile on a social network. Contacts'. It does not change, and is safe to use from any thread.
//
// @unchecked: all properties are constants.
open class CNSocialProfile: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The profile's page.
    public let urlString: String
    /// The name there.
    public let username: String
    /// The person's identifier at the service; not kept in vCards.
    public let userIdentifier: String
    /// The service, as ``CNSocialProfileServiceTwitter``.
    public let service: String

    /// A profile. Nil counts as empty.
    public init(urlString: String?, username: String?, userIdentifier: String?, service: String?) {
        self.urlString = urlString ?? ""
        self.username = username ?? ""
        self.userIdentifier = userIdentifier ?? ""
        self.service = service ?? ""
        super.init()
    }

    /// Profiles do not change: the same one.
    open func copy(with zone: NSZone? = nil) -> Any { self }
    /// Always true.
    public class var supportsSecureCoding: Bool { true }
    /// Writes every part.
    open func encode(with coder: NSCoder) {
        coder.encode(urlString as NSString, forKey: "urlString")
        coder.encode(username as NSString, forKey: "username")
        coder.encode(userIdentifier as NSString, forKey: "userIdentifier")
        coder.encode(service as NSString, forKey: "service")
    }

    /// Reads what ``encode(with:)`` wrote; a part that is missing is empty.
    public required init?(coder: NSCoder) {
        func text(_ key: String) -> String {
            coder.decodeObject(of: NSString.self, forKey: key).map { String(describing: $0) } ?? ""
        }
        urlString = text("urlString")
        username = text("username")
        userIdentifier = text("userIdentifier")
        service = text("service")
        super.init()
    }

    /// The name of a property, for people.
    open class func localizedString(forKey key: String) -> String { CNContact.localizedString(forKey: key) }
    /// The name of a service, for people.
    open class func localizedString(forService service: String) -> String { service }

    /// Profiles are equal if every part is.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CNSocialProfile).map {
            $0.urlString == urlString && $0.username == username && $0.userIdentifier == userIdentifier
                && $0.service == service
        } ?? false
    }
    /// Equal profiles have it in common.
    open override var hash: Int { urlString.hashValue ^ username.hashValue ^ service.hashValue }
}

/// The key of ``CNSocialProfile/urlString``. Contacts'.
public let CNSocialProfileURLStringKey = "urlString"
/// The key of ``CNSocialProfile/username``. Contacts'.
public let CNSocialProfileUsernameKey = "username"
/// The key of ``CNSocialProfile/userIdentifier``. Contacts'.
public let CNSocialProfileUserIdentifierKey = "userIdentifier"
/// The key of ``CNSocialProfile/service``. Contacts'.
public let CNSocialProfileServiceKey = "service"
/// The service Facebook. Contacts'.
public let CNSocialProfileServiceFacebook = "Facebook"
/// The service Flickr. Contacts'.
public let CNSocialProfileServiceFlickr = "Flickr"
/// The service GameCenter. Contacts'.
public let CNSocialProfileServiceGameCenter = "GameCenter"
/// The service LinkedIn. Contacts'.
public let CNSocialProfileServiceLinkedIn = "LinkedIn"
/// The service MySpace. Contacts'.
public let CNSocialProfileServiceMySpace = "MySpace"
/// The service SinaWeibo. Contacts'.
public let CNSocialProfileServiceSinaWeibo = "SinaWeibo"
/// The service TencentWeibo. Contacts'.
public let CNSocialProfileServiceTencentWeibo = "TencentWeibo"
/// The service Twitter. Contacts'.
public let CNSocialProfileServiceTwitter = "Twitter"
/// The service Yelp. Contacts'.
public let CNSocialProfileServiceYelp = "Yelp"
