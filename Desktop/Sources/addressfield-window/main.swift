import FormWindow
import Glibc

exit(FormWindowRun.main())
