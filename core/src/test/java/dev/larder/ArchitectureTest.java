package dev.larder;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The direction of the packages, as docs/architecture.md draws it. */
final class ArchitectureTest {
  private static final JavaClasses CORE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("/fixtures/"))
          .importPackages("dev.larder");

  @ParameterizedTest
  @CsvSource({
    "bypass,",
    "lexer,",
    "sql, bypass",
    "analysis, bypass lexer sql",
    "result,",
    "store, lexer result",
    "keys, lexer result sql store",
    "code, analysis bypass lexer sql",
    "catalog, analysis bypass code keys lexer sql store",
    "resolve, analysis bypass catalog code keys lexer sql store",
    "watch, catalog store",
    "local, result store",
    "curve, store",
    "remote, result store",
    "log,",
    "radar, options catalog log remote resolve store watch",
    "feed, options catalog keys log store watch"
  })
  void packageImportsNothingOfLarderButWhatIsBelow(String name, @Nullable String below) {
    String[] allowed =
        Stream.concat(Stream.of(name), Stream.of(below == null ? new String[0] : below.split(" ")))
            .map(each -> each.equals("options") ? "dev.larder" : "dev.larder." + each)
            .toArray(String[]::new);
    noClasses()
        .that()
        .resideInAPackage("dev.larder." + name)
        .should()
        .dependOnClassesThat(
            resideInAPackage("dev.larder..").and(resideInAnyPackage(allowed).negate()))
        .check(CORE);
  }

  /** The configuration is what all see, so it sees nothing but the port that it configures. */
  @Test
  void configurationImportsThePortToOtherJvmsOnly() {
    noClasses()
        .that()
        .resideInAPackage("dev.larder")
        .should()
        .dependOnClassesThat(
            resideInAPackage("dev.larder..")
                .and(resideInAnyPackage("dev.larder", "dev.larder.remote").negate()))
        .check(CORE);
  }

  @Test
  void nothingImportsTheEngine() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.larder.engine")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.larder.engine")
        .check(CORE);
  }

  /** Who adds a package says above what is below it. */
  @Test
  void everyPackageHasItsPlace() {
    Set<String> packages = new TreeSet<>();
    CORE.forEach(each -> packages.add(each.getPackageName()));
    assertThat(packages)
        .containsExactly(
            "dev.larder",
            "dev.larder.analysis",
            "dev.larder.bypass",
            "dev.larder.catalog",
            "dev.larder.code",
            "dev.larder.curve",
            "dev.larder.engine",
            "dev.larder.feed",
            "dev.larder.keys",
            "dev.larder.lexer",
            "dev.larder.local",
            "dev.larder.log",
            "dev.larder.radar",
            "dev.larder.remote",
            "dev.larder.resolve",
            "dev.larder.result",
            "dev.larder.sql",
            "dev.larder.store",
            "dev.larder.watch");
  }

  @Test
  void coreKnowsNothingOfJdbc() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.sql..", "javax.sql..", "org.postgresql..")
        .check(CORE);
  }

  @Test
  void parserIsUsedByTheAnalysisAndByKeys() {
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.larder.analysis", "dev.larder.keys")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("net.sf.jsqlparser..")
        .check(CORE);
  }

  @Test
  void boundedMapsAreThoseOfCaffeineInFourPackages() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "dev.larder.engine", "dev.larder.local", "dev.larder.result", "dev.larder.store")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("com.github.benmanes.caffeine..")
        .check(CORE);
  }

  @Test
  void packagesFormNoCycle() {
    slices().matching("dev.larder.(*)").should().beFreeOfCycles().check(CORE);
  }

  @Test
  void typesOfTheStepsAreFinalUnlessTheyAreMadeToBeImplemented() {
    classes()
        .that()
        .resideInAnyPackage("dev.larder.store", "dev.larder.local")
        .and()
        .areNotInterfaces()
        .and()
        .areTopLevelClasses()
        .and()
        .doNotHaveSimpleName("package-info")
        .and()
        .doNotHaveModifier(com.tngtech.archunit.core.domain.JavaModifier.ABSTRACT)
        .should()
        .haveModifier(com.tngtech.archunit.core.domain.JavaModifier.FINAL)
        .check(CORE);
  }

  /** Other people's words get into a message by {@code MessageText} only. */
  @Test
  void messagesOfExceptionsAreReadInOnePlace() {
    noClasses()
        .that()
        .haveNameNotMatching("dev\\.larder\\.(log\\.MessageText.*|Option)")
        .should()
        .callMethodWhere(
            target(name("getMessage")).and(target(owner(assignableTo(Throwable.class)))))
        .check(CORE);
  }
}
