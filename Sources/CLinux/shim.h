#pragma once
#include <linux/magic.h>
#include <sys/vfs.h>
