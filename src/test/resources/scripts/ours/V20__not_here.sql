this must not run
