package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.BorrowListener;
import dev.r2dbcengine.EngineListener;
import dev.r2dbcengine.migrate.MigrationListener;
import dev.r2dbcengine.sql.SqlListener;
import dev.r2dbcengine.work.WorkListener;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** One listener for all beans of a kind. */
final class Listening {

    /** The kinds. */
    static final List<Class<?>> KINDS = List.of(
            EngineListener.class, BorrowListener.class, SqlListener.class, WorkListener.class, MigrationListener.class);

    private Listening() {}

    /** Empty when there is none; one that stands for all when there are several. */
    static <T> Optional<T> of(Class<T> kind, List<T> beans) {
        return beans.size() < 2 ? beans.stream().findFirst() : Optional.of(all(kind, beans));
    }

    private static <T> T all(Class<T> kind, List<?> beans) {
        return kind.cast(Proxy.newProxyInstance(
                kind.getClassLoader(),
                new Class<?>[] {kind},
                (proxy, method, arguments) -> method.getDeclaringClass() == Object.class
                        ? ofItself(proxy, method, arguments)
                        : tell(beans, method, arguments)));
    }

    /* Equal only to itself. */
    private static @Nullable Object ofItself(Object proxy, Method method, Object @Nullable [] arguments) {
        return switch (method.getName()) {
            case "equals" -> arguments != null && proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "all listeners";
        };
    }

    /* One that throws keeps nobody else from being told. */
    private static @Nullable Object tell(List<?> beans, Method event, Object @Nullable [] arguments) throws Throwable {
        List<Object> answers = new ArrayList<>();
        Throwable thrown = null;
        for (Object bean : beans) {
            try {
                Object answer = event.invoke(bean, arguments);
                if (answer != null) {
                    answers.add(answer);
                }
            } catch (InvocationTargetException e) {
                thrown = thrown == null ? e.getCause() : thrown;
            }
        }
        if (thrown != null) {
            throw thrown;
        }
        return answers.isEmpty() ? null : merged(event.getReturnType(), answers);
    }

    /* A Context has what each has put into it; whoever is to be told of what follows is told of it with the others. */
    private static Object merged(Class<?> type, List<Object> answers) {
        if (!ContextView.class.isAssignableFrom(type)) {
            return answers.size() == 1 ? answers.get(0) : all(type, answers);
        }
        Context merged = Context.empty();
        for (Object answer : answers) {
            merged = merged.putAll((ContextView) answer);
        }
        return merged;
    }
}
