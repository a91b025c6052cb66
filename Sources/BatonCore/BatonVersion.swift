/// The version of the software, for people; programs go by the protocol's version.
package enum BatonVersion {
    package static let current = "0.1.0"
}
