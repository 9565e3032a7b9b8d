package dev.r2dbcengine.work;

/** A statement was subscribed after its unit of work or savepoint had ended. It was not sent. */
public final class WorkEndedException extends WorkException {

    private static final long serialVersionUID = 1L;

    WorkEndedException(String name) {
        super(name + " has ended: what belongs to it has to be part of what its body returns");
    }
}
