package dev.r2dbcengine.sql;

/** A Java type, a column that holds it, and a value. */
record TypeCase<T>(Class<T> type, String column, T value) {

    static <T> TypeCase<T> of(Class<T> type, String column, T value) {
        return new TypeCase<>(type, column, value);
    }

    @Override
    public String toString() {
        return type.getSimpleName() + " in " + column;
    }
}
