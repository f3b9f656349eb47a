/* version.h - one place for the number; the newest heading of CHANGELOG.md. */
#ifndef VERSION_H
#define VERSION_H

#define QIPU_VERSION "0.1.0"

#endif
