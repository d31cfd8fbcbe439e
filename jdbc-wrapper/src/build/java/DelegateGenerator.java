import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.annotation.processing.SupportedAnnotationTypes;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Elements;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * Writes the types of {@code dev.larder.jdbc.delegate}. Most pass every call of a JDBC interface on
 * to another object; {@code DelegatingParameters} has the setters without logic. Run by the build:
 * {@code java DelegateGenerator.java <release> <folder>}. The interfaces are those of that Java
 * release, whatever JDK builds, because the compiler is asked for them.
 */
@SupportedAnnotationTypes("*")
public final class DelegateGenerator extends AbstractProcessor {
  /**
   * One class.
   *
   * @param type the interface
   * @param base the interface whose delegate it extends, or null
   * @param made whether the delegate may have to be made, which may fail
   * @param hook whether each result set passes through a method that subclasses may override
   */
  private record Delegate(String type, String base, boolean made, boolean hook) {
    String simpleName() {
      return DelegateGenerator.simpleName(type);
    }
  }

  private static final List<Delegate> DELEGATES =
      List.of(
          new Delegate("java.sql.Connection", null, true, false),
          new Delegate("java.sql.Statement", null, true, false),
          new Delegate("java.sql.PreparedStatement", "java.sql.Statement", true, false),
          new Delegate("java.sql.CallableStatement", "java.sql.PreparedStatement", true, false),
          new Delegate("java.sql.ResultSet", null, true, false),
          new Delegate("java.sql.ResultSetMetaData", null, true, false),
          new Delegate("java.sql.DatabaseMetaData", null, true, true),
          new Delegate("javax.sql.XAConnection", null, false, false),
          new Delegate("javax.transaction.xa.XAResource", null, false, false));

  /** Values that can be read only once, or that refer to the server. */
  private static final Set<String> OPAQUE_TYPES =
      Set.of(
          "java.io.InputStream",
          "java.io.Reader",
          "java.net.URL",
          "java.sql.Blob",
          "java.sql.Clob",
          "java.sql.NClob",
          "java.sql.Ref",
          "java.sql.RowId",
          "java.sql.SQLType",
          "java.sql.SQLXML");

  /** Has what comes before the call fail as the call itself may. */
  private static final String OF_CLIENT =
      """
      try {
            %s
          } catch (java.sql.SQLClientInfoException e) {
            throw e;
          } catch (java.sql.SQLException e) {
            throw new java.sql.SQLClientInfoException(
                "An earlier statement has failed.", e.getSQLState(), java.util.Map.of(), e);
          }\
      """;

  private static final String OF_NO_EXCEPTION =
      """
      try {
            %s
          } catch (java.sql.SQLException e) {
            throw new IllegalStateException(e);
          }\
      """;

  private static final String PARAMETERS_HEAD =
      """
      /** The setters that only pass their values on: plain ones to one method, others to another. */
      public interface DelegatingParameters extends java.sql.PreparedStatement {
        /** Sets a value that the driver need not have before the statement runs. */
        void set(int index, Object value) throws java.sql.SQLException;

        /** Has {@code setter} set a value on the driver's statement that cannot be part of a key. */
        void opaque(int index, Setter setter) throws java.sql.SQLException;

        /** Sets a value on the driver's statement. */
        @FunctionalInterface
        interface Setter {
          void set(java.sql.PreparedStatement statement) throws java.sql.SQLException;
        }
      """;

  private static final String TEXTS_HEAD =
      """

        /** Executes a text on the statement that it is given. */
        @FunctionalInterface
        protected interface TextCall<T> {
          T on(java.sql.Statement statement) throws java.sql.SQLException;
        }

        /**
         * Has {@code call} execute {@code sql}, a text that may write. All methods that execute such a
         * text come here.
         *
         * @param nothing the answer for a text that no server is to see
         */
        protected <T> T sendText(String sql, TextCall<T> call, T nothing) throws java.sql.SQLException {
          return call.on(delegate());
        }
      """;

  private static final Pattern QUALIFIED = Pattern.compile("(?:[a-z]\\w*\\.)+([A-Z]\\w*)");

  private final Path folder;

  private DelegateGenerator(Path folder) {
    this.folder = folder;
  }

  private static String simpleName(String type) {
    return type.substring(type.lastIndexOf('.') + 1);
  }

  /** Writes all types. */
  public static void main(String[] arguments) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    JavaCompiler.CompilationTask task =
        compiler.getTask(
            null,
            null,
            null,
            List.of("--release", arguments[0], "-proc:only"),
            DELEGATES.stream().map(Delegate::type).toList(),
            null);
    task.setProcessors(
        List.of(new DelegateGenerator(Path.of(arguments[1], "dev/larder/jdbc/delegate"))));
    if (!task.call()) {
      System.exit(1);
    }
  }

  @Override
  public SourceVersion getSupportedSourceVersion() {
    return SourceVersion.latest();
  }

  @Override
  public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
    if (!round.processingOver()) {
      DELEGATES.forEach(this::write);
      writeParameters();
    }
    return false;
  }

  private void write(Delegate delegate) {
    String base = delegate.base();
    String name = delegate.simpleName();
    String extended = base == null ? "" : " extends Delegating" + simpleName(base);
    write(
        "Delegating" + name,
        """
        /** Passes every call on to another {@link %s}. */
        public abstract class Delegating%s%s implements %s {
        %s}
        """
            .formatted(name, name, extended, name, code(delegate)));
  }

  /** Writes a type, of which {@code code} has qualified names. */
  private void write(String name, String code) {
    Set<String> imports = new TreeSet<>();
    String type = simple(code, imports);
    String head = "package dev.larder.jdbc.delegate;\n\n";
    String imported =
        imports.stream().map(each -> "import " + each + ";\n").collect(Collectors.joining());
    try {
      Files.createDirectories(folder);
      replace(folder.resolve(name + ".java"), head + imported + '\n' + type);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Leaves a file alone that has this text: a newer file has Maven compile everything again. */
  private static void replace(Path file, String text) throws IOException {
    if (!Files.exists(file) || !Files.readString(file).equals(text)) {
      Files.writeString(file, text);
    }
  }

  private void writeParameters() {
    StringBuilder code = new StringBuilder(PARAMETERS_HEAD);
    TypeElement type = processingEnv.getElementUtils().getTypeElement("java.sql.PreparedStatement");
    for (ExecutableElement method : ElementFilter.methodsIn(type.getEnclosedElements())) {
      if (isPlain(method) || isOpaque(method)) {
        String body = isPlain(method) ? "set(p1, p2)" : "opaque(p1, s -> s." + call(method) + ')';
        code.append(signature(method, "default ")).append(" {\n    " + body + ";\n  }\n");
      }
    }
    write("DelegatingParameters", code.append("}\n").toString());
  }

  private static boolean isPlain(ExecutableElement method) {
    return method.getParameters().size() == 2
        && method.getParameters().get(1).asType().getKind().isPrimitive()
        && !method.getSimpleName().contentEquals("setNull");
  }

  private static boolean isOpaque(ExecutableElement method) {
    return method.getSimpleName().contentEquals("setNString")
        || method.getParameters().stream()
            .anyMatch(parameter -> OPAQUE_TYPES.contains(parameter.asType().toString()));
  }

  /** Returns the members, with qualified names. */
  private String code(Delegate delegate) {
    StringBuilder code =
        new StringBuilder(
            """
              /** For subclasses. */
              protected Delegating%s() {}

              /** Returns the live object that the calls go to; may make it. */
            %s  protected abstract %s delegate()%s;
            """
                .formatted(
                    delegate.simpleName(),
                    delegate.base() == null ? "" : "  @Override\n",
                    delegate.type(),
                    delegate.made() ? " throws java.sql.SQLException" : ""));
    if (delegate.hook()) {
      code.append(
          """

            /** Returns what a method gives for {@code result}, which is the delegate's answer. */
            protected java.sql.ResultSet result(java.sql.ResultSet result) throws java.sql.SQLException {
              return result;
            }
          """);
    }
    if (delegate.type().equals("java.sql.Statement")) {
      code.append(TEXTS_HEAD);
    }
    methods(delegate).forEach(method -> code.append(code(delegate, method)));
    return code.append(delegate.base() == null ? toString(delegate) : "").toString();
  }

  private List<ExecutableElement> methods(Delegate delegate) {
    List<String> inherited =
        delegate.base() == null
            ? List.of()
            : members(delegate.base()).map(Object::toString).toList();
    return members(delegate.type())
        .filter(method -> method.getEnclosingElement().getKind() == ElementKind.INTERFACE)
        .filter(method -> !method.getModifiers().contains(Modifier.STATIC))
        .filter(method -> !inherited.contains(method.toString()))
        .toList();
  }

  private Stream<ExecutableElement> members(String type) {
    Elements elements = processingEnv.getElementUtils();
    return ElementFilter.methodsIn(elements.getAllMembers(elements.getTypeElement(type))).stream();
  }

  private static String code(Delegate delegate, ExecutableElement method) {
    String type = method.getReturnType().toString();
    String call = "delegate()." + call(method);
    if (delegate.hook() && type.equals("java.sql.ResultSet")) {
      call = "result(" + call + ')';
    } else if (method.getSimpleName().contentEquals("unwrap")) {
      call = "p1.isInstance(this) ? p1.cast(this) : " + call;
    } else if (method.getSimpleName().contentEquals("isWrapperFor")) {
      call = "p1.isInstance(this) || " + call;
    } else if (isTextThatMayWrite(method)) {
      String nothing = type.equals("boolean") ? "false" : type.equals("long") ? "0L" : "0";
      call = "sendText(p1, s -> s." + call(method) + ", " + nothing + ')';
    }
    String body = (type.equals("void") ? "" : "return ") + call + ';';
    return signature(method, "public ")
        + " {\n    "
        + (delegate.made() ? guarded(method, body) : body)
        + "\n  }\n";
  }

  /** Returns {@code body} so that it throws nothing that the method does not declare. */
  private static String guarded(ExecutableElement method, String body) {
    String thrown = method.getThrownTypes().toString();
    return thrown.isEmpty()
        ? OF_NO_EXCEPTION.formatted(body)
        : thrown.contains("SQLClientInfoException") ? OF_CLIENT.formatted(body) : body;
  }

  /** Returns whether it executes a text and answers counts, or may answer generated keys. */
  private static boolean isTextThatMayWrite(ExecutableElement method) {
    String name = method.getSimpleName().toString();
    int parameters = method.getParameters().size();
    return (name.matches("execute(Large)?Update") && parameters > 0)
        || (name.equals("execute") && parameters > 1);
  }

  private static String call(ExecutableElement method) {
    return IntStream.rangeClosed(1, method.getParameters().size())
        .mapToObj(i -> "p" + i)
        .collect(Collectors.joining(", ", method.getSimpleName() + "(", ")"));
  }

  private static String signature(ExecutableElement method, String modifier) {
    String parameters =
        IntStream.range(0, method.getParameters().size())
            .mapToObj(i -> method.getParameters().get(i).asType() + " p" + (i + 1))
            .collect(Collectors.joining(", "));
    String variables =
        method.getTypeParameters().isEmpty()
            ? ""
            : method.getTypeParameters().stream()
                .map(Object::toString)
                .collect(Collectors.joining(", ", "<", "> "));
    Set<String> thrown = new LinkedHashSet<>();
    method.getThrownTypes().forEach(type -> thrown.add(type.toString()));
    return "\n  @Override\n"
        + (method.getAnnotation(Deprecated.class) == null ? "" : "  @Deprecated\n")
        + "  "
        + modifier
        + variables
        + method.getReturnType()
        + ' '
        + method.getSimpleName()
        + '('
        + parameters
        + ')'
        + (thrown.isEmpty() ? "" : " throws " + String.join(", ", thrown));
  }

  private static String toString(Delegate delegate) {
    String body =
        delegate.made()
            ? """
                  try {
                    return delegate().toString();
                  } catch (java.sql.SQLException e) {
                    return super.toString();
                  }
              """
            : "    return delegate().toString();\n";
    return "\n  @Override\n  public String toString() {\n" + body + "  }\n";
  }

  /** Returns {@code code} with simple names, and adds what it then imports. */
  private static String simple(String code, Set<String> imports) {
    return QUALIFIED
        .matcher(code)
        .replaceAll(
            match -> {
              if (!match.group().startsWith("java.lang.")) {
                imports.add(match.group());
              }
              return Matcher.quoteReplacement(match.group(1));
            });
  }
}
