// What the test support needs of doctest, without its main.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
