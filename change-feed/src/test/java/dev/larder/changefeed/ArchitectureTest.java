package dev.larder.changefeed;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The direction of the packages, as docs/architecture.md draws it. */
final class ArchitectureTest {
  private static final String MODULE = "dev.larder.changefeed";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(MODULE);

  @ParameterizedTest
  @CsvSource({
    "pgoutput, feed keys",
    "coverage, feed sql",
    "server, feed log sql store jdbc.feed changefeed.pgoutput changefeed.coverage"
  })
  void packageImportsOfLarderWhatItSays(String name, String below) {
    String[] allowed =
        Stream.concat(Stream.of("changefeed." + name), Stream.of(below.split(" ")))
            .map(each -> "dev.larder." + each)
            .toArray(String[]::new);
    noClasses()
        .that()
        .resideInAPackage(MODULE + "." + name)
        .should()
        .dependOnClassesThat(resideInAPackage("dev.larder..").and(not(resideInAnyPackage(allowed))))
        .check(CLASSES);
  }

  @Test
  void moduleImportsPortsAndNeverTheEngine() {
    noClasses()
        .should()
        .dependOnClassesThat(
            resideInAPackage("dev.larder..")
                .and(
                    not(
                        resideInAnyPackage(
                            "dev.larder.changefeed..",
                            "dev.larder.feed",
                            "dev.larder.keys",
                            "dev.larder.log",
                            "dev.larder.sql",
                            "dev.larder.store",
                            "dev.larder.jdbc.feed"))))
        .check(CLASSES);
  }

  /** Who adds a package says above what is below it. */
  @Test
  void everyPackageHasItsPlace() {
    Set<String> packages = new TreeSet<>();
    CLASSES.forEach(each -> packages.add(each.getPackageName()));
    assertThat(packages)
        .containsExactly(MODULE, MODULE + ".coverage", MODULE + ".pgoutput", MODULE + ".server");
  }

  @Test
  void packagesFormNoCycle() {
    slices().matching(MODULE + ".(*)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void onlyTheConnectionsKnowTheDriver() {
    noClasses()
        .that()
        .resideInAnyPackage(MODULE + ".pgoutput", MODULE + ".coverage")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.postgresql..")
        .check(CLASSES);
  }
}
