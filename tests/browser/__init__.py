import pytest

pytest.register_assert_rewrite("tests.browser.play", "tests.browser.table")
