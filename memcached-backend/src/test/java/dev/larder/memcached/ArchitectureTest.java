package dev.larder.memcached;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The direction of the packages: format ← protocol ← client ← the module's own. */
class ArchitectureTest {
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
    "format, 'format'",
    "protocol, 'protocol, format'",
    "client, 'client, spy, protocol, format'",
    "spy, spy"
  })
  void packageImportsNothingOfTheModuleButWhatIsBelow(String name, String below) {
    JavaClasses own = CLASSES.that(resideInAPackage(MODULE + "." + name));
    assertThat(own).isNotEmpty();
    String[] allowed = below.split(", ");
    for (int i = 0; i < allowed.length; i++) {
      allowed[i] = MODULE + "." + allowed[i];
    }

    noClasses()
        .should()
        .dependOnClassesThat(resideInAPackage(MODULE + "..").and(not(resideInAnyPackage(allowed))))
        .check(own);
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
