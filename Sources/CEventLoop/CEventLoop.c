// A header-only target needs one translation unit.
