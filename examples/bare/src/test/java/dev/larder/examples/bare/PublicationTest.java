package dev.larder.examples.bare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** What is published says where it is from, and brings no more than the README says. */
class PublicationTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();

  private static Element pom(String module) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(ROOT.resolve(module).resolve("pom.xml").toFile())
        .getDocumentElement();
  }

  /** The text of the element at {@code path}, or nothing. */
  private static String text(Element from, String... path) {
    Node at = from;
    for (String name : path) {
      Node found = null;
      for (Node child = at.getFirstChild(); child != null; child = child.getNextSibling()) {
        if (found == null && child.getNodeName().equals(name)) {
          found = child;
        }
      }
      if (found == null) {
        return "";
      }
      at = found;
    }
    return at.getTextContent().strip();
  }

  @Test
  void readmeShowsTheTreeOfABareApplication() throws Exception {
    String tree = Files.readString(ROOT.resolve("examples/bare/target/tree.txt")).strip();
    assertThat(tree).contains("dev.larder:larder-jdbc", "org.postgresql:postgresql");
    assertThat(Files.readString(ROOT.resolve("README.md"))).contains("```\n" + tree + "\n```");
  }

  /** The requirements of Maven Central. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "bom",
        "core",
        "jdbc-wrapper",
        "memcached-backend",
        "change-feed",
        "jdbc-all",
        "spring-boot-starter"
      })
  void publishedPomSaysWhatMavenCentralAsksFor(String module) throws Exception {
    Element own = pom(module);
    assertThat(text(own, "name")).isNotEmpty();
    assertThat(text(own, "description")).isNotEmpty();
    Element declaring = text(own, "parent", "artifactId").isEmpty() ? own : pom("");
    for (List<String> path :
        List.of(
            List.of("url"),
            List.of("licenses", "license", "name"),
            List.of("licenses", "license", "url"),
            List.of("developers", "developer", "name"),
            List.of("scm", "connection"),
            List.of("scm", "url"))) {
      assertThat(text(declaring, path.toArray(String[]::new))).as("%s", path).isNotEmpty();
    }
  }

  /** The bill of materials has no parent, and so a copy of its own. */
  @ParameterizedTest
  @ValueSource(strings = {"publisher.url", "publisher.repository"})
  void addressesOfThePublisherStandInOnePlace(String address) throws Exception {
    String value = text(pom(""), "properties", address);
    assertThat(value).startsWith("https://");
    assertThat(text(pom("bom"), "properties", address)).isEqualTo(value);
    assertThat(Files.readString(ROOT.resolve("CONTRIBUTING.md"))).contains(address);
  }

  @Test
  void nothingIsASnapshot() throws Exception {
    assertThat(text(pom(""), "version")).matches("\\d+\\.\\d+\\.\\d+");
    assertThat(text(pom("bom"), "version")).isEqualTo(text(pom(""), "version"));
  }
}
