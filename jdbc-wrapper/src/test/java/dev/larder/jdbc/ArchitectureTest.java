package dev.larder.jdbc;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The direction of the packages, as docs/architecture.md draws it. */
@Tag("each-jdk")
final class ArchitectureTest {
  private static final JavaClasses JDBC =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.larder.jdbc");

  @ParameterizedTest
  @CsvSource({
    "delegate,",
    "feed,",
    "driver,",
    "format, driver",
    "replay, driver",
    "postgresql, replay format driver",
    "gate, postgresql",
    "catalog, postgresql",
    "effects, postgresql",
    "session, effects postgresql replay format",
    "database, feed session effects catalog postgresql replay",
    "connection, database session effects gate postgresql",
    "bind, delegate gate postgresql",
    "statement, bind connection database session effects delegate gate postgresql replay format",
    "background, statement bind connection database session gate postgresql format",
    "wrap, background statement connection database session delegate gate postgresql",
    "lazy, statement bind connection database session effects delegate postgresql replay"
  })
  void packageImportsNothingOfTheModuleButWhatIsBelow(String name, String below) {
    String[] allowed =
        Stream.concat(Stream.of(name), Stream.of(below == null ? new String[0] : below.split(" ")))
            .map(each -> "dev.larder.jdbc." + each)
            .toArray(String[]::new);
    noClasses()
        .that()
        .resideInAPackage("dev.larder.jdbc." + name)
        .should()
        .dependOnClassesThat(
            resideInAPackage("dev.larder.jdbc..").and(resideInAnyPackage(allowed).negate()))
        .check(JDBC);
  }

  /** Who adds a package says above what is below it. */
  @Test
  void everyPackageHasItsPlace() {
    Set<String> packages = new TreeSet<>();
    JDBC.forEach(each -> packages.add(each.getPackageName()));
    assertThat(packages)
        .containsExactly(
            "dev.larder.jdbc",
            "dev.larder.jdbc.background",
            "dev.larder.jdbc.bind",
            "dev.larder.jdbc.catalog",
            "dev.larder.jdbc.connection",
            "dev.larder.jdbc.database",
            "dev.larder.jdbc.delegate",
            "dev.larder.jdbc.driver",
            "dev.larder.jdbc.effects",
            "dev.larder.jdbc.feed",
            "dev.larder.jdbc.format",
            "dev.larder.jdbc.gate",
            "dev.larder.jdbc.lazy",
            "dev.larder.jdbc.postgresql",
            "dev.larder.jdbc.replay",
            "dev.larder.jdbc.session",
            "dev.larder.jdbc.statement",
            "dev.larder.jdbc.wrap");
  }

  @Test
  void packagesFormNoCycle() {
    slices().matching("dev.larder.jdbc.(*)").should().beFreeOfCycles().check(JDBC);
  }

  @Test
  void fivePackagesKnowTheDriver() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "dev.larder.jdbc.driver",
            "dev.larder.jdbc.format",
            "dev.larder.jdbc.replay",
            "dev.larder.jdbc.postgresql",
            "dev.larder.jdbc.gate")
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

  /** Other people's words get into a message by {@code MessageText} only. */
  @Test
  void messagesOfExceptionsAreReadInOnePlace() {
    noClasses()
        .that()
        .doNotHaveSimpleName("StepCheck")
        .should()
        .callMethodWhere(
            target(name("getMessage")).and(target(owner(assignableTo(Throwable.class)))))
        .check(JDBC);
  }
}
