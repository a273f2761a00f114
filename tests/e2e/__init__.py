"""Tests in a real browser; a package, so that its browser goes when its last test is done."""
