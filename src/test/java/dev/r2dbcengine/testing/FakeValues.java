package dev.r2dbcengine.testing;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.IntFunction;

/** The values of an answer, each created when it is requested. */
final class FakeValues<T> implements Iterator<T> {
    private final int size;
    private final IntFunction<? extends T> value;
    private int next;

    FakeValues(int size, IntFunction<? extends T> value) {
        this.size = size;
        this.value = value;
    }

    @Override
    public boolean hasNext() {
        return next < size;
    }

    @Override
    public T next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return value.apply(next++);
    }
}
