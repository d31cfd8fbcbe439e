package dev.larder.jdbc.proof.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.analysis.SqlAnalyzer;
import dev.larder.jdbc.TestDatabase;
import dev.larder.lexer.LexOptions;
import dev.larder.lexer.SqlLexer;
import dev.larder.sql.RelationName;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Names that are taken for columns, against what the server notes that a view of the same text
 * depends on: tables, and the types of their rows. Tables, columns, aliases and functions have the
 * same few names here, and the texts are known ones with words changed at random; most of them the
 * server refuses. {@code -Dlarder.fuzz.places} says how many it must take.
 */
@Tag("each-server")
class ColumnPlacesFuzzTest {
  private static final List<String> TABLES =
      List.of("client", "role", "by", "between", "join_", "t");

  private static final List<String> KNOWN =
      List.of(
          "select client from t where role = 1",
          "select t . client , t . role from t join role on t . role = role . client",
          "select client . role as by from client client , role t where client . by in ( 1 , 2 )",
          "select client from t as client where role is distinct from by and t = 1",
          "select null :: client , by from t where role between client and by",
          "select cast ( null as client ) , cast ( role as text ) from t",
          "select cast ( t is distinct from client as text ) from t join by role using ( client )",
          "select * from rec ( 1 ) as t ( client int , by client , role text )",
          "select t . * , client . * from rec ( 1 ) t ( role role , client int ) , client",
          "select ( select client from role ) , extract ( year from now ( ) ) , by from t",
          "select trim ( both from role ) , client from t , ( by join client on true )",
          "with client as ( select role from t ) , role ( by ) as ( table by ) table client",
          "with t as ( select 1 as client ) select client from t , role where role . by = t . client",
          "select client ( t ) , t . client , ( t ) . role from t",
          "select client '(1,2,3,4,5,6)' , role from t order by client , by",
          "select json_populate_record ( null :: role , '{}' ) , client from t group by client",
          "select client from t union select by from role except table client",
          "select role from only client , lateral ( select role . by from role ) by",
          "select array [ client , role ] , row ( client , by ) from t as by",
          "select distinct on ( client ) role from by left join t on client = any ( array [ 1 ] )",
          "select t . distinct from client t",
          "select t . from , client from t cross join role natural join by",
          "select 1 as from , client from t , role for update of t",
          "select count ( * ) filter ( where client = 1 ) over ( by ) from t window by as ( order by role )",
          "select x . client from xmltable ( '/a' passing t columns by client path 'b' ) x , role",
          "select case when client = 1 then role else by end from t having client = 1 limit 1",
          "select exists ( table client ) , role in ( select by from by ) from t",
          "select client :: int :: client , role [ 1 ] from t",
          "select client . role from t client , by between join join_ join on true",
          "select t -> 'a' , role #> client from role tablesample system ( by )",
          "values ( ( select client from t ) , null :: by )",
          "( select client from t ) union all ( select role from ( by join client on true ) )");

  private static final List<String> WORDS =
      List.of(
          ("select from where and or not as on by between join left cross natural using in is distinct"
                  + " null table only lateral union all except order group having limit with case when"
                  + " then else end cast any exists array row values like for of window over"
                  + " ( ) ( ) , , , . . . [ ] = < + :: * 1 'a' client client client role role role t t t"
                  + " by between join_ int text rec (1) as client as role \"join\" \"by\" public")
              .split(" "));

  @Test
  void noTableThatTheServerNamesIsTakenForAColumn() throws SQLException {
    long seed = Long.getLong("larder.fuzz.places.seed", System.nanoTime());
    Random random = new Random(seed);
    int wanted = Integer.getInteger("larder.fuzz.places", 400);
    int taken = 0;
    int precise = 0;
    try (TestDatabase database = TestDatabase.create();
        Connection connection = DriverManager.getConnection(database.url());
        Statement statement = connection.createStatement()) {
      create(statement);
      connection.setAutoCommit(false);
      while (taken < wanted) {
        String sql = text(random);
        StatementFacts facts = facts(sql);
        Set<String> read = facts == null ? null : read(connection, sql);
        if (facts != null && read != null) {
          taken++;
          Set<String> kept = kept(facts);
          assertThat(kept).as("seed %d: %s", seed, sql).containsAll(read);
          precise += kept.equals(read) ? 1 : 0;
        }
      }
    }
    System.out.println("proof: texts whose tables were compared with the server's=" + taken);
    assertThat(precise).as("texts of which nothing else was taken").isGreaterThan(wanted / 4);
  }

  private static void create(Statement statement) throws SQLException {
    for (String table : TABLES) {
      statement.execute(
          "create table \"%s\" (client int, role int, \"by\" int, \"between\" int, t int, \"from\" int)"
              .formatted(table));
    }
    statement.execute("alter table t add \"distinct\" int, add \"join\" int, add \"where\" int");
    statement.execute("create function rec(int) returns setof record language sql as 'select 1'");
    statement.execute("create function client(t) returns int language sql as 'select 1'");
  }

  private static String text(Random random) {
    List<String> words =
        new ArrayList<>(List.of(KNOWN.get(random.nextInt(KNOWN.size())).split(" ")));
    for (int changes = random.nextInt(4); changes > 0; changes--) {
      int at = random.nextInt(words.size());
      String word = WORDS.get(random.nextInt(WORDS.size()));
      switch (random.nextInt(5)) {
        case 0 -> words.add(at, word);
        case 1 -> words.remove(at);
        case 2 -> words.add(at, words.get(random.nextInt(words.size())));
        default -> words.set(at, word);
      }
    }
    return String.join(" ", words);
  }

  private static StatementFacts facts(String sql) {
    List<StatementFacts> all =
        new SqlAnalyzer().analyze(SqlLexer.lex(sql, LexOptions.STATEMENT).shape()).statements();
    return all.size() == 1 && all.get(0).kind() == StatementKind.QUERY ? all.get(0) : null;
  }

  /** Returns the tables of the facts, and those that an identifier may stand for. */
  private static Set<String> kept(StatementFacts facts) {
    Set<String> kept = new TreeSet<>();
    facts.relations().stream().map(RelationName::name).forEach(kept::add);
    facts.identifiers().stream().filter(each -> !facts.columns().contains(each)).forEach(kept::add);
    kept.retainAll(TABLES);
    return kept;
  }

  /** Returns the tables that a view of this text depends on; null where the server refuses it. */
  private static Set<String> read(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("create view v as select 1 as one from (" + sql + ") as the_text");
    } catch (SQLException refused) {
      connection.rollback();
      return null;
    }
    Set<String> read = new TreeSet<>();
    try (PreparedStatement query =
            connection.prepareStatement(
                """
                select c.relname from pg_depend d join pg_rewrite r on r.oid = d.objid
                join pg_class v on v.oid = r.ev_class left join pg_type y on y.oid = d.refobjid
                join pg_class c on c.oid = case d.refclassid when 'pg_class'::regclass then d.refobjid
                when 'pg_type'::regclass then coalesce((select e.typrelid from pg_type e
                where e.oid = y.typelem and e.typrelid <> 0), y.typrelid) end
                where d.classid = 'pg_rewrite'::regclass and v.relname = 'v' and c.relname <> 'v'
                """);
        ResultSet rows = query.executeQuery()) {
      while (rows.next()) {
        read.add(rows.getString(1));
      }
    }
    connection.rollback();
    return read;
  }
}
