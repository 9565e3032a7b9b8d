this would fail
