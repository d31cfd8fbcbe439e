package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.ask;
import static dev.larder.memcached.LarderInstance.askUntilHit;
import static dev.larder.memcached.LarderInstance.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import java.sql.Connection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** DDL through one instance that concerns one table or schema, and reads through the other. */
@NeedsProgram(Program.MEMCACHED)
@Tag("regression")
final class SharedDdlOfOneTableTest extends TwoInstances {
  private static final String DOC = "SELECT v FROM public.doc";

  @Test
  void schemaOfASearchPath() throws Exception {
    run(
        outside,
        "CREATE TABLE doc (tenant text, v text);"
            + " INSERT INTO doc VALUES ('public', 'of public'), ('late', 'of the tenant');"
            + " CREATE POLICY p ON doc USING (tenant = current_schema());"
            + " ALTER TABLE doc ENABLE ROW LEVEL SECURITY;"
            + " DROP ROLE IF EXISTS reader; CREATE ROLE reader; GRANT SELECT ON doc TO reader;"
            + " GRANT USAGE ON SCHEMA public TO reader; DROP SCHEMA IF EXISTS late");
    for (Connection connection : new Connection[] {first, second}) {
      run(connection, "SET search_path = late, public");
      run(connection, "SET ROLE reader");
      assertThat(askUntilHit(connection, DOC)).isEqualTo("of public");
    }
    run(first, "RESET ROLE");
    run(first, "BEGIN");
    run(first, "CREATE SCHEMA late");
    run(first, "GRANT USAGE ON SCHEMA late TO reader");
    run(first, "COMMIT");
    assertThat(ask(second, DOC)).isEqualTo("of the tenant");
    ask(second, DOC);
    try (Connection third = two.connect()) {
      run(third, "SET search_path = public");
      run(third, "SET ROLE reader");
      assertThat(ask(third, DOC)).isEqualTo("of public");
    }
    run(outside, "DROP SCHEMA late");
  }

  @Test
  void schemaOfASearchPathOfItsOwner() throws Exception {
    run(
        outside,
        "CREATE TABLE doc (tenant text, v text);"
            + " INSERT INTO doc VALUES ('public', 'of public'), ('late', 'of the tenant');"
            + " CREATE POLICY p ON doc USING (tenant = current_schema());"
            + " ALTER TABLE doc ENABLE ROW LEVEL SECURITY;"
            + " DROP ROLE IF EXISTS maker; CREATE ROLE maker; GRANT SELECT ON doc TO maker;"
            + " GRANT USAGE ON SCHEMA public TO maker; DROP SCHEMA IF EXISTS late;"
            + " GRANT CREATE ON DATABASE postgres TO maker");
    for (Connection connection : new Connection[] {first, second}) {
      run(connection, "SET search_path = late, public");
      run(connection, "SET ROLE maker");
      assertThat(askUntilHit(connection, DOC)).isEqualTo("of public");
    }
    run(first, "CREATE SCHEMA late");
    try {
      assertThat(ask(second, DOC)).isEqualTo("of the tenant");
    } finally {
      run(outside, "DROP SCHEMA late");
      run(outside, "DROP OWNED BY maker; DROP ROLE maker");
    }
  }
}
