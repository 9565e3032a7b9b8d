this must not run either
