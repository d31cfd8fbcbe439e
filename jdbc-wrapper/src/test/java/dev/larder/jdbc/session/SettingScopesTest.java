package dev.larder.jdbc.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.junit.jupiter.api.Tag;

/**
 * The rules of settings and of isolation levels, against the server: whatever is known after any
 * sequence of statements is what the server says. {@code -Djqwik.tries.default} says how many
 * sequences.
 */
@Tag("each-server")
class SettingScopesTest {
  /** Of fewer states most may be unknown. */
  private static final int MANY = 1_000;

  private static ScopePrograms programs;

  @BeforeContainer
  static void create() throws SQLException {
    programs = new ScopePrograms();
  }

  @AfterContainer
  static void drop() throws SQLException {
    programs.close();
    System.out.println("proof: states of sessions compared with the server=" + programs.compared);
    if (programs.compared >= MANY) {
      assertThat(programs.known * 3)
          .as("known of %d", programs.compared)
          .isGreaterThan(programs.compared);
    }
  }

  @Property
  void whatIsKnownIsWhatTheServerSays(
      @ForAll("programs") List<String> program, @ForAll boolean autosave) throws SQLException {
    programs.run(program, autosave);
  }

  @Example
  void namesOfVeryManySavepointsAreForgotten() throws SQLException {
    List<String> program = new ArrayList<>(List.of("BEGIN", "SET app.a = 'x'", "SAVEPOINT a"));
    program.addAll(Collections.nCopies(1_000, "SAVEPOINT b"));
    program.addAll(List.of("SET app.a = 'y'", "ROLLBACK TO b", "ROLLBACK TO a", "ROLLBACK"));
    programs.run(program, false);
  }

  @Provide
  Arbitrary<List<String>> programs() {
    return Arbitraries.of(ScopePrograms.ALL)
        .flatMap(Arbitraries::of)
        .list()
        .ofMinSize(4)
        .ofMaxSize(25)
        .map(program -> Stream.concat(Stream.of("BEGIN"), program.stream()).toList());
  }
}
