package dev.r2dbcengine.testing;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/** Copies of the library's classes that count their {@link Steps}. */
final class CountedClasses extends ClassLoader {
    private static final String OURS = "dev.r2dbcengine.";
    private static final String STEPS = Type.getInternalName(Steps.class);
    private static final Set<String> REPLACED = Arrays.stream(Steps.class.getDeclaredMethods())
            .map(method -> method.getName() + Type.getMethodDescriptor(method))
            .collect(Collectors.toSet());

    /** JDK methods whose results are as long as the text that they process. */
    private static final Set<String> COPYING =
            Set.of("java/lang/String", "java/lang/StringBuilder", "java/lang/Character", "java/util/regex/Matcher");

    CountedClasses() {
        super(Steps.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OURS) || name.startsWith(Steps.class.getName())) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? counted(name) : loaded;
        }
    }

    private Class<?> counted(String name) throws ClassNotFoundException {
        try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            ClassReader reader = new ClassReader(in);
            ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
            reader.accept(new Counting(writer), 0);
            byte[] bytes = writer.toByteArray();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private static final class Counting extends ClassVisitor {
        Counting(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            return new CountingMethod(super.visitMethod(access, name, descriptor, signature, exceptions));
        }
    }

    private static final class CountingMethod extends MethodVisitor {
        CountingMethod(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            call("step", "()V");
        }

        @Override
        public void visitJumpInsn(int opcode, Label label) {
            call("step", "()V");
            super.visitJumpInsn(opcode, label);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            String asStatic =
                    opcode == Opcodes.INVOKESTATIC ? descriptor : "(L" + owner + ";" + descriptor.substring(1);
            if (opcode != Opcodes.INVOKESPECIAL && !owner.equals(STEPS) && REPLACED.contains(name + asStatic)) {
                call(name, asStatic);
                return;
            }
            boolean copies = name.equals("<init>") && descriptor.equals("([CII)V");
            if (copies) {
                super.visitInsn(Opcodes.DUP);
                call("steps", "(I)V");
            }
            super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
            if (COPYING.contains(owner) && descriptor.endsWith(")Ljava/lang/String;")) {
                countResult();
            }
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
            if (descriptor.endsWith(")Ljava/lang/String;")) {
                countResult();
            }
        }

        private void countResult() {
            super.visitInsn(Opcodes.DUP);
            call("over", "(Ljava/lang/Object;)V");
        }

        private void call(String name, String descriptor) {
            super.visitMethodInsn(Opcodes.INVOKESTATIC, STEPS, name, descriptor, false);
        }
    }
}
