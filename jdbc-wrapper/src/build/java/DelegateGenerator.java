import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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
 * Writes the classes of {@code dev.larder.jdbc.delegate}: each passes every call of a JDBC
 * interface on to another object. Run by the build: {@code java DelegateGenerator.java <release>
 * <folder>}. The interfaces are those of that Java release, whatever JDK builds, because the
 * compiler is asked for them.
 */
@SupportedAnnotationTypes("*")
public final class DelegateGenerator extends AbstractProcessor {
  /**
   * One class.
   *
   * @param type the interface
   * @param noun what the Javadoc calls an object of it
   * @param base the interface whose delegate it extends, or null
   * @param made whether the delegate may have to be made, which may fail
   * @param hook whether each result set passes through a method that subclasses may override
   */
  private record Delegate(String type, String noun, String base, boolean made, boolean hook) {
    String simpleName() {
      return type.substring(type.lastIndexOf('.') + 1);
    }
  }

  private static final List<Delegate> DELEGATES =
      List.of(
          new Delegate("java.sql.Connection", "connection", null, false, false),
          new Delegate("java.sql.Statement", "statement", null, true, false),
          new Delegate(
              "java.sql.PreparedStatement",
              "prepared statement",
              "java.sql.Statement",
              true,
              false),
          new Delegate(
              "java.sql.CallableStatement",
              "callable statement",
              "java.sql.PreparedStatement",
              true,
              false),
          new Delegate("java.sql.ResultSet", "result set", null, true, false),
          new Delegate("java.sql.DatabaseMetaData", "object of metadata", null, false, true),
          new Delegate("javax.sql.XAConnection", "XA connection", null, false, false),
          new Delegate("javax.transaction.xa.XAResource", "XA resource", null, false, false));

  private static final Pattern QUALIFIED = Pattern.compile("(?:[a-z]\\w*\\.)+([A-Z]\\w*)");

  private final Path folder;

  private DelegateGenerator(Path folder) {
    this.folder = folder;
  }

  /** Writes all classes. */
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
    }
    return false;
  }

  private void write(Delegate delegate) {
    Set<String> imports = new TreeSet<>();
    String code = simple(code(delegate), imports);
    String name = "Delegating" + delegate.simpleName();
    String source =
        "package dev.larder.jdbc.delegate;\n\n"
            + imports.stream().map(each -> "import " + each + ";\n").collect(Collectors.joining())
            + "\n/** Passes every call on to another "
            + delegate.noun()
            + ". */\npublic abstract class "
            + name
            + extending(delegate)
            + " implements "
            + delegate.simpleName()
            + " {\n"
            + code
            + "}\n";
    try {
      Files.createDirectories(folder);
      Files.writeString(folder.resolve(name + ".java"), source);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String extending(Delegate delegate) {
    String base = delegate.base();
    return base == null ? "" : " extends Delegating" + base.substring(base.lastIndexOf('.') + 1);
  }

  /** Returns the members, with qualified names. */
  private String code(Delegate delegate) {
    StringBuilder code = new StringBuilder();
    code.append("  /** For subclasses. */\n  protected Delegating")
        .append(delegate.simpleName())
        .append("() {}\n\n  /** Returns the live object that the calls go to; may make it. */\n")
        .append("  @Override\n".repeat(delegate.base() == null ? 0 : 1))
        .append("  protected abstract ")
        .append(delegate.type())
        .append(delegate.made() ? " delegate() throws java.sql.SQLException;\n" : " delegate();\n");
    if (delegate.hook()) {
      code.append("\n  /** Returns what a method gives for {@code result}, which is the delegate's")
          .append(" answer. */\n  protected java.sql.ResultSet result(java.sql.ResultSet result)")
          .append(" throws java.sql.SQLException {\n    return result;\n  }\n");
    }
    methods(delegate).forEach(method -> code.append(code(delegate, method)));
    return code.append(delegate.base() == null ? toString(delegate) : "").toString();
  }

  private List<ExecutableElement> methods(Delegate delegate) {
    Elements elements = processingEnv.getElementUtils();
    List<ExecutableElement> methods = new ArrayList<>();
    List<String> inherited =
        delegate.base() == null
            ? List.of()
            : ElementFilter.methodsIn(
                    elements.getAllMembers(elements.getTypeElement(delegate.base())))
                .stream()
                .map(Object::toString)
                .toList();
    for (ExecutableElement method :
        ElementFilter.methodsIn(elements.getAllMembers(elements.getTypeElement(delegate.type())))) {
      boolean ofInterface = method.getEnclosingElement().getKind() == ElementKind.INTERFACE;
      if (ofInterface
          && !method.getModifiers().contains(Modifier.STATIC)
          && !inherited.contains(method.toString())) {
        methods.add(method);
      }
    }
    return methods;
  }

  private static String code(Delegate delegate, ExecutableElement method) {
    String parameters =
        IntStream.range(0, method.getParameters().size())
            .mapToObj(i -> method.getParameters().get(i).asType() + " p" + (i + 1))
            .collect(Collectors.joining(", "));
    String arguments =
        IntStream.rangeClosed(1, method.getParameters().size())
            .mapToObj(i -> "p" + i)
            .collect(Collectors.joining(", "));
    String variables =
        method.getTypeParameters().isEmpty()
            ? ""
            : method.getTypeParameters().stream()
                .map(Object::toString)
                .collect(Collectors.joining(", ", "<", "> "));
    Set<String> thrown = new LinkedHashSet<>();
    method.getThrownTypes().forEach(type -> thrown.add(type.toString()));
    String type = method.getReturnType().toString();
    String call = "delegate()." + method.getSimpleName() + '(' + arguments + ')';
    if (delegate.hook() && type.equals("java.sql.ResultSet")) {
      call = "result(" + call + ')';
    }
    return "\n  @Override\n"
        + (method.getAnnotation(Deprecated.class) == null ? "" : "  @Deprecated\n")
        + "  public "
        + variables
        + type
        + ' '
        + method.getSimpleName()
        + '('
        + parameters
        + ')'
        + (thrown.isEmpty() ? "" : " throws " + String.join(", ", thrown))
        + " {\n    "
        + (type.equals("void") ? "" : "return ")
        + call
        + ";\n  }\n";
  }

  private static String toString(Delegate delegate) {
    String body =
        delegate.made()
            ? "    try {\n      return delegate().toString();\n    } catch (java.sql.SQLException e) {\n"
                + "      return super.toString();\n    }\n"
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
