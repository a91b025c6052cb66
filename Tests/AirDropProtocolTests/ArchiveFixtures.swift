import Foundation

/// Archives made by other programs of one folder: `note.txt`, and `Photos` with two texts, an empty file, an empty folder
/// and a link. OpenDrop 0.13 with libarchive 3.6 made its own of `note.txt`; `gnu` is GNU cpio 2.13, `bsd` bsdcpio 3.6.
enum ArchiveFixtures {
    static let openDropArchive = bytes(
        """
        H4sIAI9+A2sAAzMwNwBCQ3NzAygwNDQwMDMxMUAHhlDKxNTIBKgaqsDQGEmBnn5efkmqXklFCYOjApjJZQA2HsMwTGCIXdQYiRMS5Ojp4xqkqKjI
        AACsaIDbtgAAAA==
        """)
    static let gnuODC = bytes(
        """
        H4sIAAAAAAACA+2RTwqCQBSHXXsKvYC9N//eukWLoEVIFzAQjCylJqjO0m26WOpYTE5hLgPfwLw38uObjxEIqoVEAKAEkBRQ7xK6xU1DWQ2KiCE1
        Z2ZFIg+6NMJ6EA4N2yYkE1W6DSBagX2h00iftTcNmtF34LJH9R0OZEWWWaGLo+OrYJivdbcyyEnSOCd5mSWusfpizHrxrfEk3ZX64npzZEBEP3rb
        P0224Hyz3xr1encuYMMeRrjm1/RQuOI4iMte5oI/ufdbsE4Pjfpplycn7Y+t08yrQ3/h56/cOqzi6Xwxi8Mw9Mb6/3oATZraUwAGAAA=
        """)
    static let gnuNEWC = bytes(
        """
        H4sIAAAAAAACA+2STW6DMBCFveYU4QLpDP9d8mNLkbqIUC9AJaREJSEijpTkLL1NLxYKOMFW2wxZddG3mYeN+eaNgRBCQACReMhTaNXWDL6XGyTg
        hjwS+rLg8LscZeYMxrzuOxHG3g/nMPB9V+D1OSLynpXZ1rKcy6NkLJ513tL42d28Op+aN1RmuaplvWetxtx+fBNyB0RupnOfij57Ue1WhaX3wPmd
        7M6D2c0eys1Onoz87td+jEIQ8/s09u3AwK7W2/d+BGwYhd6HM/EeqDNIjT7OZVObbJzERiT+++gY7M+P2VvZdOkPm6o4SOu/GEXdC0nU90wlyrzm
        8eKF57Ztsz+gCwiu72kABgAA
        """)
    static let bsdODC = bytes(
        """
        H4sIAAAAAAACA+2RTQ6CMBCFWXMKuQDM9G/WLlyYuDDEC2BCohGFYEnUs3gbL2YFxIZqkKWJr0mnP6+vX1ogMA2JoBWCAJIS+uLttjQDRcSwOcEs
        S+hBP42hcQvhpGFbhGTCuFsDcssQRodcp6E+aW86qYe+E88HYHvxaMNGy02u86PLLMYx08uhnqFRUnMnWbFJXGr5gZoNXtBRR+m+0GeXXSEDIvqS
        nVm/J7vobHvYNfiP3rmCxj2Pekd/ScvcgUcYlcw6o+Cv5Nt1sk7LGr/aZ0ml/X/plebdYVj4fpVbk1U8nS9mcRAE3l+/qDv1VLMzAAYAAA==
        """)
    static let bsdNEWC = bytes(
        """
        H4sIAAAAAAACA+2UPQ6CQBCFqTmFXABn+Le0sDCxMMYLLDobjShG10Q9i7fxYgKKuuLPYGPja4YlC997bwMQQggIIGMPaQSZsjmG53KDGNyQIqnf
        lgTv5ZQXtgH3vOI9EQrvxXMY+L4r8bqOmLz4ymsuUkW22iojU7tRrEzNw/hjZt0DN3Pr5qE/SVW6NrTs5wprZA+YXPnIbYoyv0iWE2HqPog+5He+
        zF/1QfOl2uU+tB7cfI9AKZk9+Dw+OhV+Ml3MiirKQjQfTs3z4PZAFR97WqU6G2uxEZnfAXoV9vHQiGl1yb+ZJ2KjzP94GOXZsMTd9/IfNRy0u73O
        wLIs4wc6ASeziCUABgAA
        """)
    static let gnuHardLinks = bytes(
        """
        H4sIAAAAAAACAzMwNzA3MDQwcHMyMXQzNQACE0NXFwPswMjMycDY3NXCDVXYzdUAPzCGMTJyGIDAANlOM5C4haGjCZXtNEfYqZ+fl0qxvY5k2FtS
        ng+ytwIOEG4gChCrDh04wRghQY6ePq5BioqKDDgAAJN29y8AAgAA
        """)

    private static func bytes(_ text: String) -> [UInt8] {
        Array(Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data())
    }
}
