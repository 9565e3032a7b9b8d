package dev.r2dbcengine.work;

/** A statement came to a unit of work, or to a savepoint of one, that has ended. It was not sent. */
public final class WorkEndedException extends WorkException {

    private static final long serialVersionUID = 1L;

    WorkEndedException(String name) {
        super(name + " has ended: what belongs to it has to be part of what its body returns");
    }
}
