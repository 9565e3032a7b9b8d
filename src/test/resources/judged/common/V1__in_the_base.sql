this would fail too
