package dev.larder.changefeed.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.changefeed.FeedCheck;
import dev.larder.changefeed.FeedServer;
import dev.larder.changefeed.coverage.PublishedTables;
import dev.larder.testing.SearchPathTraps;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Somebody makes operators, functions, types and relations where the feed's role looks. */
final class OwnerOfASchemaInThePathTest {
  @Test
  void questionsFindNothingButObjectsOfTheServer() throws Exception {
    Map<String, String> queries = SearchPathTraps.queries(FeedCheck.class);
    queries.remove("PublishedTables.TABLES"); // It is a part of the following ones.
    for (int version : new int[] {140000, 150000}) {
      String digest = PublishedTables.digest(version);
      queries.put("digest " + version, digest.replace("?", "NULL::pg_catalog.varchar"));
    }
    assertThat(queries).hasSizeGreaterThan(9).containsKey("Holdups.WHO");
    try (FeedServer server = FeedServer.start();
        Connection connection = server.connect(server.createDatabase())) {
      SearchPathTraps traps =
          SearchPathTraps.make(connection, "first", new ArrayList<>(queries.values()));
      for (Map.Entry<String, String> query : queries.entrySet()) {
        assertThat(traps.foundBy(connection, query.getValue())).as(query.getKey()).isEmpty();
      }
    }
  }
}
