package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class MigrationExceptionTest {

    @Test
    void appliedIsEmptyAfterDeserialization() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(new MigrationException("failed", List.of(), null, 3, "select", null));
        }
        MigrationException read;
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            read = (MigrationException) in.readObject();
        }

        assertThat(read).hasMessage("failed");
        assertThat(read.line()).isEqualTo(3);
        assertThat(read.statement()).isEqualTo("select");
        assertThat(read.applied()).isEmpty();
        assertThat(read.failed()).isNull();
    }
}
