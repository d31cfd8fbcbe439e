package dev.larder;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The direction of the packages: sql ← result ← store ← {local, catalog, curve, remote} ← the
 * engine.
 */
class ArchitectureTest {
  private static final JavaClasses CORE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.larder");

  @ParameterizedTest
  @CsvSource({
    "sql, ''",
    "result, sql",
    "store, 'sql, result'",
    "catalog, 'sql, store'",
    "local, 'sql, result, store'",
    "curve, store",
    "remote, 'result, store'"
  })
  void packageImportsNothingOfLarderButWhatIsBelow(String name, String below) {
    String self = "dev.larder." + name;
    assertThat(CORE.that(resideInAPackage(self))).isNotEmpty();
    String[] allowed = (below.isEmpty() ? name : name + ", " + below).split(", ");
    for (int i = 0; i < allowed.length; i++) {
      allowed[i] = "dev.larder." + allowed[i];
    }

    noClasses()
        .that()
        .resideInAPackage(self)
        .should()
        .dependOnClassesThat(
            resideInAPackage("dev.larder..").and(resideInAnyPackage(allowed).negate()))
        .check(CORE);
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
  void parserIsUsedByTheTextPackageOnly() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.larder.sql")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("net.sf.jsqlparser..")
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
        .should()
        .haveModifier(com.tngtech.archunit.core.domain.JavaModifier.FINAL)
        .check(CORE);
  }
}
