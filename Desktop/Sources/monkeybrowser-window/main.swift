import BrowserWindow
import Glibc

exit(WindowRun.main())
