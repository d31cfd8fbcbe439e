package dev.larder.memcached;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final Pattern PROTOCOL =
      Pattern.compile(
          ".*\\.(Token|Version(Value|Codec|Item|Request|Reply|Server|Reading)|WritersInProgress"
              + "|PrimaryProbe|Announcement|Publication|BarrierPass|RemoteVersions|RemoteWrite)"
              + "(\\$.*)?");

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.larder.memcached");

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
                            "dev.larder.remote",
                            "dev.larder.store",
                            "dev.larder.result"))))
        .check(CLASSES);
  }

  @Test
  void protocolKnowsNeitherTheClientNorTheDatabase() {
    JavaClasses protocol = CLASSES.that(matches());
    assertThat(protocol).hasSizeGreaterThan(15);

    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("net.spy..", "java.sql..", "java.net..")
        .check(protocol);
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

  private static com.tngtech.archunit.base.DescribedPredicate<
          com.tngtech.archunit.core.domain.JavaClass>
      matches() {
    return com.tngtech.archunit.base.DescribedPredicate.describe(
        "belong to the protocol", type -> PROTOCOL.matcher(type.getName()).matches());
  }
}
