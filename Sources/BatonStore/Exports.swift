// Its users still reach AtomicFile and SecureDirectory by this module, where they were. It goes when Documents and Records, which
// are worked on elsewhere, import Files.
@_exported public import Files
