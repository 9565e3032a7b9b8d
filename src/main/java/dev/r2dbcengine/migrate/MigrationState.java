package dev.r2dbcengine.migrate;

/** The state of a migration, by Flyway's names. */
public enum MigrationState {
    /** Found, not applied: the next run applies it. */
    PENDING("Pending"),
    /** Found, not applied: newer than the target. */
    ABOVE_TARGET("Above Target"),
    /** Found, not applied: covered by the baseline. */
    BELOW_BASELINE("Below Baseline"),
    /** Found, not applied: it has the version of the baseline. */
    BASELINE_IGNORED("Ignored (Baseline)"),
    /** The row of a baseline. */
    BASELINE("Baseline"),
    /** Found, not applied: older than the newest applied version, or disabled by its settings. */
    IGNORED("Ignored"),
    /** Applied, no longer found, older than what is found. */
    MISSING_SUCCESS("Missing"),
    /** Failed, no longer found, older than what is found. */
    MISSING_FAILED("Failed (Missing)"),
    /** Applied. */
    SUCCESS("Success"),
    /** Applied, and undone later. */
    UNDONE("Undone"),
    /** A script that can undo an applied version. */
    AVAILABLE("Available"),
    /** Failed, and not rolled back. */
    FAILED("Failed"),
    /** Applied after a newer version. */
    OUT_OF_ORDER("Out of Order"),
    /** Applied, not found, newer than what is found: by a later version of the application. */
    FUTURE_SUCCESS("Future"),
    /** Failed, not found, newer than what is found. */
    FUTURE_FAILED("Failed (Future)"),
    /** A repeatable that has changed: the next run applies it again. */
    OUTDATED("Outdated"),
    /** A repeatable that was applied again later. */
    SUPERSEDED("Superseded"),
    /** Applied, no longer found, and marked as deleted by repair. */
    DELETED("Deleted");

    private final String displayName;

    MigrationState(String displayName) {
        this.displayName = displayName;
    }

    /** {@return the name that Flyway displays} */
    public String displayName() {
        return displayName;
    }

    /** {@return whether it failed, so that nothing runs before a repair} */
    public boolean failed() {
        return this == FAILED || this == MISSING_FAILED || this == FUTURE_FAILED;
    }

    @Override
    public String toString() {
        return displayName;
    }
}
