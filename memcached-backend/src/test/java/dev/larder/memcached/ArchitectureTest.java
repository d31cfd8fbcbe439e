package dev.larder.memcached;

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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The direction of the packages, as docs/architecture.md draws it. */
final class ArchitectureTest {
  private static final String MODULE = "dev.larder.memcached";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(MODULE);

  @Test
  void moduleImportsItsPortTheStoreAndTheResultsAndNeverTheEngine() {
    assertThat(CLASSES).isNotEmpty();
    noClasses()
        .should()
        .dependOnClassesThat(
            resideInAPackage("dev.larder..")
                .and(
                    not(
                        resideInAnyPackage(
                            "dev.larder.memcached..",
                            "dev.larder",
                            "dev.larder.remote",
                            "dev.larder.store",
                            "dev.larder.result"))))
        .check(CLASSES);
  }

  @ParameterizedTest
  @CsvSource({
    "spy,",
    "format,",
    "protocol, format",
    "client, spy protocol format",
  })
  void packageImportsNothingOfTheModuleButWhatIsBelow(String name, @Nullable String below) {
    String[] allowed =
        Stream.concat(Stream.of(name), Stream.of(below == null ? new String[0] : below.split(" ")))
            .map(each -> MODULE + "." + each)
            .toArray(String[]::new);
    noClasses()
        .that()
        .resideInAPackage(MODULE + "." + name)
        .should()
        .dependOnClassesThat(resideInAPackage(MODULE + "..").and(not(resideInAnyPackage(allowed))))
        .check(CLASSES);
  }

  /** The client knows no results; what is written to memcached is format's business. */
  @ParameterizedTest
  @CsvSource({
    "spy,",
    "client,",
    "format, remote store result",
    "protocol, remote store",
  })
  void packageImportsOfTheCoreWhatItSays(String name, @Nullable String core) {
    String[] allowed =
        Stream.concat(
                Stream.of(MODULE + ".."),
                Stream.of(core == null ? new String[0] : core.split(" "))
                    .map(each -> "dev.larder." + each))
            .toArray(String[]::new);
    noClasses()
        .that()
        .resideInAPackage(MODULE + "." + name)
        .should()
        .dependOnClassesThat(resideInAPackage("dev.larder..").and(not(resideInAnyPackage(allowed))))
        .check(CLASSES);
  }

  /** Who adds a package says above what is below it. */
  @Test
  void everyPackageHasItsPlace() {
    Set<String> packages = new TreeSet<>();
    CLASSES.forEach(each -> packages.add(each.getPackageName()));
    assertThat(packages)
        .containsExactly(
            MODULE, MODULE + ".client", MODULE + ".format", MODULE + ".protocol", MODULE + ".spy");
  }

  @Test
  void packagesFormNoCycle() {
    slices().matching(MODULE + ".(*)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void onlyTheClientKnowsSpymemcached() {
    noClasses()
        .that()
        .resideOutsideOfPackages(MODULE + ".client", MODULE + ".spy")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("net.spy..")
        .check(CLASSES);
  }

  @Test
  void protocolAndFormatKnowNeitherTheClientNorTheDatabase() {
    noClasses()
        .that()
        .resideInAnyPackage(MODULE + ".protocol", MODULE + ".format")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("net.spy..", "java.sql..", "java.net..")
        .check(CLASSES);
  }

  @Test
  void nothingIsDeserializedByJava() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .haveNameMatching("java\\.io\\.(ObjectInputStream|ObjectOutputStream|Externalizable)")
        .orShould()
        .dependOnClassesThat()
        .haveNameMatching("net\\.spy\\.memcached\\.transcoders\\..*Serializing.*")
        .check(CLASSES);
  }
}
