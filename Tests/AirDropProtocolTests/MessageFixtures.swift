import Foundation

/// Bodies as OpenDrop 0.13 sends them, and one with every kind of value, all written by Python's plistlib.
enum MessageFixtures {
    static let discoverRequest = bytes(
        """
        YnBsaXN0MDDQCAAAAAAAAAEBAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAJ
        """)
    static let discoverAnswer = bytes(
        """
        YnBsaXN0MDDTAQIDBAUGXxAUUmVjZWl2ZXJDb21wdXRlck5hbWVfEBlSZWNlaXZlck1lZGlhQ2FwYWJpbGl0aWVzXxARUmVjZWl2ZXJNb2RlbE5h
        bWVWQm9iQm94TnsiVmVyc2lvbiI6IDF9WE9wZW5Ecm9wCA8mQlZdbAAAAAAAAAEBAAAAAAAAAAcAAAAAAAAAAAAAAAAAAAB1
        """)
    static let askRequest = bytes(
        """
        YnBsaXN0MDDXAQIDBAUGBwgJCgsVFhdYQnVuZGxlSURfEBNDb252ZXJ0TWVkaWFGb3JtYXRzWEZpbGVJY29uVUZpbGVzXxASU2VuZGVyQ29tcHV0
        ZXJOYW1lWFNlbmRlcklEXxAPU2VuZGVyTW9kZWxOYW1lXxAQY29tLmFwcGxlLmZpbmRlcghIAAAADGpQICChDNUCDQ4PEBESCRMUW0ZpbGVCb21Q
        YXRoXxAPRmlsZUlzRGlyZWN0b3J5WEZpbGVOYW1lWEZpbGVUeXBlEABaLi9ub3RlLnR4dFhub3RlLnR4dF5wdWJsaWMuY29udGVudFhBbGljZUJv
        eFwzNmMyODEyOWZkNDZYT3BlbkRyb3AACAAXACAANgA/AEUAWgBjAHUAiACJAJIAlACfAKsAvQDGAM8A0QDcAOUA9AD9AQoAAAAAAAACAQAAAAAA
        AAAYAAAAAAAAAAAAAAAAAAABEw==
        """)
    static let askLinks = bytes(
        """
        YnBsaXN0MDDWAQIDBAUGBwgJCwwNWEJ1bmRsZUlEXxATQ29udmVydE1lZGlhRm9ybWF0c1VJdGVtc18QElNlbmRlckNvbXB1dGVyTmFtZVhTZW5k
        ZXJJRF8QD1NlbmRlck1vZGVsTmFtZV8QEGNvbS5hcHBsZS5maW5kZXIIoQpfEBVodHRwczovL2V4YW1wbGUub3JnL3hlBBAEOwQ4BEEEMFwzNmMy
        ODEyOWZkNDZYT3BlbkRyb3AIFR40Ok9Yan1+gJijsAAAAAAAAAEBAAAAAAAAAA4AAAAAAAAAAAAAAAAAAAC5
        """)
    static let askAnswer = bytes(
        """
        YnBsaXN0MDDSAQIDBF8QFFJlY2VpdmVyQ29tcHV0ZXJOYW1lXxARUmVjZWl2ZXJNb2RlbE5hbWVWQm9iQm94WE9wZW5Ecm9wCA0kOD8AAAAAAAAB
        AQAAAAAAAAAFAAAAAAAAAAAAAAAAAAAASA==
        """)
    static let everyKind = bytes(
        """
        YnBsaXN0MDDbAQIDBAUGBwgJCgsMFBUWFxgZGhscHVFhUWJRY1FkUWVRZlFnUWhRaVRsb25nUW2nDQ4PEBESExABEP8RAQASAAEAABMAAAABAAAA
        ABP//////////xN//////////wkIIz/4AAAAAAAAQgECM0BOAAAAAAAAVHRleHRqANwAbgDvAGMAbwBkAGUAINg834nQXxAUeHh4eHh4eHh4eHh4
        eHh4eHh4eHivEBQeDR8gISIjJCUmJygpKissLS4vMBAAEAIQAxAEEAUQBhAHEAgQCRAKEAsQDBANEA4QDxAQEBEQEhATCB8hIyUnKSstLzE2OEBC
        REdMVV5naGlydX6DmJmwx8nLzc/R09XX2dvd3+Hj5efp6wAAAAAAAAEBAAAAAAAAADEAAAAAAAAAAAAAAAAAAADt
        """)

    private static func bytes(_ text: String) -> [UInt8] {
        Array(Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data())
    }
}
