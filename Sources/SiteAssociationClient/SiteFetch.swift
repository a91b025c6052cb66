package import BatonCore

/// The validators with which a server can say that nothing has changed.
package struct SiteValidators: Sendable, Hashable, Codable {
    package var entityTag: String?
    package var lastModified: String?

    package init(entityTag: String? = nil, lastModified: String? = nil) {
        self.entityTag = entityTag
        self.lastModified = lastModified
    }
}

/// How fetching a site's file ended.
package struct SiteFetch: Sendable {
    package enum Outcome: Sendable {
        /// The server answered with a file, which is not checked yet.
        case file(FetchedFile)
        /// The file is the one that the validators are of.
        case unchanged
        /// The server says that there is no file.
        case absent(BatonError)
        /// The server answers with what may not be: a redirect, a file that is too large.
        case refused(BatonError)
        /// Nothing can be said: no connection, no valid certificate, no whole answer in time, a server that is out of
        /// order.
        case unreachable(BatonError)
    }

    /// One place that was asked.
    package struct Attempt: Sendable {
        package let url: String
        /// A sentence.
        package let finding: String
    }

    package let outcome: Outcome
    package let attempts: [Attempt]

    package init(outcome: Outcome, attempts: [Attempt]) {
        self.outcome = outcome
        self.attempts = attempts
    }
}

package struct FetchedFile: Sendable {
    package let bytes: [UInt8]
    package let contentType: String
    package let url: String
    package let validators: SiteValidators
    /// `max-age`, in seconds.
    package let maximumAge: Int?

    package init(bytes: [UInt8], contentType: String, url: String, validators: SiteValidators, maximumAge: Int?) {
        self.bytes = bytes
        self.contentType = contentType
        self.url = url
        self.validators = validators
        self.maximumAge = maximumAge
    }
}
