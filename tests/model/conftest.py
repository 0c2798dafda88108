"""Makes the model's own assertions say what they compared."""

import pytest

pytest.register_assert_rewrite(*(f"tests.model.{name}" for name in ("circuit", "deployment", "order", "twin")))
