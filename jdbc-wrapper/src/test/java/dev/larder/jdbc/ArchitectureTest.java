package dev.larder.jdbc;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.ObjectInputStream;
import java.io.Serializable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The direction of the packages: delegate, postgresql ← caching ← jdbc. */
final class ArchitectureTest {
  private static final JavaClasses JDBC =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.larder.jdbc");

  @ParameterizedTest
  @CsvSource({
    "dev.larder.jdbc.delegate, dev.larder.jdbc.delegate",
    "dev.larder.jdbc.postgresql, dev.larder.jdbc.postgresql",
    "dev.larder.jdbc.caching, dev.larder.jdbc.caching dev.larder.jdbc.delegate"
        + " dev.larder.jdbc.postgresql"
  })
  void packageImportsNothingOfTheModuleButWhatIsBelow(String name, String allowed) {
    noClasses()
        .that()
        .resideInAPackage(name)
        .should()
        .dependOnClassesThat(
            resideInAPackage("dev.larder.jdbc..")
                .and(resideInAnyPackage(allowed.split(" ")).negate()))
        .check(JDBC);
  }

  @Test
  void packagesFormNoCycle() {
    slices().matching("dev.larder.jdbc.(*)").should().beFreeOfCycles().check(JDBC);
  }

  @Test
  void onePackageKnowsTheDriver() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.larder.jdbc.postgresql")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.postgresql..")
        .check(JDBC);
  }

  @Test
  void parserAndStoreAreTheCoresOwn() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("net.sf.jsqlparser..", "com.github.benmanes.caffeine..")
        .check(JDBC);
  }

  @Test
  void nothingIsDeserialized() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .areAssignableTo(ObjectInputStream.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(java.io.Externalizable.class)
        .check(JDBC);
    noClasses()
        .that()
        .areNotEnums()
        .and()
        .areNotAssignableTo(Throwable.class)
        .should()
        .implement(Serializable.class)
        .check(JDBC);
  }
}
