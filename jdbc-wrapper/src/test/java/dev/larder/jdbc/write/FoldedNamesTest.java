package dev.larder.jdbc.write;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Names with letters beyond ASCII mean to Larder what they mean to the server. */
@Tag("regression")
final class FoldedNamesTest {
  private static final String LATIN =
      " TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'";

  @AutoClose private TestDatabase database;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
  }

  private static void fillTables(Connection connection) throws SQLException {
    run(
        connection,
        "CREATE TABLE \"grÖsse\" (v int)",
        "CREATE TABLE \"größe\" (v int)",
        "INSERT INTO \"grÖsse\" VALUES (1)",
        "INSERT INTO \"größe\" VALUES (2)");
  }

  @Test
  void tableIsThatOfTheServerWhereAsciiAloneIsFolded() throws SQLException {
    try (Connection a = LarderProbe.connect(database)) {
      fillTables(a);
      fill(a, "SELECT v FROM GRÖSSE");
      fill(a, "SELECT v FROM \"grÖsse\"");
      run(a, "UPDATE GRÖSSE SET v = 3");
      assertThat(rows(a, "SELECT v FROM GRÖSSE")).containsExactly("3");
      assertThat(rows(a, "SELECT v FROM \"grÖsse\"")).containsExactly("3");
      fill(a, "SELECT v FROM Größe");
      assertThat(rows(a, "SELECT v FROM größe")).containsExactly("2");
    }
  }

  /** Which table is meant depends on the server's locale: here it is C. */
  @Test
  void onlyTheServerKnowsWhatCapitalsMeanInASingleByteEncoding() throws SQLException {
    String latin = database.name() + "_latin";
    database.execute("CREATE DATABASE " + latin + LATIN);
    try (Connection a = connect(latin);
        Connection b = connect(latin)) {
      fillTables(a);
      LarderProbe.awaitCatalog(b);
      for (String read : new String[] {"SELECT v FROM größe", "SELECT v FROM \"grÖsse\""}) {
        fill(b, read);
      }
      rows(b, "SELECT v FROM GRÖSSE");
      assertThat(isHit(b, "SELECT v FROM GRÖSSE")).isFalse();
      run(a, "UPDATE GRÖSSE SET v = v + 2");
      assertThat(isHit(b, "SELECT v FROM größe")).isFalse();
      assertThat(rows(b, "SELECT v FROM \"grÖsse\"")).containsExactly("3");
      run(a, "SET app.Ä = 'x'");
      assertThat(isHit(a, "SELECT v FROM größe")).isFalse();
      run(a, "RESET ALL");
      fill(a, "SELECT v FROM größe");
    } finally {
      database.execute("DROP DATABASE " + latin + " WITH (FORCE)");
    }
  }

  private Connection connect(String name) throws SQLException {
    String url = database.larderUrl("larder.writers=this-jvm").replace(database.name(), name);
    Connection connection = DriverManager.getConnection(url);
    LarderProbe.awaitCatalog(connection);
    return connection;
  }
}
